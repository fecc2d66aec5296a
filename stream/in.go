package stream

import (
	"context"
	"iter"
	"slices"
	"time"
)

// FromSlice begins a flow with the items of a slice, which must not be changed
// until the flow has ended. Batches are cut by [Items] and [Bytes]; it takes
// [Name] and [SizeOf] too. The flow has no marks.
func FromSlice[T any](items []T, opts ...Option) Flow[T] {
	return fromSeq("FromSlice", "slice", slices.Values(items), opts)
}

// FromSeq begins a flow with the values of an iterator. Batches are cut by
// [Items] and [Bytes]; it takes [Name] and [SizeOf] too. The flow has no marks.
// The flow cannot be stopped while the iterator is at work on one value.
func FromSeq[T any](seq iter.Seq[T], opts ...Option) Flow[T] {
	mustNot(seq == nil, "FromSeq of a nil iterator")
	return fromSeq("FromSeq", "seq", seq, opts)
}

func fromSeq[T any](verb, name string, seq iter.Seq[T], opts []Option) Flow[T] {
	return fill(verb, name, opts, func(ctx context.Context, _ *node, c *cutter[T]) error {
		var item T // one for all, since it escapes
		for item = range seq {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if err := c.push(&item); err != nil {
				return err
			}
			if err := c.cutFull(); err != nil {
				return err
			}
		}
		return nil
	})
}

// FromChan begins a flow with what comes from a channel, until it is closed. A
// batch is sent when it is full by [Items] or [Bytes], and when nothing more
// has come yet. It takes [Name] and [SizeOf] too. The flow has no marks.
func FromChan[T any](ch <-chan T, opts ...Option) Flow[T] {
	mustNot(ch == nil, "FromChan of a nil channel")
	return fill("FromChan", "chan", opts, func(ctx context.Context, n *node, c *cutter[T]) error {
		var item T // one for all, since it escapes
		for {
			var ok bool
			var err error
			if item, ok, err = next(ctx, n, ch, c.flush); !ok || err != nil {
				return err
			}
			if err := c.push(&item); err != nil {
				return err
			}
			if err := c.cutFull(); err != nil {
				return err
			}
		}
	})
}

// next receives from ch; it calls idle before it waits.
func next[T any](ctx context.Context, n *node, ch <-chan T, idle func() error) (item T, ok bool, err error) {
	select {
	case item, ok = <-ch:
		return item, ok, nil
	default:
	}
	if err := idle(); err != nil {
		return item, false, err
	}
	defer since(&n.waitIn, time.Now())
	select {
	case item, ok = <-ch:
		return item, ok, nil
	case <-ctx.Done():
		return item, false, context.Cause(ctx)
	}
}

// FromBatches begins a flow with the batches of a channel, until it is closed;
// they belong to the flow from then on. Seq is numbered anew, rejects and
// marks are kept. It takes [Name] and [SizeOf].
func FromBatches[T any](ch <-chan Batch[T], opts ...Option) Flow[T] {
	mustNot(ch == nil, "FromBatches of a nil channel")
	return From(SourceFunc[T](func(ctx context.Context, out chan<- Batch[T]) error {
		for b, err := range Receive(ctx, ch) {
			if err != nil {
				return err
			}
			if err := Send(ctx, out, b); err != nil {
				return err
			}
		}
		return nil
	}), append([]Option{Name("batches")}, opts...)...)
}

// fill makes a source of single items: work pushes them to the cutter.
func fill[T any](verb, name string, opts []Option, work func(context.Context, *node, *cutter[T]) error) Flow[T] {
	set := configure(verb, append([]Option{Name(name), Items(DefaultItems)}, opts...), optName, optSize, optItems, optBytes)
	n := newNode(set.name, nil)
	out := newLink[T](n)
	out.size = sizeFor[T](set)
	switch {
	case set.bytes > 0 && out.size == nil:
		n.err = ErrNoSize
	case set.bytes == 0:
		set.bytes = DefaultBytes
	}
	n.work = func(t *task) error {
		c := newCutter(set, out.size, func(b Batch[T]) error { return out.send(t.ctx, n, b) })
		if err := work(t.ctx, n, c); err != nil {
			return err
		}
		return c.flush()
	}
	return Flow[T]{out}
}
