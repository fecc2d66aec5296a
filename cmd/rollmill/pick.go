package main

import (
	"context"

	"github.com/zeebo/xxh3"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

// pick lets a share of the tasks through, all rows of a task or none, and ends
// the flow behind so many rows. Which rows it lets through, and what it counts,
// does not depend on how the rows come in batches. It is the stage of one flow.
type pick struct {
	share float64 // of the tasks; 1 is all
	seed  uint64
	limit int64 // most rows; 0 is all

	seen, kept, left int64 // records, rows let through, rows left out by share
}

// active reports whether there is anything to pick.
func (p *pick) active() bool { return p.share < 1 || p.limit > 0 }

// fields are the fields of a row that it reads.
func (p *pick) fields() rollout.Fields {
	if p.share < 1 {
		return rollout.FieldTaskID | rollout.FieldPrompt
	}
	return 0
}

// Run picks from a flow.
func (p *pick) Run(ctx context.Context, in <-chan stream.Batch[rollout.Row], out chan<- stream.Batch[rollout.Row]) error {
	for b, err := range stream.Receive(ctx, in) {
		if err != nil {
			return err
		}
		p.batch(&b)
		if err := stream.Send(ctx, out, b); err != nil {
			return err
		}
		if p.full() {
			return nil
		}
	}
	return nil
}

func (p *pick) full() bool { return p.limit > 0 && p.kept == p.limit }

// batch leaves in b what is picked of it.
func (p *pick) batch(b *stream.Batch[rollout.Row]) {
	kept := b.Items[:0]
	for i := range b.Items {
		r := &b.Items[i]
		p.seen++
		if !p.sampled(r) {
			p.left++
			continue
		}
		p.kept++
		kept = append(kept, *r)
		if p.full() {
			b.Rejects = before(b.Rejects, r.Pos)
			break
		}
	}
	b.Items = kept
	p.seen += int64(len(b.Rejects))
}

// before returns the rejects that stand before a position.
func before(rejects []stream.Reject, end stream.Pos) []stream.Reject {
	for i := range rejects {
		if rejects[i].Pos.Compare(end) > 0 {
			return rejects[:i:i]
		}
	}
	return rejects
}

// sampled draws whether the task of a row is in the share. A row that tells no
// task is one of its own.
func (p *pick) sampled(r *rollout.Row) bool {
	if p.share >= 1 {
		return true
	}
	key := r.TaskKey()
	if key == "" {
		key = "\x00" + r.Pos.String()
	}
	return xxh3.HashStringSeed(key, p.seed) < uint64(p.share*(1<<64))
}

// pickedSource is a source of which a part is picked.
type pickedSource struct {
	from *source
	pick *pick
}

// Flow returns the rows that are picked.
func (p pickedSource) Flow() stream.Flow[rollout.Row] {
	return stream.Through(stream.From(p.from), p.pick, stream.Name("pick"))
}

// Run sends the rows to a channel. Flows use Flow.
func (p pickedSource) Run(ctx context.Context, out chan<- stream.Batch[rollout.Row]) error {
	return stream.Feed(ctx, p.Flow(), out)
}
