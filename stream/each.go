package stream

import (
	"context"

	"github.com/rollmill/rollmill/stream/internal/order"
)

// Each works on single items, many at a time, for calls that wait: a model, a
// tool, a sandbox. It keeps [InFlight] calls of fn running, and no more ever.
// fn may refuse an item with a [RejectError]; another error stops the flow and
// names the item.
//
// Batches leave in order, each when all its items are finished. Calls run
// ahead of the oldest unfinished one by less than [Window] items, 16 times
// InFlight by default; then Each stops taking items until that one is done.
// With [Unordered] a batch leaves as soon as it is finished, and there is no
// window: at most InFlight+1 batches are held. A call costs about a
// microsecond besides fn. With [GiveUp] a call may take so long and no longer.
// Each takes [Name], [SizeOf] and these four.
func Each[In, Out any](fn func(ctx context.Context, item In) (Out, error), opts ...Option) Stage[In, Out] {
	mustNot(fn == nil, "Each of a nil function")
	set := configure("Each", opts, optName, optSize, optInFlight, optWindow, optUnordered, optGiveUp)
	if set.inFlight == 0 {
		set.inFlight = DefaultInFlight
	}
	if set.window == 0 {
		set.window = 16 * set.inFlight
	}
	return &eachStage[In, Out]{set: set, fn: fn, giveUp: giveUpFor[In, Out](set)}
}

type eachStage[In, Out any] struct {
	set    settings
	fn     func(ctx context.Context, item In) (Out, error)
	giveUp *giveUp[In, Out] // nil: calls take as long as they take
}

func (s *eachStage[In, Out]) Run(ctx context.Context, in <-chan Batch[In], out chan<- Batch[Out]) error {
	return standalone(ctx, s, in, out)
}

func (s *eachStage[In, Out]) attach(n *node, in *link[In], out *link[Out]) {
	dress(n, "each", s.set, out)
	out.shared = false
	n.timed, n.workers = true, s.set.inFlight
	n.work = func(t *task) error {
		e := &each[In, Out]{
			eachStage: s, node: n, task: t, in: in, out: out,
			calls:  make(chan call[In, Out]),
			window: order.NewWindow(s.set.window),
			turn:   order.NewTurn(),
		}
		if s.giveUp != nil {
			e.overtime = &overtime[In, Out]{s.giveUp, s.fn, t, n, make(chan struct{}, s.set.inFlight)}
			t.settle = e.overtime.settle
		}
		defer close(e.calls)
		return e.dispatch()
	}
}
