package main

import (
	"context"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

// accumulate ends a flow: workers make one partial result of each batch, and
// merge takes them in the order of the stream.
func accumulate[R any](rows stream.Flow[rollout.Row], workers int, part func(b *stream.Batch[rollout.Row]) R, merge func(R)) stream.End {
	parts := stream.Through(rows, stream.Map(workers, func(_ context.Context, b stream.Batch[rollout.Row]) (stream.Batch[R], error) {
		return stream.Carry(b, []R{part(&b)}), nil
	}), stream.Name(rowsStage))
	return stream.To(parts, stream.SinkFunc[R](func(ctx context.Context, in <-chan stream.Batch[R]) error {
		for b, err := range stream.Receive(ctx, in) {
			if err != nil {
				return err
			}
			for _, p := range b.Items {
				merge(p)
			}
		}
		return nil
	}), stream.Name("merge"))
}
