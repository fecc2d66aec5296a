package stream

import "context"

// Rebatch cuts the stream anew into batches of n items, n >= 1; with [Bytes]
// also before a batch would pass that many bytes. The last one may be smaller,
// and a batch with n rejects leaves however few items it has. Seq is numbered
// anew.
//
// Rejects leave in order, not after the items that came with them. The mark of
// a batch is that of the last batch that has left completely: everything up to
// it has left, and the items of one batch more may have. Rebatch takes [Name]
// and [Bytes].
func Rebatch[T any](n int, opts ...Option) Stage[T, T] {
	mustAtLeastOne("Rebatch", n)
	set := configure("Rebatch", opts, optName, optBytes)
	set.items = n
	return &rebatchStage[T]{set}
}

type rebatchStage[T any] struct{ set settings }

func (s *rebatchStage[T]) Run(ctx context.Context, in <-chan Batch[T], out chan<- Batch[T]) error {
	return standalone(ctx, s, in, out)
}

func (s *rebatchStage[T]) attach(n *node, in *link[T], out *link[T]) {
	dress(n, "rebatch", s.set, out)
	if s.set.bytes > 0 && in.size == nil {
		n.err = ErrNoSize
	}
	n.work = func(t *task) error {
		c := newCutter(s.set, in.size, func(b Batch[T]) error { return out.send(t.ctx, n, b) })
		for {
			b, ok, err := in.recv(t.ctx, n)
			if err != nil {
				return err
			}
			if !ok {
				return c.flush()
			}
			if err := c.add(b); err != nil {
				return err
			}
		}
	}
}
