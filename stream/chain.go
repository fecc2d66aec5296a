package stream

import (
	"context"
	"time"

	"github.com/rollmill/rollmill/stream/internal/order"
)

// chain is a run of steps that work as one stage: a worker takes a batch,
// applies all steps to it and lets it out in its turn. So a batch changes
// hands once, whatever the number of steps.
//
// A worker whose batch is ready before its turn leaves it with the sequencer
// and goes on; whoever brings the next in turn lets out all that were waiting.
// room bounds the batches that are held: a worker gets one place before it
// takes a batch, so the oldest batch always has one and there is no deadlock.
type chain struct {
	nodes     []*node
	workers   int
	unordered bool

	room chan struct{}
	line order.Sequencer[parcel]
	turn order.Turn // of unordered workers
	next uint64     // number of the next batch to leave; of the holder of turn
}

// fuse makes the tasks of a graph: each node by itself, but neighbours that
// are steps, with numbers of workers that agree, as one chain.
func fuse(nodes []*node) []*task {
	var tasks []*task
	chains := map[*node]*chain{} // by the last node
	for _, n := range nodes {
		if n.step == nil {
			tasks = append(tasks, &task{nodes: []*node{n}, in: n.in, out: n.out, work: n.work})
			continue
		}
		before := n.in[0].base().from
		c := chains[before]
		if c == nil || !c.add(n) {
			c = &chain{}
			c.add(n)
			tasks = append(tasks, &task{in: n.in, chain: c})
		}
		delete(chains, before)
		chains[n] = c
	}
	for _, t := range tasks {
		if c := t.chain; c != nil {
			c.workers = max(1, c.workers)
			for _, n := range c.nodes {
				n.workers, n.timed = c.workers, true
			}
			t.nodes, t.out, t.work = c.nodes, c.last().out, c.work
		}
	}
	return tasks
}

// add makes n the last step of the chain if the numbers of workers agree.
func (c *chain) add(n *node) bool {
	if c.workers != 0 && n.step.workers != 0 && c.workers != n.step.workers {
		return false
	}
	c.workers = max(c.workers, n.step.workers)
	c.unordered = c.unordered || n.step.unordered
	c.nodes = append(c.nodes, n)
	return true
}

func (c *chain) last() *node { return c.nodes[len(c.nodes)-1] }

// work runs the chain on the goroutine of its task and on one more for each
// further worker.
func (c *chain) work(t *task) error {
	c.room = make(chan struct{}, 2*c.workers)
	c.turn = order.NewTurn()
	for range c.workers - 1 {
		t.spawn(func() error { return c.serve(t) })
	}
	return c.serve(t)
}

// serve is one worker.
func (c *chain) serve(t *task) error {
	at := t.place()
	first, last := c.nodes[0], c.last()
	for {
		if err := c.reserve(t.ctx, last); err != nil {
			return err
		}
		p, err := t.in[0].take(t.ctx, first)
		if p == nil || err != nil {
			return err
		}
		if p, err = c.apply(t.ctx, at, p); err != nil {
			return err
		}
		if err := c.let(t, last, p); err != nil {
			return err
		}
	}
}

// apply sends a batch through all steps.
func (c *chain) apply(ctx context.Context, at *place, p parcel) (parcel, error) {
	defer at.rest()
	seq := p.seq()
	start := time.Now()
	for i, n := range c.nodes {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		at.at(n, seq, -1)
		n.profile()
		var err error
		if p, err = n.step.apply(ctx, p); err != nil {
			return nil, n.failed(int64(seq), err)
		}
		if i < len(c.nodes)-1 {
			n.out[0].count(p)
		}
		end := time.Now()
		n.busy.Add(int64(end.Sub(start)))
		start = end
	}
	return p, nil
}

// reserve gets a place for one more batch.
func (c *chain) reserve(ctx context.Context, n *node) error {
	if c.workers == 1 || c.unordered {
		return nil
	}
	select {
	case c.room <- struct{}{}:
		return nil
	default:
	}
	start := time.Now()
	defer since(&n.waitOut, start)
	select {
	case c.room <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// let lets a batch out: in its turn, or as it comes.
func (c *chain) let(t *task, n *node, p parcel) error {
	out := t.out[0]
	switch {
	case c.workers == 1:
		return out.give(t.ctx, n, p)
	case c.unordered:
		if err := c.turn.Take(t.ctx); err != nil {
			return err
		}
		defer c.turn.Leave()
		p.number(c.next)
		c.next++
		return out.give(t.ctx, n, p)
	}
	return c.line.Put(p.seq(), p, func(p parcel) error {
		err := out.give(t.ctx, n, p)
		<-c.room
		return err
	})
}
