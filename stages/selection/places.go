package selection

import (
	"slices"

	"github.com/rollmill/rollmill/formats/rollout"
)

// places are the positions of rows, as runs: records that follow on each other,
// or parts of one record. A million rows of a file without gaps are one run.
type places struct {
	runs []run
	n    int
	out  bool // rows came out of order
}

// run is n rows from a position on.
type run struct {
	record      int64
	input, part uint32
	n           uint32
	parts       bool // they are parts of one record
	start       int  // number of the first row among all
}

func (r *run) first() rollout.Pos {
	return rollout.Pos{Input: r.input, Record: r.record, Part: r.part}
}

// after is how many rows of the run a position is behind its first one, if it is
// in the run or follows it.
func (r *run) after(p rollout.Pos) (k int64, ok bool) {
	if p.Input != r.input {
		return 0, false
	}
	if r.parts || r.n == 1 && p.Record == r.record {
		k = int64(p.Part) - int64(r.part)
		return k, p.Record == r.record && k >= 0 && k <= int64(r.n)
	}
	k = p.Record - r.record
	return k, p.Part == r.part && k >= 0 && k <= int64(r.n)
}

func (r *run) last() rollout.Pos {
	p := r.first()
	if r.parts {
		p.Part += r.n - 1
	} else {
		p.Record += int64(r.n - 1)
	}
	return p
}

func (p *places) append(pos rollout.Pos) {
	if len(p.runs) > 0 {
		r := &p.runs[len(p.runs)-1]
		if k, ok := r.after(pos); ok && k == int64(r.n) && r.n < 1<<31 {
			r.parts = pos.Record == r.record
			r.n++
			p.n++
			return
		}
		p.out = p.out || r.last().Compare(pos) >= 0
	}
	p.runs = append(p.runs, run{pos.Record, pos.Input, pos.Part, 1, false, p.n})
	p.n++
}

// merge appends the rows of o.
func (p *places) merge(o *places) {
	p.out = p.out || o.out
	for i := range o.runs {
		r := o.runs[i]
		if len(p.runs) > 0 {
			last := &p.runs[len(p.runs)-1]
			if k, ok := last.after(r.first()); ok && k == int64(last.n) && !last.parts && !r.parts && last.n+r.n < 1<<31 && r.record != last.record {
				last.n += r.n
				p.n += int(r.n)
				continue
			}
			p.out = p.out || last.last().Compare(r.first()) >= 0
		}
		r.start = p.n
		p.runs = append(p.runs, r)
		p.n += int(r.n)
	}
}

// list lists the positions of all rows.
func (p *places) list() []rollout.Pos {
	at := make([]rollout.Pos, 0, p.n)
	for i := range p.runs {
		r := &p.runs[i]
		for k := range r.n {
			pos := r.first()
			if r.parts {
				pos.Part += k
			} else {
				pos.Record += int64(k)
			}
			at = append(at, pos)
		}
	}
	return at
}

// order lists the rows in the order of their positions; those that share one
// stay as they came.
func (p *places) order() []uint32 {
	at := p.list()
	order := make([]uint32, len(at))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortStableFunc(order, func(a, b uint32) int { return at[a].Compare(at[b]) })
	return order
}

// sorted are the places in the order that order gave.
func (p *places) sorted(order []uint32) (out places) {
	at := p.list()
	for _, i := range order {
		out.append(at[i])
	}
	out.out = false
	return out
}

// find gives the number of the row at a position, of rows in order.
func (p *places) find(pos rollout.Pos) (row int, ok bool) {
	i, exact := slices.BinarySearchFunc(p.runs, pos, func(r run, pos rollout.Pos) int { return r.first().Compare(pos) })
	if !exact {
		i--
	}
	if i < 0 {
		return 0, false
	}
	r := &p.runs[i]
	k, ok := r.after(pos)
	return r.start + int(k), ok && k < int64(r.n)
}
