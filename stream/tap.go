package stream

import "context"

// Tap shows each batch to look as it passes, one at a time and in order, on a
// goroutine of its own. look must not change the batch or keep its slices. An
// error stops the flow. Tap takes [Name].
func Tap[T any](look func(ctx context.Context, b Batch[T]) error, opts ...Option) Stage[T, T] {
	mustNot(look == nil, "Tap of a nil function")
	return &tapStage[T]{set: configure("Tap", opts, optName), look: look}
}

type tapStage[T any] struct {
	set  settings
	look func(ctx context.Context, b Batch[T]) error
}

func (s *tapStage[T]) Run(ctx context.Context, in <-chan Batch[T], out chan<- Batch[T]) error {
	return standalone(ctx, s, in, out)
}

func (s *tapStage[T]) attach(n *node, in *link[T], out *link[T]) {
	dress(n, "tap", s.set, out)
	n.work = func(t *task) error {
		at := t.place()
		for {
			b, ok, err := in.recv(t.ctx, n)
			if !ok || err != nil {
				return err
			}
			at.at(n, b.Seq, -1)
			if err := guard(func() error { return s.look(t.ctx, b) }); err != nil {
				return n.failed(int64(b.Seq), err)
			}
			at.rest()
			if err := out.send(t.ctx, n, b); err != nil {
				return err
			}
		}
	}
}
