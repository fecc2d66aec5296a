package parquet

import (
	"context"
	"sync"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

// Writer writes rows as Parquet: the sink of a flow. Row groups are encoded and
// compressed by several workers, and written in order.
type Writer struct {
	path string
	opts writeOptions

	shredders sync.Pool
	groups    *grouper
	parts     *partWriter
	rejected  int64
}

var _ stream.ComposedSink[rollout.Row] = (*Writer)(nil)

// Summary says what a Writer wrote.
type Summary struct {
	Rows     int64            // rows written
	Dropped  map[string]int64 // rows left out by KeptOnly, by gate
	Rejected int64            // rejects that reached the writer
	Parts    []Part
}

// Create returns a writer to the file of the given name; "-" is standard
// output. Nothing is touched before the flow runs. A Writer is used for one
// flow.
func Create(path string, opts ...WriteOption) *Writer {
	w := &Writer{path: path, opts: defaultWriteOptions()}
	for _, o := range opts {
		o(&w.opts)
	}
	w.shredders.New = func() any { return &shredder{} }
	return w
}

// Run writes what comes from a channel. Flows use End.
func (w *Writer) Run(ctx context.Context, in <-chan stream.Batch[rollout.Row]) error {
	return stream.Drain(ctx, in, w.End)
}

// End ends a flow at the writer.
func (w *Writer) End(rows stream.Flow[rollout.Row]) stream.End {
	w.groups = &grouper{opts: &w.opts, dropped: map[string]int64{}}
	w.parts = &partWriter{path: w.path, opts: &w.opts}
	groups := stream.Through[rollout.Row, group](rows, w.groups, stream.Name("group"))
	groups = stream.Through(groups, stream.Map(w.opts.workers, w.encode, stream.Name("encode")))
	return stream.To[group](groups, stream.SinkFunc[group](w.write), stream.Name("write"))
}

// encode makes the pages of row groups.
func (w *Writer) encode(_ context.Context, b stream.Batch[group]) (stream.Batch[group], error) {
	s := w.shredders.Get().(*shredder)
	defer w.shredders.Put(s)
	for i := range b.Items {
		g := &b.Items[i]
		g.encoded = g.part.BeginRowGroup()
		s.inexact, s.order = 0, order{}
		for _, rows := range g.runs {
			if err := s.write(rows, g.encoded); err != nil {
				return b, err
			}
		}
		if err := s.flush(g.encoded); err != nil {
			return b, err
		}
		if err := g.encoded.Flush(); err != nil {
			return b, err
		}
		g.inexact, g.sorted, g.runs = s.inexact, s.order.columns(), nil
		s.order = order{}
	}
	return b, nil
}

func (w *Writer) write(ctx context.Context, in <-chan stream.Batch[group]) error {
	defer w.parts.abort() // nothing is left to abort after a commit
	for b, err := range stream.Receive(ctx, in) {
		if err != nil {
			return err
		}
		for i := range b.Items {
			if err := w.parts.write(&b.Items[i]); err != nil {
				return err
			}
		}
		w.rejected += int64(len(b.Rejects))
		if len(b.Rejects) > 0 {
			if err := w.opts.rejects(b.Rejects); err != nil {
				return err
			}
		}
	}
	return w.parts.commit()
}

// Summary returns what was written. It is valid when the flow has ended.
func (w *Writer) Summary() Summary {
	s := Summary{Dropped: w.groups.dropped, Rejected: w.rejected, Parts: w.parts.parts}
	for _, p := range s.Parts {
		s.Rows += p.Rows
	}
	return s
}
