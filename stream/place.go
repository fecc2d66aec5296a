package stream

import "sync/atomic"

// place is where one goroutine stands, for those who find it stuck.
type place struct {
	node atomic.Pointer[node]
	seq  atomic.Int64 // batch, -1 if unknown
	item atomic.Int64 // item, -1 if it works on the whole batch
	pos  atomic.Pointer[Pos]
}

// rest is the place of a goroutine that waits for work.
func (p *place) rest() { p.node.Store(nil) }

// at is the place of a goroutine that works on a batch or an item of it.
func (p *place) at(n *node, seq uint64, item int) {
	p.seq.Store(int64(seq))
	p.item.Store(int64(item))
	p.pos.Store(nil)
	p.node.Store(n)
}

// atItem is at for one item, with its position if that is known.
func (p *place) atItem(n *node, seq uint64, item int, pos Pos) {
	p.at(n, seq, item)
	if pos != (Pos{}) {
		p.pos.Store(&pos)
	}
}

// place gives a new place to a goroutine of the task.
func (t *task) place() *place {
	p := &place{}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.mu.places = append(t.mu.places, p)
	return p
}

// left says what the task is still busy with.
func (t *task) left() []StuckCall {
	t.mu.Lock()
	defer t.mu.Unlock()
	var calls []StuckCall
	for _, p := range t.mu.places {
		n := p.node.Load()
		if n == nil {
			continue
		}
		c := StuckCall{Stage: n.name, Seq: p.seq.Load(), Item: int(p.item.Load())}
		if pos := p.pos.Load(); pos != nil {
			c.Pos = *pos
		}
		calls = append(calls, c)
	}
	if calls == nil {
		calls = []StuckCall{{Stage: t.nodes[0].name, Seq: -1, Item: -1}}
	}
	return calls
}
