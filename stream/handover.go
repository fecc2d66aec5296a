package stream

import (
	"context"
	"iter"
	"time"
)

// taskKey finds the task in the context that a stage gets.
type taskKey struct{}

// Receive ranges over the batches of a channel as a [Stage] or [Sink] should:
// it ends when the stream is complete, and yields one error, last, when ctx is
// done before that. The time that it waits and the batch that it gave show in
// [Stats] and in errors.
//
//	for b, err := range stream.Receive(ctx, in) {
//		if err != nil {
//			return err
//		}
//		// b is yours now
//	}
//	return commit()
func Receive[T any](ctx context.Context, in <-chan Batch[T]) iter.Seq2[Batch[T], error] {
	return func(yield func(Batch[T], error) bool) {
		t, _ := ctx.Value(taskKey{}).(*task)
		for {
			if ctx.Err() != nil {
				yield(Batch[T]{}, context.Cause(ctx))
				return
			}
			start := time.Now()
			select {
			case b, ok := <-in:
				t.received(b.Seq, ok, start)
				if !ok || !yield(b, nil) {
					return
				}
			case <-ctx.Done():
				yield(Batch[T]{}, context.Cause(ctx))
				return
			}
		}
	}
}

// Send hands a batch on as a [Source] or [Stage] should: it waits until the
// reader takes it, or until ctx is done, whose cause it then returns. The
// batch belongs to the reader from then on. The time that it waits shows in
// [Stats].
func Send[T any](ctx context.Context, out chan<- Batch[T], b Batch[T]) error {
	t, _ := ctx.Value(taskKey{}).(*task)
	start := time.Now()
	select {
	case out <- b:
		t.sent(start)
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Carry gives a batch with other items that keeps its number, rejects and
// mark, and its bytes if the type and the number of items are the same.
func Carry[In, Out any](b Batch[In], items []Out) Batch[Out] {
	out := Batch[Out]{Seq: b.Seq, Items: items, Rejects: b.Rejects, Mark: b.Mark}
	if _, same := any(b.Items).([]Out); same && len(items) == len(b.Items) {
		out.Bytes = b.Bytes
	}
	return out
}

// received notes that a hand-written stage waited since start, and now works on
// batch seq if there was one.
func (t *task) received(seq uint64, ok bool, start time.Time) {
	if t == nil || t.hand == nil {
		return
	}
	since(&t.nodes[0].waitIn, start)
	if ok {
		t.hand.at(t.nodes[0], seq, -1)
	}
}

// sent notes that a hand-written stage waited since start to send.
func (t *task) sent(start time.Time) {
	if t != nil && t.hand != nil {
		since(&t.nodes[0].waitOut, start)
	}
}

// pump runs hand-written code that sends to a channel, and numbers, counts and
// hands on what it sends.
func pump[T any](t *task, out *link[T], run func(ctx context.Context, raw chan<- Batch[T]) error) error {
	raw, done := make(chan Batch[T]), make(chan struct{})
	t.spawn(func() error {
		defer close(done)
		return run(t.ctx, raw)
	})
	for seq := uint64(0); ; seq++ {
		select {
		case b := <-raw:
			b.Seq = seq
			if err := out.send(t.ctx, nil, b); err != nil {
				return err
			}
		case <-done:
			return nil
		}
	}
}
