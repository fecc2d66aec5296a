package measure

import (
	"cmp"

	"github.com/rollmill/rollmill/stream"
)

// position is where something was first seen: as much of a [stream.Pos] as
// orders it.
type position struct {
	input, part uint32
	record      int64
}

func positionOf(p stream.Pos) position { return position{p.Input, p.Part, p.Record} }

func (p position) compare(q position) int {
	switch {
	case p.input != q.input:
		return cmp.Compare(p.input, q.input)
	case p.record != q.record:
		return cmp.Compare(p.record, q.record)
	}
	return cmp.Compare(p.part, q.part)
}

func earlier(p, q position) position {
	if p.compare(q) <= 0 {
		return p
	}
	return q
}
