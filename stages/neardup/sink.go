package neardup

import (
	"context"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

// Sink ends a flow at an accumulator: workers gather a batch each, and one
// goroutine merges. The result is the same for any number of them, at least 1.
func Sink(a *Accumulator, workers int) stream.Sink[rollout.Row] {
	if workers < 1 {
		panic("neardup: Sink wants at least 1 worker")
	}
	return &sink{a, workers}
}

type sink struct {
	a       *Accumulator
	workers int
}

// End ends a flow.
func (s *sink) End(rows stream.Flow[rollout.Row]) stream.End {
	gathered := stream.Through(rows, stream.Map(s.workers, func(_ context.Context, b stream.Batch[rollout.Row]) (stream.Batch[*Accumulator], error) {
		part := New()
		part.Add(b.Items)
		return stream.Carry(b, []*Accumulator{part}), nil
	}), stream.Name("neardup"))
	return stream.To(gathered, stream.SinkFunc[*Accumulator](func(ctx context.Context, in <-chan stream.Batch[*Accumulator]) error {
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

// Run gathers what comes from a channel. Flows use End.
func (s *sink) Run(ctx context.Context, in <-chan stream.Batch[rollout.Row]) error {
	return stream.Drain(ctx, in, s.End)
}
