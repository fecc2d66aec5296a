package stream

import (
	"context"
	"slices"
)

// Map works on whole batches, several at a time, for work that keeps a core
// busy. fn owns the batch that it gets and gives back one with its result: the
// same batch after changing Items in place, or another made by [Carry]. It may
// add to Rejects. Number and mark are kept whatever fn does with them.
//
// fn is called by that many workers at once; with 1 it is called by one
// goroutine in the order of the stream, and may keep state. An error stops the
// flow; a [StageError] with Item and Err names the item.
//
// Adjacent Maps, Filters and FlatMaps fuse into one stage if their numbers of
// workers agree: a worker then sends its batch through all of them, and the
// batch changes hands once. Map takes [Name], [SizeOf] and [Unordered].
func Map[In, Out any](workers int, fn func(ctx context.Context, b Batch[In]) (Batch[Out], error), opts ...Option) Stage[In, Out] {
	mustNot(fn == nil, "Map of a nil function")
	s := newStepStage[In, Out]("Map", "map", workers, configure("Map", opts, optName, optSize, optUnordered))
	s.apply = func(ctx context.Context, n *node, b *Batch[In], shared bool) (out Batch[Out], err error) {
		item := -1
		defer catch(b.Items, &item, &err)
		if shared {
			b.Items = slices.Clone(b.Items)
		}
		items, rejects := len(b.Items), len(b.Rejects)
		out, err = fn(ctx, *b)
		if at, ok := err.(*StageError); ok && at.Stage == "" {
			return out, failedAt(b.Items, at.Item, at.Err)
		}
		if err != nil {
			return out, err
		}
		if len(out.Rejects) < rejects {
			return out, ErrLostRejects
		}
		switch more := len(out.Items) + len(out.Rejects) - items - rejects; {
		case more > 0:
			n.made.Add(int64(more))
		case more < 0:
			n.dropped.Add(int64(-more))
		}
		return out, nil
	}
	return s
}

// MapItems is [Map] for a function of one item. fn may refuse an item with a
// [RejectError]; another error stops the flow and names the item. Where the
// type stays the same the results take the place of the items.
func MapItems[In, Out any](workers int, fn func(ctx context.Context, item In) (Out, error), opts ...Option) Stage[In, Out] {
	mustNot(fn == nil, "MapItems of a nil function")
	s := newStepStage[In, Out]("MapItems", "map", workers, configure("MapItems", opts, optName, optSize, optUnordered))
	s.apply = func(ctx context.Context, n *node, b *Batch[In], shared bool) (out Batch[Out], err error) {
		var item int
		defer catch(b.Items, &item, &err)
		results, same := any(b.Items).([]Out)
		if same && !shared {
			results = results[:0]
		} else {
			results = make([]Out, 0, len(b.Items))
		}
		for ; item < len(b.Items); item++ {
			if ctx.Err() != nil {
				return out, context.Cause(ctx)
			}
			result, err := fn(ctx, b.Items[item])
			if err == nil {
				results = append(results, result)
			} else if r, ok := rejection(n, &b.Items[item], err); ok {
				b.Rejects = append(b.Rejects, r)
			} else {
				return out, failedAt(b.Items, item, err)
			}
		}
		if same && !shared {
			clear(b.Items[len(results):])
		}
		return Carry(*b, results), nil
	}
	return s
}
