package stream

import "slices"

// Tee gives n flows with the items of one, n >= 1. A batch goes to each branch
// in turn, so the slowest sets the pace; a branch whose reader has ended is
// left out.
//
// The branches share the items read-only: Map, MapItems and Filter work on a
// copy of the slice, but what an item points to, such as a slice in it, is
// still shared and must not be written to; hand-written stages and sinks must
// not write to Items either. All branches must be ended, in one run.
func Tee[T any](flow Flow[T], n int) []Flow[T] {
	mustAtLeastOne("Tee", n)
	in := flow.in("Tee")
	node := newNode("tee", nil)
	in.use(node)
	links, flows := make([]*link[T], n), make([]Flow[T], n)
	for i := range links {
		links[i] = newLink[T](node)
		links[i].unordered, links[i].shared, links[i].size = in.unordered, true, in.size
		flows[i] = Flow[T]{links[i]}
	}
	node.work = func(t *task) error {
		for {
			b, ok, err := in.recv(t.ctx, node)
			if !ok || err != nil {
				return err
			}
			total := int64(len(b.Items) + len(b.Rejects))
			node.made.Add(total * int64(n-1))
			for _, l := range links {
				err := errGone
				if !l.readerGone() {
					err = l.send(t.ctx, node, b.clipped())
				}
				switch {
				case err == errGone:
					node.dropped.Add(total)
				case err != nil:
					return err
				}
			}
		}
	}
	return flows
}

// clipped is the batch with slices that an append copies.
func (b Batch[T]) clipped() Batch[T] {
	b.Items, b.Rejects, b.Mark = slices.Clip(b.Items), slices.Clip(b.Rejects), slices.Clip(b.Mark)
	return b
}
