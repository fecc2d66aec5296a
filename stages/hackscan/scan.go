package hackscan

import (
	"context"
	"fmt"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

// Scan scans rows that can be read twice, which is needed seldom: open gives
// their flow each time.
func Scan(ctx context.Context, open func() (stream.Flow[rollout.Row], error), o Options) (*Report, error) {
	first, err := NewFirst(o)
	if err != nil {
		return nil, err
	}
	workers := first.o.Workers
	rows, err := open()
	if err != nil {
		return nil, fmt.Errorf("hackscan: first pass: %w", err)
	}
	if _, err := stream.Run(ctx, stream.To(rows, first.Sink(workers))); err != nil {
		return nil, fmt.Errorf("hackscan: first pass: %w", err)
	}
	second := first.Second()
	if second.Needed() {
		if rows, err = open(); err != nil {
			return nil, fmt.Errorf("hackscan: second pass: %w", err)
		}
		if _, err := stream.Run(ctx, stream.To(rows, second.Sink(workers))); err != nil {
			return nil, fmt.Errorf("hackscan: second pass: %w", err)
		}
	}
	return second.Report(ctx)
}

// Rows scans rows in memory. Their order is that of the slice where they have no
// positions.
func Rows(ctx context.Context, rows []rollout.Row, o Options) (*Report, error) {
	first, err := NewFirst(o)
	if err != nil {
		return nil, err
	}
	first.Add(first.Read(rows))
	second := first.Second()
	if second.Needed() {
		if err := second.Add(second.Read(rows)); err != nil {
			return nil, err
		}
	}
	return second.Report(ctx)
}

// Sink ends a flow at the first pass: workers read a batch each, and one
// goroutine adds what they read in the order of the stream. It panics under 1
// worker.
func (f *First) Sink(workers int) stream.Sink[rollout.Row] {
	return pass("first pass", workers, f.Read, func(p *Page) error {
		f.Add(p)
		return nil
	})
}

// Sink ends a flow at the second pass; see [First.Sink].
func (s *Second) Sink(workers int) stream.Sink[rollout.Row] {
	return pass("second pass", workers, s.Read, s.Add)
}

func pass[P any](name string, workers int, read func([]rollout.Row) P, add func(P) error) stream.Sink[rollout.Row] {
	if workers < 1 {
		panic("hackscan: Sink wants at least 1 worker")
	}
	return &sink[P]{name, workers, read, add}
}

type sink[P any] struct {
	name    string
	workers int
	read    func([]rollout.Row) P
	add     func(P) error
}

// End ends a flow.
func (s *sink[P]) End(rows stream.Flow[rollout.Row]) stream.End {
	pages := stream.Through(rows, stream.Map(s.workers, func(_ context.Context, b stream.Batch[rollout.Row]) (stream.Batch[P], error) {
		return stream.Carry(b, []P{s.read(b.Items)}), nil
	}), stream.Name(s.name))
	return stream.To(pages, stream.SinkFunc[P](func(ctx context.Context, in <-chan stream.Batch[P]) error {
		for b, err := range stream.Receive(ctx, in) {
			if err != nil {
				return err
			}
			for _, p := range b.Items {
				if err := s.add(p); err != nil {
					return err
				}
			}
		}
		return nil
	}), stream.Name("add"))
}

// Run takes rows from a channel. Flows use End.
func (s *sink[P]) Run(ctx context.Context, in <-chan stream.Batch[rollout.Row]) error {
	return stream.Drain(ctx, in, s.End)
}
