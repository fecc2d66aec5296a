package stream

import (
	"context"
	"errors"
)

// step is how a stage takes part in a chain: it works on one batch and gives
// one back with the same number. Several goroutines may call it at once, each
// with a batch of its own, unless workers is 1.
type step struct {
	workers   int // 0 if any number will do
	unordered bool
	apply     func(ctx context.Context, p parcel) (parcel, error)
}

// stepStage is a stage that is a step: Map, MapItems, FlatMap, Filter.
type stepStage[In, Out any] struct {
	verb string
	set  settings
	// apply owns b; if it is shared, other branches read its items.
	apply func(ctx context.Context, n *node, b *Batch[In], shared bool) (Batch[Out], error)
}

func newStepStage[In, Out any](call, verb string, workers int, set settings) *stepStage[In, Out] {
	mustAtLeastOne(call, workers)
	set.workers = workers
	return &stepStage[In, Out]{verb: verb, set: set}
}

func (s *stepStage[In, Out]) Run(ctx context.Context, in <-chan Batch[In], out chan<- Batch[Out]) error {
	return standalone(ctx, s, in, out)
}

func (s *stepStage[In, Out]) attach(n *node, in *link[In], out *link[Out]) {
	dress(n, s.verb, s.set, out)
	out.shared = false
	n.step = &step{workers: s.set.workers, unordered: s.set.unordered, apply: func(ctx context.Context, p parcel) (parcel, error) {
		b := p.(*Batch[In])
		seq, mark, items, bytes := b.Seq, b.Mark, len(b.Items), b.Bytes
		result, err := s.apply(ctx, n, b, in.shared)
		if err != nil {
			return nil, err
		}
		result.Seq, result.Mark = seq, mark
		if result.Bytes == bytes && len(result.Items) != items {
			result.Bytes = 0 // to be counted again
		}
		return &result, nil
	}}
}

// dress gives the node and the link behind it what the settings of a
// ready-made stage say.
func dress[Out any](n *node, verb string, set settings, out *link[Out]) {
	if n.name == "" {
		n.name = verb
		if set.name != "" {
			n.name = set.name
		}
	}
	if set.size != nil {
		out.size, out.recount = sizeFor[Out](set), true
	}
	out.unordered = out.unordered || set.unordered
}

// rejection is the reject that err holds, if it holds one. What it leaves out
// about place, stage and text is filled in.
func rejection[T any](n *node, item *T, err error) (Reject, bool) {
	var refusal *RejectError
	if !errors.As(err, &refusal) {
		return Reject{}, false
	}
	r := refusal.Reject
	if r.Stage == "" {
		r.Stage = n.name
	}
	if r.Pos == (Pos{}) {
		r.Pos = posOf(item)
	}
	if src, ok := any(item).(Sourced); ok && r.Raw == nil {
		r.Raw = []byte(src.Source())
	}
	return r, true
}
