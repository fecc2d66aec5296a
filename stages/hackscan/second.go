package hackscan

import (
	"context"
	"errors"
	"fmt"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/formats/rollout/behaviour"
)

// ErrOtherRows says that the second pass met a graded row that the first did
// not see, or not all that it saw.
var ErrOtherRows = errors.New("hackscan: the two passes saw different rows")

// Second is the second pass: where it is needed it finds the terms that the
// first pass counted most in the rows, and then the scan is made. It reads rewards again to know
// the graded rows, and of the text only what terms are looked for in.
//
// Several goroutines may Read at once; one at a time may do anything else.
// Pages come in any order. The rows must have the positions that they had in
// the first pass; rows without any must come in the same order.
type Second struct {
	base    *sealed
	readers shelf[termReader]
	pages   shelf[SecondPage]
	next    int // the row that is expected
	seen    int
	found   []bitmap // by number of the term
}

// bitmap has a bit a row, in chunks that are there where a bit is.
type bitmap [][]uint64

// Second ends the first pass, which must not be used any more.
func (f *First) Second() *Second {
	base := f.seal()
	s := &Second{base: base}
	if !s.Needed() {
		return s
	}
	s.found = make([]bitmap, len(base.vocabulary.terms))
	chunks := (len(base.of) + chunkRows - 1) / chunkRows
	for i := range s.found {
		s.found[i] = make(bitmap, chunks)
	}
	return s
}

// Needed reports whether the rows must be read: a term may be among the most
// frequent ones that the first pass did not follow from the beginning. If not,
// [Second.Report] may follow at once.
func (s *Second) Needed() bool { return len(s.base.vocabulary.terms) > 0 && s.base.columns == nil }

// Fields are the fields of a row that the second pass reads by itself.
func (s *Second) Fields() rollout.Fields {
	return behaviour.Fields&^rollout.FieldPrivileged | rollout.FieldReward | rollout.FieldStatus
}

// SecondPage is what the second pass reads in a batch of rows.
type SecondPage struct {
	at   []rollout.Pos
	hits []uint16 // numbers of terms, a row's after another's
	ends []uint32 // where the hits of a row end
}

// termReader reads pages of the second pass.
type termReader struct {
	view    rowView
	lowered []byte
	cutter  termCutter
	hashes  []uint64 // of a text
}

// Read reads a batch of rows.
func (s *Second) Read(rows []rollout.Row) *SecondPage {
	r, p := s.readers.take(), s.pages.take()
	defer s.readers.put(r)
	o, v := s.base.o, s.base.vocabulary
	p.at, p.hits, p.ends = p.at[:0], p.hits[:0], p.ends[:0]
	for i := range rows {
		if _, ok := o.graded(&rows[i]); !ok {
			continue
		}
		p.at = append(p.at, rows[i].Pos)
		if !s.Needed() {
			p.ends = append(p.ends, 0)
			continue
		}
		r.view.Read(&rows[i])
		r.view.readText(o.Sources)
		for source := range sourceCount {
			if o.Sources&sourceBit(source) == 0 || len(r.view.parts[source]) == 0 {
				continue
			}
			var to int
			r.lowered, to = r.view.appendLower(source, r.lowered[:0])
			terms := r.cutter.cut(r.lowered, 0, to, saltOf(source))
			if len(r.hashes) < len(terms) {
				r.hashes = make([]uint64, 2*len(terms))
			}
			p.hits = v.appendFound(p.hits, terms, r.hashes)
		}
		p.ends = append(p.ends, uint32(len(p.hits)))
	}
	r.view.forget()
	return p
}

// Add adds a page, which must not be used any more. The error is [ErrOtherRows].
func (s *Second) Add(p *SecondPage) error {
	from := uint32(0)
	for i, at := range p.at {
		row, ok := s.base.at.find(at, s.next)
		if !ok {
			return fmt.Errorf("%w: row %v is new", ErrOtherRows, at)
		}
		chunk, word, bit := row/chunkRows, row%chunkRows>>6, uint64(1)<<(row&63)
		for _, number := range p.hits[from:p.ends[i]] {
			m := s.found[number]
			if m[chunk] == nil {
				m[chunk] = make([]uint64, chunkWords)
			}
			m[chunk][word] |= bit
		}
		from = p.ends[i]
		s.next = row + 1
		s.seen++
	}
	s.pages.put(p)
	return nil
}

// Report makes the scan. The error is that of the context, or [ErrOtherRows].
func (s *Second) Report(ctx context.Context) (*Report, error) {
	b := s.base
	n := len(b.of)
	if s.seen != n && (s.Needed() || s.seen > 0) {
		return nil, fmt.Errorf("%w: %d graded rows, then %d", ErrOtherRows, n, s.seen)
	}
	m := &matrix{rows: b.rows, rewards: rewardsOf(&b.reward, n), distinct: b.distinct, at: b.at, features: b.features}
	if n > 0 {
		m.groups = newGroups(b.of, b.tasks, m.rewards)
	} else {
		m.distinct = 0
	}
	columns := s.columns()
	counted := make([]int, len(columns))
	for i := range columns {
		counted[i] = columns[i].n
	}
	var picked []int
	picked, m.terms = b.vocabulary.settle(b.o, counted, n)
	for _, i := range picked {
		t := &b.vocabulary.terms[i]
		m.features = append(m.features, &feature{name: sourceNames[t.source] + t.name, column: columns[i]})
	}
	r, err := analyse(ctx, m, b.o)
	if err != nil {
		return nil, err
	}
	r.Dynamics = b.dynamics
	return r, nil
}

// columns are those of the candidates.
func (s *Second) columns() []column {
	if s.base.columns != nil {
		return s.base.columns
	}
	columns := make([]column, len(s.found))
	for i := range s.found {
		columns[i] = s.found[i].column()
		s.found[i] = nil
	}
	return columns
}

// column turns a bitmap into a column, and gives its chunks free.
func (m bitmap) column() (c column) {
	for i, words := range m {
		if words != nil {
			c.addBits(i, words)
			m[i] = nil
		}
	}
	return c
}
