package parquet

import (
	"context"
	"fmt"
	"math"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

// A row group ends at whichever comes first. The rule looks at rows alone, so
// that neither workers nor batches show in the output.
const (
	groupRows  = 16 << 10
	groupBytes = 32 << 20
)

// group is the rows of one row group, and behind the encoding stage its bytes.
type group struct {
	part    *part
	runs    [][]rollout.Row
	rows    int64
	bytes   int
	endPart bool // the file ends behind it

	encoded *parquet.ConcurrentRowGroupWriter
	inexact rollout.Fields
	sorted  []format.SortingColumn
}

// grouper is the stage that cuts rows into groups.
type grouper struct {
	opts    *writeOptions
	dropped map[string]int64

	part   *part
	open   group
	inPart int64
}

// Run cuts groups until the rows end. Rejects ride along; a group holds rows of
// several batches, so it says nothing of where the sources stood.
func (g *grouper) Run(ctx context.Context, in <-chan stream.Batch[rollout.Row], out chan<- stream.Batch[group]) error {
	for b, err := range stream.Receive(ctx, in) {
		if err != nil {
			return err
		}
		full, err := g.add(b.Items)
		if err != nil {
			return err
		}
		if err := stream.Send(ctx, out, stream.Batch[group]{Items: full, Rejects: b.Rejects}); err != nil {
			return err
		}
	}
	if g.open.rows == 0 {
		return nil
	}
	return stream.Send(ctx, out, stream.Batch[group]{Items: []group{g.open}})
}

// add takes rows and returns the groups that are full now.
func (g *grouper) add(rows []rollout.Row) (full []group, err error) {
	from := 0
	for i := range rows {
		if gate := rows[i].Gate; gate != "" && g.opts.keptOnly {
			g.dropped[gate]++
			g.take(rows[from:i])
			from = i + 1
			continue
		}
		size := sizeOf(&rows[i])
		if size > math.MaxInt32 {
			return nil, fmt.Errorf("parquet: %v: %w", rows[i].Pos, ErrTooLong)
		}
		g.open.rows++
		g.open.bytes += size
		g.inPart++
		g.open.endPart = g.inPart == g.opts.rowsPerFile
		if g.open.rows < groupRows && g.open.bytes < groupBytes && !g.open.endPart {
			continue
		}
		g.take(rows[from : i+1])
		from = i + 1
		full = append(full, g.open)
		if g.open.endPart {
			g.part, g.inPart = nil, 0
		}
		g.open = group{}
	}
	g.take(rows[from:])
	return full, nil
}

func (g *grouper) take(rows []rollout.Row) {
	if len(rows) == 0 {
		return
	}
	if g.part == nil {
		g.part = newPart(g.opts.codec)
	}
	g.open.part = g.part
	g.open.runs = append(g.open.runs, rows)
}

// sizeOf is the text of a row in bytes.
func sizeOf(r *rollout.Row) int {
	n := len(r.ID) + len(r.Prompt) + len(r.Tools) + len(r.FinalText) + len(r.Reason) + len(r.Privileged)
	for i := range r.Messages {
		m := &r.Messages[i]
		n += len(m.Content) + len(m.Parts)
		for j := range m.ToolCalls {
			n += len(m.ToolCalls[j].Arguments)
		}
	}
	for i := range r.Extra {
		n += len(r.Extra[i].Name) + len(r.Extra[i].JSON)
	}
	return n
}
