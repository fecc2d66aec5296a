package hackscan

import (
	"sort"

	"github.com/rollmill/rollmill/formats/rollout"
)

// chunked is a list that grows without a copy of what it holds and with little
// room to spare.
type chunked[T any] struct {
	chunks [][]T
	n      int
}

func (c *chunked[T]) append(v T) {
	last := c.n / chunkRows
	if last == len(c.chunks) {
		var chunk []T
		if last > 0 {
			chunk = make([]T, 0, chunkRows)
		}
		c.chunks = append(c.chunks, chunk)
	}
	c.chunks[last] = append(c.chunks[last], v)
	c.n++
}

func (c *chunked[T]) at(i int) T { return c.chunks[i/chunkRows][i%chunkRows] }

func (c *chunked[T]) flat() []T {
	flat := make([]T, 0, c.n)
	for _, chunk := range c.chunks {
		flat = append(flat, chunk...)
	}
	return flat
}

// positions says where the graded rows came from, in 8 bytes each.
type positions struct {
	packed   chunked[uint64]
	inputs   []inputStart        // where the rows of another input begin
	wide     map[int]rollout.Pos // those that do not fit
	unsorted bool                // rows came in another order than that of their positions
	last     rollout.Pos
}

type inputStart struct {
	row   int
	input uint32
}

const partBits = 20

func (p *positions) append(at rollout.Pos) {
	at.Offset = 0
	row := p.packed.n
	if row > 0 && at.Compare(p.last) < 0 {
		p.unsorted = true
	}
	if n := len(p.inputs); n == 0 || p.inputs[n-1].input != at.Input {
		p.inputs = append(p.inputs, inputStart{row, at.Input})
	}
	if at.Part >= 1<<partBits || at.Record < 0 || at.Record >= 1<<(64-partBits) {
		if p.wide == nil {
			p.wide = map[int]rollout.Pos{}
		}
		p.wide[row] = at
	}
	p.packed.append(uint64(at.Record)<<partBits | uint64(at.Part)&(1<<partBits-1))
	p.last = at
}

// at is the position of a row; its offset is not kept.
func (p *positions) at(row int) rollout.Pos {
	if at, ok := p.wide[row]; ok {
		return at
	}
	i := sort.Search(len(p.inputs), func(i int) bool { return p.inputs[i].row > row }) - 1
	x := p.packed.at(row)
	return rollout.Pos{Input: p.inputs[i].input, Record: int64(x >> partBits), Part: uint32(x & (1<<partBits - 1))}
}

// find is the row of a position, of sorted ones; the row hint is tried first.
func (p *positions) find(at rollout.Pos, hint int) (row int, ok bool) {
	at.Offset = 0
	if hint < p.packed.n && p.at(hint) == at {
		return hint, true
	}
	row = sort.Search(p.packed.n, func(i int) bool { return p.at(i).Compare(at) >= 0 })
	return row, row < p.packed.n && p.at(row) == at
}
