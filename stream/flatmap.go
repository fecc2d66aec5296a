package stream

import "context"

// FlatMap makes any number of items of one: fn calls emit for each. It may
// refuse the item with a [RejectError], if it has emitted nothing; another
// error stops the flow and names the item. The batch keeps its number and may
// grow; [Rebatch] cuts it again. FlatMap fuses as [Map] does; it takes [Name],
// [SizeOf] and [Unordered].
func FlatMap[In, Out any](workers int, fn func(ctx context.Context, item In, emit func(Out)) error, opts ...Option) Stage[In, Out] {
	mustNot(fn == nil, "FlatMap of a nil function")
	s := newStepStage[In, Out]("FlatMap", "flatmap", workers, configure("FlatMap", opts, optName, optSize, optUnordered))
	s.apply = func(ctx context.Context, n *node, b *Batch[In], _ bool) (out Batch[Out], err error) {
		var item int
		defer catch(b.Items, &item, &err)
		results := make([]Out, 0, len(b.Items))
		emit := func(result Out) { results = append(results, result) }
		before := len(b.Rejects)
		for ; item < len(b.Items); item++ {
			if ctx.Err() != nil {
				return out, context.Cause(ctx)
			}
			err := fn(ctx, b.Items[item], emit)
			if err == nil {
				continue
			}
			r, ok := rejection(n, &b.Items[item], err)
			if !ok {
				return out, failedAt(b.Items, item, err)
			}
			b.Rejects = append(b.Rejects, r)
		}
		n.made.Add(int64(len(results) + len(b.Rejects) - before - len(b.Items)))
		b.Bytes = 0 // to be counted again
		return Carry(*b, results), nil
	}
	return s
}
