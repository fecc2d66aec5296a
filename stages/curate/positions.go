package curate

import (
	"sort"

	"github.com/rollmill/rollmill/formats/rollout"
)

// positions are where the rows of the spool came from. Rows that follow on each
// other in their input take no room of their own: it holds 40 bytes for each place
// where the numbers jump, which is where a record was refused, and where records
// make several rows each.
type positions struct {
	runs []span
	n    int
}

// span is rows from one on of which each stands behind the one before: the next
// record, or the next part of the record.
type span struct {
	row   int
	first rollout.Pos
	parts bool // the next part
}

// add adds the position of the next row.
func (p *positions) add(at rollout.Pos) {
	at.Offset = 0
	defer func() { p.n++ }()
	if len(p.runs) == 0 {
		p.runs = append(p.runs, span{first: at})
		return
	}
	last := &p.runs[len(p.runs)-1]
	nth := p.n - last.row
	if last.at(nth) == at {
		return
	}
	if nth == 1 {
		if last.parts = true; last.at(1) == at {
			return
		}
		last.parts = false
	}
	p.runs = append(p.runs, span{row: p.n, first: at})
}

// at is the position of the nth row of a span.
func (s *span) at(nth int) rollout.Pos {
	at := s.first
	if s.parts {
		at.Part += uint32(nth)
	} else {
		at.Record += int64(nth)
	}
	return at
}

// at is where a row of the spool came from, from 0 on.
func (p *positions) at(row int) rollout.Pos {
	i := sort.Search(len(p.runs), func(i int) bool { return p.runs[i].row > row }) - 1
	return p.runs[i].at(row - p.runs[i].row)
}
