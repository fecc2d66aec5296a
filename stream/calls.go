package stream

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rollmill/rollmill/stream/internal/order"
)

// each is an Each that runs. The goroutine of the task takes batches and hands
// their items to workers, which it starts as they are needed; the worker that
// finishes the last item of a batch lets the batch out.
type each[In, Out any] struct {
	*eachStage[In, Out]
	node *node
	task *task
	in   *link[In]
	out  *link[Out]

	calls    chan call[In, Out]
	workers  int                // that were started
	overtime *overtime[In, Out] // makes the calls that may be given up; nil: there are none

	window *order.Window // of ordered batches
	line   order.Sequencer[Batch[Out]]
	turn   order.Turn // of unordered batches
	next   uint64     // number of the next batch to leave; of the holder of turn
}

// bundle is a batch whose items are being worked on.
type bundle[In, Out any] struct {
	batch   Batch[In]
	results []Out
	open    atomic.Int64 // items that are not finished

	mu struct {
		sync.Mutex
		refused map[int]Reject // by item
	}
}

// call is one item to work on.
type call[In, Out any] struct {
	of     *bundle[In, Out]
	item   int
	number uint64 // of the item in the stream
}

// dispatch takes batches and hands out their items.
func (e *each[In, Out]) dispatch() error {
	ctx := e.task.ctx
	var number uint64
	for {
		b, ok, err := e.in.recv(ctx, e.node)
		if !ok || err != nil {
			return err
		}
		if !e.set.unordered {
			if err := e.window.Take(ctx, len(b.Items)); err != nil {
				return err
			}
		}
		of := &bundle[In, Out]{batch: b, results: make([]Out, len(b.Items))}
		of.open.Store(int64(len(b.Items)))
		if len(b.Items) == 0 {
			if err := e.let(of); err != nil {
				return err
			}
		}
		for item := range of.results {
			if err := e.hand(call[In, Out]{of, item, number}); err != nil {
				return err
			}
			number++
		}
	}
}

// hand gives a call to a worker as soon as the window allows and one is free.
func (e *each[In, Out]) hand(c call[In, Out]) error {
	ctx := e.task.ctx
	if !e.set.unordered {
		if err := e.window.Begin(ctx, c.number); err != nil {
			return err
		}
	}
	select {
	case e.calls <- c:
		return nil
	default:
	}
	if e.workers < e.set.inFlight {
		e.workers++
		e.task.spawn(e.serve)
	}
	select {
	case e.calls <- c:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// serve is one worker.
func (e *each[In, Out]) serve() error {
	at := e.task.place()
	for c := range e.calls {
		if e.task.ctx.Err() != nil {
			return nil
		}
		if err := e.do(at, c); err != nil {
			return err
		}
		if c.of.open.Add(-1) == 0 {
			if err := e.let(c.of); err != nil {
				return err
			}
		}
	}
	return nil
}

// do makes one call.
func (e *each[In, Out]) do(at *place, c call[In, Out]) (err error) {
	items, seq := c.of.batch.Items, c.of.batch.Seq
	at.atItem(e.node, seq, c.item, posOf(&items[c.item]))
	start := time.Now()
	defer func() {
		since(&e.node.busy, start)
		at.rest()
		if err != nil {
			err = e.node.failed(int64(seq), err)
		}
	}()
	defer catch(items, &c.item, &err)
	result, err := e.perform(items[c.item])
	if err != nil {
		r, ok := rejection(e.node, &items[c.item], err)
		if !ok {
			return failedAt(items, c.item, err)
		}
		c.of.refuse(c.item, r)
	} else {
		c.of.results[c.item] = result
	}
	if !e.set.unordered {
		e.window.Finish(c.number)
	}
	return nil
}

// perform makes a call, on this goroutine unless it may be given up.
func (e *each[In, Out]) perform(item In) (Out, error) {
	if e.overtime != nil {
		return e.overtime.call(item)
	}
	return e.fn(e.task.ctx, item)
}

// let lets a finished batch out: in its turn, or as it comes.
func (e *each[In, Out]) let(of *bundle[In, Out]) error {
	ctx, b := e.task.ctx, of.close()
	if e.set.unordered {
		if err := e.turn.Take(ctx); err != nil {
			return err
		}
		defer e.turn.Leave()
		b.Seq = e.next
		e.next++
		return e.out.send(ctx, e.node, b)
	}
	return e.line.Put(b.Seq, b, func(b Batch[Out]) error {
		err := e.out.send(ctx, e.node, b)
		e.window.Leave()
		return err
	})
}

// refuse notes that an item became a reject.
func (b *bundle[In, Out]) refuse(item int, r Reject) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.mu.refused == nil {
		b.mu.refused = map[int]Reject{}
	}
	b.mu.refused[item] = r
}

// close gives the batch of the results. All items are finished.
func (b *bundle[In, Out]) close() Batch[Out] {
	out := Carry(b.batch, b.results)
	if len(b.mu.refused) == 0 {
		return out
	}
	out.Items, out.Bytes = b.results[:0], 0
	for item, result := range b.results {
		if r, ok := b.mu.refused[item]; ok {
			out.Rejects = append(out.Rejects, r)
		} else {
			out.Items = append(out.Items, result)
		}
	}
	clear(b.results[len(out.Items):])
	return out
}
