package stream

import "context"

// Filter keeps the items for which keep is true and counts the others as
// dropped. A batch travels on even when it has become empty. keep may be
// called by several goroutines at once unless [Workers] is 1. Filter fuses as
// [Map] does; it takes [Name], [Workers] and [Unordered].
func Filter[T any](keep func(item *T) bool, opts ...Option) Stage[T, T] {
	mustNot(keep == nil, "Filter of a nil function")
	s := &stepStage[T, T]{verb: "filter", set: configure("Filter", opts, optName, optWorkers, optUnordered)}
	s.apply = func(_ context.Context, n *node, b *Batch[T], shared bool) (out Batch[T], err error) {
		var item int
		defer catch(b.Items, &item, &err)
		kept := b.Items[:0]
		if shared {
			kept = make([]T, 0, len(b.Items))
		}
		for ; item < len(b.Items); item++ {
			if it := &b.Items[item]; keep(it) {
				kept = append(kept, *it)
			}
		}
		n.dropped.Add(int64(len(b.Items) - len(kept)))
		if !shared {
			clear(b.Items[len(kept):])
		}
		return Carry(*b, kept), nil
	}
	return s
}
