package stream

import "context"

// Gather ends a flow at something that grows with it, such as an accumulator: many
// workers make a part of each batch, and merge takes the parts one by one in the
// order of the stream, so that the result is the same for any number of workers
// and memory does not grow with them. part must not keep the batch. It takes
// [Name], which names the workers; what merges is called merge.
func Gather[T, R any](workers int, part func(b *Batch[T]) R, merge func(R), opts ...Option) ComposedSink[T] {
	mustNot(part == nil || merge == nil, "Gather with a nil function")
	configure("Gather", opts, optName)
	return gathering[T, R]{workers, part, merge, opts}
}

type gathering[T, R any] struct {
	workers int
	part    func(b *Batch[T]) R
	merge   func(R)
	opts    []Option
}

// End ends a flow.
func (g gathering[T, R]) End(flow Flow[T]) End {
	parts := Through(flow, Map(g.workers, func(_ context.Context, b Batch[T]) (Batch[R], error) {
		return Carry(b, []R{g.part(&b)}), nil
	}, g.opts...))
	return To(parts, SinkFunc[R](func(ctx context.Context, in <-chan Batch[R]) error {
		for b, err := range Receive(ctx, in) {
			if err != nil {
				return err
			}
			for _, part := range b.Items {
				g.merge(part)
			}
		}
		return nil
	}), Name("merge"))
}

// Run gathers what comes from a channel. Flows use End.
func (g gathering[T, R]) Run(ctx context.Context, in <-chan Batch[T]) error {
	return Drain(ctx, in, g.End)
}
