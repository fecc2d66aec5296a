package stream

import (
	"context"
	"sync/atomic"
	"time"
)

// linkDepth is how many batches wait between two stages: one, so that a stage
// need not wait for the next to wake up before it works on.
const linkDepth = 1

// link is a typed edge of the graph. Its channel exists while the flow runs;
// between fused stages a link only counts.
type link[T any] struct {
	edge
	ch   chan Batch[T]
	size Size[T] // nil if unknown

	recount bool // bytes that were counted before do not hold here
}

// edge is the part of a link that does not depend on the type.
type edge struct {
	from, to  *node
	uses      int  // how many verbs read it: must be 1
	unordered bool // batches arrive in any order and carry no mark
	shared    bool // the slices of a batch belong to other branches too

	gone chan struct{} // closed when the reader has ended; made by open

	batches, items, rejects, bytes atomic.Int64 // what was sent
}

// tally is a number of batches and what they held.
type tally struct{ batches, items, rejects, bytes int64 }

// wire is a link of any type.
type wire interface {
	base() *edge
	open()
	close()
	sweep()
	take(ctx context.Context, n *node) (parcel, error)
	give(ctx context.Context, n *node, p parcel) error
	count(p parcel)
}

// parcel is a *Batch[T] of any T: the type is erased per batch, never per item.
type parcel interface {
	seq() uint64
	number(seq uint64)
}

func (b *Batch[T]) seq() uint64       { return b.Seq }
func (b *Batch[T]) number(seq uint64) { b.Seq = seq }

// newLink makes the link that leaves n.
func newLink[T any](n *node) *link[T] {
	l := &link[T]{}
	l.from = n
	n.out = append(n.out, l)
	return l
}

// use makes n the reader of the link.
func (l *link[T]) use(n *node) {
	l.uses++
	l.to = n
	n.in = append(n.in, l)
}

// inherit takes over how batches of the link before may be treated.
func (e *edge) inherit(before *edge) {
	e.unordered = e.unordered || before.unordered
	e.shared = before.shared
}

func (l *link[T]) base() *edge { return &l.edge }

func (l *link[T]) open() {
	l.ch = make(chan Batch[T], linkDepth)
	l.gone = make(chan struct{})
}

// readerGone reports whether the reader has ended.
func (e *edge) readerGone() bool {
	select {
	case <-e.gone:
		return true
	default:
		return false
	}
}

// close tells the reader that the stream is complete.
func (l *link[T]) close() { close(l.ch) }

// recv gives the next batch; ok is false when the stream is complete. The time
// that it waits counts for n.
func (l *link[T]) recv(ctx context.Context, n *node) (b Batch[T], ok bool, err error) {
	if ctx.Err() != nil {
		return b, false, context.Cause(ctx)
	}
	select {
	case b, ok = <-l.ch:
		return b, ok, nil
	default:
	}
	start := time.Now()
	select {
	case b, ok = <-l.ch:
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	since(&n.waitIn, start)
	return b, ok, err
}

// send hands a batch on and counts it. The time that it waits counts for n,
// unless that is nil.
func (l *link[T]) send(ctx context.Context, n *node, b Batch[T]) error {
	if l.unordered {
		b.Mark = nil
	}
	held := l.weigh(&b)
	select {
	case l.ch <- b:
		l.add(held)
		return nil
	default:
	}
	start := time.Now()
	if n != nil {
		defer since(&n.waitOut, start)
	}
	select {
	case l.ch <- b:
		l.add(held)
		return nil
	case <-l.gone:
		return errGone
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// take and give are recv and send for code that does not know the type. take
// gives nil when the stream is complete.
func (l *link[T]) take(ctx context.Context, n *node) (parcel, error) {
	b, ok, err := l.recv(ctx, n)
	if !ok || err != nil {
		return nil, err
	}
	return &b, nil
}

func (l *link[T]) give(ctx context.Context, n *node, p parcel) error {
	return l.send(ctx, n, *p.(*Batch[T]))
}

// count counts a batch that passes between two fused stages.
func (l *link[T]) count(p parcel) { l.add(l.weigh(p.(*Batch[T]))) }

// weigh gives the tally of a batch. Bytes are summed only where that was not
// done before: to go through all items at each hand-over would cost more than
// the hand-over.
func (l *link[T]) weigh(b *Batch[T]) tally {
	if l.size != nil && (b.Bytes == 0 || l.recount) {
		b.Bytes = 0
		for i := range b.Items {
			b.Bytes += int64(l.size(&b.Items[i]))
		}
	}
	return tally{1, int64(len(b.Items)), int64(len(b.Rejects)), b.Bytes}
}

func (e *edge) add(t tally) {
	e.batches.Add(t.batches)
	e.items.Add(t.items)
	e.rejects.Add(t.rejects)
	e.bytes.Add(t.bytes)
}

// sent is what was sent so far.
func (e *edge) sent() tally {
	return tally{e.batches.Load(), e.items.Load(), e.rejects.Load(), e.bytes.Load()}
}

// sweep counts as dropped what a reader that has ended left in the link.
func (l *link[T]) sweep() {
	for {
		select {
		case b, ok := <-l.ch:
			if !ok {
				return
			}
			l.to.dropped.Add(int64(len(b.Items) + len(b.Rejects)))
		default:
			return
		}
	}
}

// since adds the time since start to sum.
func since(sum *atomic.Int64, start time.Time) { sum.Add(int64(time.Since(start))) }
