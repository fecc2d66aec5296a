package measure

import (
	"context"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

// Sink ends a flow at an accumulator: workers count a batch each, and one
// goroutine merges what they counted, so that memory does not grow with the
// workers. The result is the same for any number of them, at least 1. When the
// flow has ended, so has the counting.
func Sink(a *Accumulator, workers int) stream.Sink[rollout.Row] {
	if workers < 1 {
		panic("measure: Sink wants at least 1 worker")
	}
	return &sink{a, workers}
}

type sink struct {
	a       *Accumulator
	workers int
}

// End ends a flow.
func (s *sink) End(rows stream.Flow[rollout.Row]) stream.End {
	counted := stream.Through(rows, stream.Map(s.workers, func(_ context.Context, b stream.Batch[rollout.Row]) (stream.Batch[*Accumulator], error) {
		part := New(s.a.o)
		part.Add(b.Items)
		return stream.Carry(b, []*Accumulator{part}), nil
	}), stream.Name("measure"))
	return stream.To(counted, stream.SinkFunc[*Accumulator](func(ctx context.Context, in <-chan stream.Batch[*Accumulator]) error {
		for b, err := range stream.Receive(ctx, in) {
			if err != nil {
				return err
			}
			for _, part := range b.Items {
				s.a.Merge(part)
			}
		}
		return nil
	}), stream.Name("merge"))
}

// Run counts what comes from a channel. Flows use End.
func (s *sink) Run(ctx context.Context, in <-chan stream.Batch[rollout.Row]) error {
	return stream.Drain(ctx, in, s.End)
}
