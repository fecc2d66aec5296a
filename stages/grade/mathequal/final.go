package mathequal

import (
	"cmp"
	"slices"
	"strings"
)

// Answer is the final answer of a reply.
type Answer struct {
	Text  string // as it stands there, without its box, dollars or currency sign
	Place Place
}

// Final returns the final answer of a reply, without judging whether it is
// mathematics. It looks, in this order, for "the final answer is ... I hope", a
// box or "final answer ... is", what follows #### or a line that begins with A:,
// what follows "answer:", what follows "answer", and at last for the last formula
// or number (spec of rows, section 3.5.1, and the two markers, which Math-Verify
// does not know). Within a group what ends furthest right comes first. ok is false
// when there is none.
func Final(reply string, o Options) (a Answer, ok bool) {
	f := newFinder(reply, o)
	s, ok := f.next()
	if s.percent {
		s.text += "%"
	}
	return Answer{Text: strings.TrimSpace(s.text), Place: s.place}, ok
}

// A finder yields what may be the answer of a reply, the likeliest first.
type finder struct {
	text     string
	mode     Mode
	group    int
	queue    []span // what is left of the group, the first to try last
	buffer   [6]span
	formulas []span
	scanned  bool // formulas is filled
	ends     [maxAnchors]int
	words    int  // how many of ends are filled
	anchored bool // ends is filled
	limit    int  // values are still to be read before this
}

func newFinder(reply string, o Options) finder {
	if !o.KeepThinking {
		reply = spoken(reply)
	}
	if o.Mode == Strict && strings.Contains(reply, "−") {
		reply = strings.ReplaceAll(reply, "−", "-")
	}
	return finder{text: reply, mode: o.Mode, limit: len(reply)}
}

// The groups, in the order in which they are tried.
const (
	hopeGroup = iota
	boxGroup
	markerGroup
	colonGroup
	wordGroup
	bareGroup
)

// next returns the next stretch that may be the answer.
func (f *finder) next() (span, bool) {
	for {
		if n := len(f.queue); n > 0 {
			s := f.queue[n-1]
			f.queue = f.queue[:n-1]
			return s, true
		}
		if f.group > bareGroup {
			return span{}, false
		}
		f.queue = f.buffer[:0]
		f.fill()
		if len(f.queue) < 2 {
			continue
		}
		slices.SortFunc(f.queue, func(a, b span) int {
			return cmp.Or(cmp.Compare(a.end, b.end), cmp.Compare(b.start, a.start))
		})
	}
}

// fill puts the members of the group into the queue and goes on to the next one.
func (f *finder) fill() {
	switch f.group {
	case hopeGroup:
		f.phrases(true)
	case boxGroup:
		if strings.Contains(f.text, "boxed") {
			if s, ok := lastBox(f.text, f.mode); ok {
				f.queue = append(f.queue, s)
			}
		}
		f.phrases(false)
	case markerGroup:
		f.marked()
	case colonGroup:
		f.answered(true)
	case wordGroup:
		f.answered(false)
	case bareGroup:
		if f.bare() {
			return // more runs to come
		}
	}
	f.group++
}

// environments returns the formulas of the text, found once.
func (f *finder) environments() []span {
	if !f.scanned {
		f.formulas, f.scanned = formulas(f.text), true
	}
	return f.formulas
}

// bare puts the values of the last run that was not looked at into the queue, and
// the formulas that end after its beginning; false when nothing is left.
func (f *finder) bare() bool {
	values := valueReader{f.text}
	start, stop, ok := values.runBefore(f.limit)
	if ok {
		f.queue = values.inRun(start, stop, f.queue)
	} else {
		start = 0
	}
	f.environments()
	for n := len(f.formulas); n > 0 && f.formulas[n-1].end > start; n-- {
		f.queue = append(f.queue, f.formulas[n-1])
		f.formulas = f.formulas[:n-1]
	}
	f.limit = start
	return ok
}
