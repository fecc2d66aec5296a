package decontaminate

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

// GateName is the gate that flagged rows end at.
const GateName = "decontaminate"

// Stage checks the rows of a flow with so many workers, at least 1. A row that is
// flagged ends at the gate [GateName], unless it ended at one before, with one
// finding a rule, and travels on. What was found is counted into tally, where
// there is one; it is whole when the flow has ended.
func Stage(x *Index, o Options, workers int, tally *Tally) stream.Stage[rollout.Row, rollout.Row] {
	return StageEach(x, o, workers, func(uint64) *Tally { return tally })
}

// StageEach is [Stage] that counts what was found in a batch into the tally that
// pick gives for its number, [stream.Batch.Seq], before the batch leaves. pick is
// called by several goroutines; nil counts nothing.
func StageEach(x *Index, o Options, workers int, pick func(seq uint64) *Tally) stream.Stage[rollout.Row, rollout.Row] {
	if workers < 1 {
		panic("decontaminate: Stage wants at least 1 worker")
	}
	o = o.settle()
	checkers := sync.Pool{New: func() any { return o.Checker(x) }}
	o.Checker(x) // what does not fit panics here
	return stream.Map(workers, func(ctx context.Context, b stream.Batch[rollout.Row]) (stream.Batch[rollout.Row], error) {
		c := checkers.Get().(*Checker)
		defer checkers.Put(c)
		part := NewTally(x, o)
		if err := check(ctx, x, o, c, b.Items, part); err != nil {
			return b, err
		}
		if tally := pick(b.Seq); tally != nil {
			tally.mu.Lock()
			defer tally.mu.Unlock()
			tally.Merge(part)
		}
		return b, nil
	}, stream.Name(GateName))
}

// check checks rows and marks those that are flagged.
func check(ctx context.Context, x *Index, o Options, c *Checker, rows []rollout.Row, tally *Tally) error {
	for i := range rows {
		if i%64 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		row := &rows[i]
		found := c.Row(row)
		tally.Add(row, c, found)
		if len(found) > 0 {
			x.mark(row, o, found)
		}
	}
	return nil
}

// mark says in a row what was found in it.
func (x *Index) mark(row *rollout.Row, o Options, found []Found) {
	fields := rollout.FieldGates
	if row.Gate == "" {
		row.Gate = GateName
		fields |= rollout.FieldGate
	}
	gates := slices.Clone(row.Gates)
	for i, r := range o.Rules {
		best := -1
		for k := range found {
			if found[k].Rule == i && (best < 0 || found[k].Score > found[best].Score) {
				best = k
			}
		}
		if best >= 0 {
			gates = append(gates, rollout.Finding{Gate: GateName, Code: r.Name(), Detail: x.detail(row, &found[best])})
		}
	}
	row.Gates = gates
	row.Touch(fields)
	if o.Matches {
		row.SetExtra(MatchesMember, x.matchesJSON(o.Rules, found))
	}
}

// detail is a match in a few words.
func (x *Index) detail(row *rollout.Row, f *Found) string {
	if f.Text < 0 {
		return fmt.Sprintf("task %q is one of %s", row.TaskID, x.sets[x.items[x.tasks[row.TaskID][0]].set].Name)
	}
	at, _ := x.TextAt(f.Text)
	return fmt.Sprintf("%s %.3f: bytes %d to %d of %s are %s of item %s of %s", f.Kind, f.Score, f.Start, f.End, f.Place, at.Part, at.Item, at.Set)
}
