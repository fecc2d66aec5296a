package arrowipc

import (
	"context"
	"fmt"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

// measured are the rows of one batch that are to be written, with their sizes.
type measured struct {
	rows    []rollout.Row
	sizes   []int
	dropped []gateCount
}

// gateCount is how many rows of a batch ended at a gate.
type gateCount struct {
	gate string
	rows int64
}

// measure returns the rows of a batch, without those that ended at a gate if
// only kept ones are written.
func measure(rows []rollout.Row, keptOnly bool) measured {
	m := measured{rows: rows, sizes: make([]int, 0, len(rows))}
	if keptOnly {
		m.rows = rows[:0]
		for i := range rows {
			if g := rows[i].Gate; g != "" {
				m.drop(g)
				continue
			}
			m.rows = append(m.rows, rows[i])
		}
		clear(rows[len(m.rows):])
	}
	for i := range m.rows {
		m.sizes = append(m.sizes, rowSize(&m.rows[i]))
	}
	return m
}

func (m *measured) drop(gate string) {
	for i := range m.dropped {
		if m.dropped[i].gate == gate {
			m.dropped[i].rows++
			return
		}
	}
	m.dropped = append(m.dropped, gateCount{gate, 1})
}

// group are the rows of one record batch, in runs as they came.
type group struct {
	runs    [][]rollout.Row
	rows    int
	bytes   int
	endFile bool // the file ends behind it
}

// failed says of an error which rows it is about.
func (g *group) failed(err error) error {
	return fmt.Errorf("arrowipc: %d rows from %v on: %w", g.rows, g.runs[0][0].Pos, err)
}

// cut is the rule by which rows fall into record batches. It looks at the rows
// alone, so that neither workers nor batches of the flow show in the output.
type cut struct {
	rows        int
	bytes       int
	rowsPerFile int64 // 0: no bound
}

// cutter cuts rows into groups.
type cutter struct {
	cut
	open   group
	inFile int64 // rows of the current file
}

// add takes the rows of a batch and returns the groups that are full now.
func (c *cutter) add(m *measured) (full []group) {
	from := 0
	close := func(to int) {
		if to > from {
			c.open.runs = append(c.open.runs, m.rows[from:to:to])
			from = to
		}
		if c.open.rows > 0 {
			full = append(full, c.open)
		}
		c.open = group{}
	}
	for i, size := range m.sizes {
		if c.open.rows == c.rows || c.open.rows > 0 && c.open.bytes+size > c.bytes {
			close(i)
		}
		c.open.rows++
		c.open.bytes += size
		if c.inFile++; c.inFile == c.rowsPerFile {
			c.inFile = 0
			c.open.endFile = true
			close(i + 1)
		}
	}
	if n := len(m.rows); n > from {
		c.open.runs = append(c.open.runs, m.rows[from:n:n])
	}
	return full
}

// endFile ends the file behind the rows that came, and returns the last of its groups.
func (c *cutter) endFile() (last []group) {
	if c.open.rows > 0 {
		c.open.endFile = true
		last = append(last, c.open)
	}
	c.open = group{}
	return last
}

// cutStage runs a cutter over the rows of a flow.
type cutStage struct {
	cutter
	ends    func(seq uint64) bool // a file ends behind a batch; nil: none does
	dropped map[string]int64
}

// Run cuts groups until the rows end. Rejects ride along; a group holds rows of
// several batches, so it says nothing of where the sources stood.
func (s *cutStage) Run(ctx context.Context, in <-chan stream.Batch[measured], out chan<- stream.Batch[group]) error {
	for b, err := range stream.Receive(ctx, in) {
		if err != nil {
			return err
		}
		next := stream.Batch[group]{Rejects: b.Rejects}
		for i := range b.Items {
			for _, d := range b.Items[i].dropped {
				s.dropped[d.gate] += d.rows
			}
			next.Items = append(next.Items, s.add(&b.Items[i])...)
		}
		if s.ends != nil && s.ends(b.Seq) {
			next.Items = append(next.Items, s.endFile()...)
		}
		if err := stream.Send(ctx, out, next); err != nil {
			return err
		}
	}
	if s.open.rows == 0 {
		return nil
	}
	return stream.Send(ctx, out, stream.Batch[group]{Items: []group{s.open}})
}
