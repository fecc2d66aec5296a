package curate

import (
	"sort"

	"github.com/go-json-experiment/json"

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

// join adds the positions of the rows behind.
func (p *positions) join(o *positions) {
	for _, s := range o.runs {
		s.row += p.n
		p.runs = append(p.runs, s)
	}
	p.n += o.n
}

// savedPositions is how positions are saved: the number of rows, and for each span
// its first row, input, record, part and whether the parts count on.
type savedPositions struct {
	Rows  int        `json:"rows"`
	Spans [][5]int64 `json:"spans"`
}

// MarshalJSON saves positions.
func (p positions) MarshalJSON() ([]byte, error) {
	s := savedPositions{p.n, make([][5]int64, len(p.runs))}
	for i, r := range p.runs {
		s.Spans[i] = [5]int64{int64(r.row), int64(r.first.Input), r.first.Record, int64(r.first.Part), 0}
		if r.parts {
			s.Spans[i][4] = 1
		}
	}
	return json.Marshal(&s)
}

// UnmarshalJSON takes what was saved.
func (p *positions) UnmarshalJSON(text []byte) error {
	var s savedPositions
	if err := json.Unmarshal(text, &s); err != nil {
		return err
	}
	if s.Rows < 0 || (s.Rows > 0) != (len(s.Spans) > 0) {
		return errUnfit
	}
	*p = positions{n: s.Rows}
	before := int64(-1)
	for _, r := range s.Spans {
		if r[0] <= before || r[0] >= int64(s.Rows) || before < 0 && r[0] != 0 {
			return errUnfit
		}
		before = r[0]
		p.runs = append(p.runs, span{int(r[0]), rollout.Pos{Input: uint32(r[1]), Record: r[2], Part: uint32(r[3])}, r[4] == 1})
	}
	return nil
}
