package stream

import (
	"context"
	"iter"
	"sync"
	"time"
)

// Chan runs a flow and gives its batches on a channel, which is closed when no
// more will come, be it that the stream is complete or that the flow failed.
// The function tells which: call it when the channel is closed, or earlier to
// stop the flow, in each case before forgetting the channel. It waits for the
// goroutines of the flow and returns its error; a flow that it stopped has none.
func Chan[T any](ctx context.Context, flow Flow[T]) (<-chan Batch[T], func() error) {
	out := make(chan Batch[T])
	end := feed("Chan", flow, out)
	forward := end.node.work
	end.node.work = func(t *task) error {
		defer close(out)
		return forward(t)
	}
	r, err := Start(ctx, end)
	if err != nil {
		close(out)
		return out, func() error { return err }
	}
	return out, sync.OnceValue(func() error {
		r.quit(end.node.task)
		_, err := r.Wait()
		return err
	})
}

// All runs a flow and ranges over its items. A reject comes as a [RejectError]
// after the items of its batch, and the loop may go on; any other error is the
// flow's and the last that is yielded. Leaving the loop stops the flow; its
// goroutines have ended when the loop has.
//
//	for row, err := range flow.All(ctx) {
//		if err != nil {
//			return err
//		}
//		use(row)
//	}
func (f Flow[T]) All(ctx context.Context) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		batches, end := Chan(ctx, f)
		defer func() { _ = end() }() // a loop that was left wants no error
		for b := range batches {
			for _, item := range b.Items {
				if !yield(item, nil) {
					return
				}
			}
			for _, r := range b.Rejects {
				if !yield(none, &RejectError{r}) {
					return
				}
			}
		}
		if err := end(); err != nil {
			yield(none, err)
		}
	}
}

// Collect runs a flow and gives all its items and rejects, those that came
// before an error too. It is for tests and small flows: all stays in memory.
func Collect[T any](ctx context.Context, flow Flow[T]) ([]T, []Reject, error) {
	var items []T
	var rejects []Reject
	batches, end := Chan(ctx, flow)
	for b := range batches {
		items = append(items, b.Items...)
		rejects = append(rejects, b.Rejects...)
	}
	return items, rejects, end()
}

// feed ends a flow at a channel.
func feed[T any](verb string, flow Flow[T], out chan<- Batch[T]) End {
	in := flow.in(verb)
	n := newNode("out", nil)
	in.use(n)
	n.work = func(t *task) error {
		for {
			b, ok, err := in.recv(t.ctx, n)
			if !ok || err != nil {
				return err
			}
			start := time.Now()
			select {
			case out <- b:
				since(&n.waitOut, start)
			case <-t.ctx.Done():
				return context.Cause(t.ctx)
			}
		}
	}
	return End{n}
}
