package selection

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rollmill/rollmill/stats"
)

// SliceReport says what became of the rows of each value of a field.
type SliceReport struct {
	Field  string  `json:"field"`
	Unsaid int     `json:"unsaid"` // rows without the field
	Slices []Slice `json:"slices"` // by label
}

// Slice is the rows of one value of a field.
type Slice struct {
	Label   string `json:"label"`
	Rows    int    `json:"n"`
	Kept    int    `json:"kept"`
	Dropped Tally  `json:"dropped"`
}

// CodeStarved says that a gate took the last rows of a slice.
const CodeStarved stats.Code = "starved_slice"

// slicesOf counts rows by slice and gate.
func (p *Plan) slicesOf() *SliceReport {
	if p.a.o.By == nil {
		return nil
	}
	r := &SliceReport{Field: p.a.o.ByName, Slices: make([]Slice, len(p.a.slices.texts))}
	for i, label := range p.a.slices.texts {
		r.Slices[i].Label = label
	}
	for i, g := range p.gates {
		n := p.a.head(i).slice
		if n == 0 {
			r.Unsaid++
			continue
		}
		s := &r.Slices[n-1]
		s.Rows++
		s.Dropped[g]++
	}
	for i := range r.Slices {
		r.Slices[i].Kept = r.Slices[i].Dropped[Kept]
	}
	slices.SortFunc(r.Slices, func(a, b Slice) int { return cmp.Or(strings.Compare(a.Label, b.Label)) })
	return r
}

// starved names the slices of which nothing is left, and the gate that took the
// last rows.
func (r *SliceReport) starved() (list []stats.Finding) {
	if r == nil {
		return nil
	}
	for _, s := range r.Slices {
		if s.Kept > 0 {
			continue
		}
		g := s.Dropped.last()
		f := finding(CodeStarved, stats.Warning, fmt.Sprintf("nothing is left of %s %s: %s took the last %d of its %d rows",
			r.Field, s.Label, g, s.Dropped[g], s.Rows), "rows", s.Rows, "last", s.Dropped[g])
		f.Subject = r.Field + "=" + s.Label
		list = append(list, f)
	}
	return list
}
