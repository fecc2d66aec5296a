package profile

import (
	"slices"
	"strings"

	"github.com/rollmill/rollmill/stream"
)

// Fault is one thing that is wrong with some records.
type Fault struct {
	Code   string
	Count  int64
	Places []Place // the first of them
}

// Place is where a fault was found.
type Place struct {
	Pos    stream.Pos
	Detail string // what was found, if the code does not say it
}

// faults are few: one a code.
type faults struct{ list []*Fault }

func (f *faults) of(code string) *Fault {
	for _, fault := range f.list {
		if fault.Code == code {
			return fault
		}
	}
	f.list = append(f.list, &Fault{Code: strings.Clone(code)})
	return f.list[len(f.list)-1]
}

func (f *faults) add(code string, places int, at Place) {
	fault := f.of(code)
	fault.Count++
	if len(fault.Places) < places {
		fault.Places = append(fault.Places, Place{at.Pos, strings.Clone(at.Detail)})
	}
}

func (f *faults) merge(o *faults, places int) {
	for _, from := range o.list {
		fault := f.of(from.Code)
		fault.Count += from.Count
		free := min(places-len(fault.Places), len(from.Places))
		fault.Places = append(fault.Places, from.Places[:free]...)
	}
}

func (f *faults) sorted() []Fault {
	var list []Fault
	for _, fault := range f.list {
		list = append(list, *fault)
	}
	slices.SortFunc(list, func(a, b Fault) int { return strings.Compare(a.Code, b.Code) })
	return list
}
