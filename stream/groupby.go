package stream

import "context"

// Group is a run of consecutive items with one key.
type Group[K comparable, T any] struct {
	Key   K
	Items []T // at least one
}

// GroupBy joins consecutive items of one key, across batches, into groups. An
// open group stays in memory until the key changes; sort or shard by the key
// first where that matters.
//
// A batch holds the groups that ended in it, and its rejects; after the last
// one there may be one more. The mark of a batch lies before the first item of
// the group that is still open: everything up to it has left, and later groups
// may have. GroupBy takes [Name] and [SizeOf].
func GroupBy[K comparable, T any](key func(item *T) K, opts ...Option) Stage[T, Group[K, T]] {
	mustNot(key == nil, "GroupBy of a nil function")
	return &groupStage[K, T]{set: configure("GroupBy", opts, optName, optSize), key: key}
}

type groupStage[K comparable, T any] struct {
	set settings
	key func(item *T) K
}

func (s *groupStage[K, T]) Run(ctx context.Context, in <-chan Batch[T], out chan<- Batch[Group[K, T]]) error {
	return standalone(ctx, s, in, out)
}

func (s *groupStage[K, T]) attach(n *node, in *link[T], out *link[Group[K, T]]) {
	dress(n, "groupby", s.set, out)
	out.shared = false
	n.work = func(t *task) error {
		g := grouper[K, T]{key: s.key}
		for seq := uint64(0); ; seq++ {
			b, ok, err := in.recv(t.ctx, n)
			if err != nil {
				return err
			}
			var groups []Group[K, T]
			if ok {
				if groups, err = g.add(b); err != nil {
					return n.failed(int64(b.Seq), err)
				}
			} else if groups = g.end(); groups == nil {
				return nil
			}
			for _, group := range groups {
				n.made.Add(int64(1 - len(group.Items)))
			}
			err = out.send(t.ctx, n, Batch[Group[K, T]]{Seq: seq, Items: groups, Rejects: b.Rejects, Mark: g.mark()})
			if !ok || err != nil {
				return err
			}
		}
	}
}

// grouper holds the open group.
type grouper[K comparable, T any] struct {
	key    func(item *T) K
	open   Group[K, T] // empty if there is none
	before Mark        // of the batch before the one in which it began
	last   Mark        // of the last batch
}

// add gives the groups that ended in a batch.
func (g *grouper[K, T]) add(b Batch[T]) (groups []Group[K, T], err error) {
	var item int
	defer catch(b.Items, &item, &err)
	for ; item < len(b.Items); item++ {
		key := g.key(&b.Items[item])
		if len(g.open.Items) > 0 && key != g.open.Key {
			groups = append(groups, g.open)
			g.open.Items = nil
		}
		if len(g.open.Items) == 0 {
			g.open.Key, g.before = key, g.last
		}
		g.open.Items = append(g.open.Items, b.Items[item])
	}
	g.last = b.Mark
	return groups, nil
}

// end gives the last group.
func (g *grouper[K, T]) end() []Group[K, T] {
	if len(g.open.Items) == 0 {
		return nil
	}
	last := g.open
	g.open.Items = nil
	return []Group[K, T]{last}
}

// mark is what has left when the groups that ended have.
func (g *grouper[K, T]) mark() Mark {
	if len(g.open.Items) > 0 {
		return g.before
	}
	return g.last
}
