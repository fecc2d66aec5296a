package stream

import (
	"cmp"
	"slices"

	"github.com/rollmill/rollmill/stream/internal/order"
)

// Merge concatenates flows: all of the first, then all of the second, and so
// on. Those that wait their turn have begun, and hold what fits before they
// are read. Seq is numbered anew; a mark has the entries of the flows that
// have ended and of the one being read. Two flows that number an input alike
// are an error, [ErrSameInput].
func Merge[T any](flows ...Flow[T]) Flow[T] {
	n, ins, out := join("Merge", "merge", flows)
	n.inOrder = true
	n.work = func(t *task) error {
		var seq uint64
		var before, mark Mark // of the flows that have ended; and with this one
		for _, in := range ins {
			before = mark
			for {
				b, ok, err := in.recv(t.ctx, n)
				if err != nil {
					return err
				}
				if !ok {
					break
				}
				if mark, err = before.with(b.Mark); err != nil {
					return n.failed(int64(b.Seq), err)
				}
				b.Seq, b.Mark = seq, mark
				seq++
				if err := out.send(t.ctx, n, b); err != nil {
					return err
				}
			}
		}
		return nil
	}
	return Flow[T]{out}
}

// MergeReady interleaves flows as their batches come. The result is unordered
// and carries no marks. Seq is numbered anew.
func MergeReady[T any](flows ...Flow[T]) Flow[T] {
	n, ins, out := join("MergeReady", "merge", flows)
	out.unordered = true
	n.work = func(t *task) error {
		turn, next := order.NewTurn(), uint64(0)
		for _, in := range ins {
			t.spawn(func() error {
				for {
					b, ok, err := in.recv(t.ctx, n)
					if !ok || err != nil {
						return err
					}
					if err := turn.Take(t.ctx); err != nil {
						return err
					}
					b.Seq = next
					next++
					err = out.send(t.ctx, n, b)
					turn.Leave()
					if err != nil {
						return err
					}
				}
			})
		}
		return nil
	}
	return Flow[T]{out}
}

// join makes a node that reads all flows.
func join[T any](verb, name string, flows []Flow[T]) (*node, []*link[T], *link[T]) {
	mustAtLeastOne(verb, len(flows))
	n := newNode(name, nil)
	out := newLink[T](n)
	ins := make([]*link[T], len(flows))
	for i, f := range flows {
		in := f.in(verb)
		in.use(n)
		ins[i] = in
		out.unordered = out.unordered || in.unordered
		out.shared = out.shared || in.shared
		if out.size == nil {
			out.size = in.size
		}
	}
	return n, ins, out
}

// with gives the entries of two marks, ordered by input.
func (m Mark) with(more Mark) (Mark, error) {
	if len(m) == 0 {
		return more, nil
	}
	all := slices.Concat(m, more)
	slices.SortStableFunc(all, func(a, b InputMark) int { return cmp.Compare(a.Input, b.Input) })
	for i := 1; i < len(all); i++ {
		if all[i-1].Input == all[i].Input {
			return nil, ErrSameInput
		}
	}
	return all, nil
}
