package jsonl

import (
	"context"

	"github.com/rollmill/rollmill/stream"
)

// frame is a run of rows that is compressed by itself. Where frames begin and
// end depends on the rows alone, so that neither workers nor batches show in
// the output.
type frame struct {
	text    []byte // compressed, behind the compressing stage
	rows    int64
	endFile bool // the file ends behind it
}

// framer cuts lines into frames: one ends behind the row that fills it, and
// behind the last row that goes into a file.
type framer struct {
	size        int   // bytes that fill a frame
	rowsPerFile int64 // 0: no bound
	pool        *buffers

	open   frame
	inFile int64 // rows of the current file
}

// add takes the lines of a batch, whose buffer goes back to the pool, and
// returns the frames that are full now.
func (f *framer) add(l *lines) (full []frame) {
	from, rows := 0, int64(0)
	for _, end := range l.ends {
		rows++
		f.inFile++
		endFile := f.inFile == f.rowsPerFile
		if len(f.open.text)+end-from < f.size && !endFile {
			continue
		}
		f.take(l.text[from:end], rows)
		from, rows = end, 0
		if endFile {
			f.open.endFile = true
			f.inFile = 0
		}
		full = append(full, f.open)
		f.open = frame{}
	}
	f.take(l.text[from:], rows)
	f.pool.put(l.text)
	return full
}

func (f *framer) take(text []byte, rows int64) {
	if f.open.text == nil && rows > 0 {
		f.open.text = f.pool.get(f.size + f.size/4)
	}
	f.open.text = append(f.open.text, text...)
	f.open.rows += rows
}

// frameStage runs a framer over the lines of a flow.
type frameStage struct {
	framer
	dropped map[string]int64
}

// Run cuts frames until the lines end. Rejects ride along; a frame holds rows
// of several batches, so it says nothing of where the sources stood.
func (s *frameStage) Run(ctx context.Context, in <-chan stream.Batch[lines], out chan<- stream.Batch[frame]) error {
	for b, err := range stream.Receive(ctx, in) {
		if err != nil {
			return err
		}
		next := stream.Batch[frame]{Rejects: b.Rejects}
		for i := range b.Items {
			for _, d := range b.Items[i].dropped {
				s.dropped[d.gate] += d.rows
			}
			next.Items = append(next.Items, s.add(&b.Items[i])...)
		}
		if err := stream.Send(ctx, out, next); err != nil {
			return err
		}
	}
	if s.open.rows == 0 {
		return nil
	}
	return stream.Send(ctx, out, stream.Batch[frame]{Items: []frame{s.open}})
}
