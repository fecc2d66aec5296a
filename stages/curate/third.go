package curate

import (
	"context"
	"errors"

	"github.com/rollmill/rollmill/formats/arrowipc"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/selection"
	"github.com/rollmill/rollmill/stream"
)

// third reads the spool a last time: every row is told where it ended and goes to
// rows.arrow, and those that are kept, or held out, in the order of the plan to
// files of their own.
func (l *line) third(ctx context.Context) (err error) {
	l.result.samples = newSamples(l.result)
	kept, err := newShelf(l.folder.dir(), l.plan.Kept())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, kept.close()) }()

	rows := stream.Through(l.spooled(rollout.AllFields), stream.Map(l.Workers, l.settleRows), stream.Name("settle"))
	branches := stream.Tee(rows, 3)
	all := arrowipc.Create(l.folder.file(rowsFile), arrowipc.WriteWorkers(l.Workers), arrowipc.Replace())
	held := l.trainWriter(l.folder.file("holdout."+string(l.Format)), 0)
	isHeld := stream.Filter(func(r *rollout.Row) bool { return r.Gate == selection.GateHoldout.String() }, stream.Workers(l.Workers))
	if _, err := l.flow(ctx, "write",
		stream.To(branches[0], all),
		stream.To(stream.Through(stream.Through(branches[1], isHeld), stream.Map(l.Workers, plain), stream.Name("held out")), held),
		l.shelve(branches[2], kept),
	); err != nil {
		return err
	}
	if n := all.Summary().Rows; n != l.result.Counts.Rows {
		return lost("%d read, %d written", l.result.Counts.Rows, n)
	}
	if kept.shelved != len(kept.starts) {
		return lost("%d are kept, %d are there", len(kept.starts), kept.shelved)
	}
	l.result.addPart("rows", all.Summary())
	l.result.addPart("holdout", held.Summary())
	if len(kept.starts) == 0 {
		return nil
	}
	return l.train(ctx, kept)
}

// settleRows tells rows where they ended.
func (l *line) settleRows(_ context.Context, b stream.Batch[rollout.Row]) (stream.Batch[rollout.Row], error) {
	for i := range b.Items {
		r := &b.Items[i]
		if r.Gate != "" {
			continue
		}
		pick, err := l.plan.Of(r.Pos)
		if err != nil {
			return b, err
		}
		l.plan.Finish(r, pick)
	}
	return b, nil
}

// plain takes the gate from rows that go to a file of their own.
func plain(_ context.Context, b stream.Batch[rollout.Row]) (stream.Batch[rollout.Row], error) {
	for i := range b.Items {
		b.Items[i].Clear(rollout.FieldGate | rollout.FieldGates)
	}
	return b, nil
}

// lot is what is taken of a batch: the lines of its kept rows, each with its end,
// their ranks, and what reports show.
type lot struct {
	text    []byte
	ranks   []int
	ends    []int
	samples []sample
}

// shelve ends a flow at the shelf and the samples.
func (l *line) shelve(rows stream.Flow[rollout.Row], onto *shelf) stream.End {
	lots := stream.Through(rows, stream.Map(l.Workers, func(_ context.Context, b stream.Batch[rollout.Row]) (stream.Batch[lot], error) {
		one := lot{samples: l.result.samples.of(b.Items)}
		for i := range b.Items {
			r := &b.Items[i]
			if r.Gate != "" {
				continue
			}
			pick, err := l.plan.Of(r.Pos)
			if err != nil {
				return stream.Batch[lot]{}, err
			}
			one.text = append(r.AppendJSON(one.text), '\n')
			one.ranks, one.ends = append(one.ranks, pick.Rank), append(one.ends, len(one.text))
		}
		return stream.Carry(b, []lot{one}), nil
	}), stream.Name("pick"))
	return stream.To(lots, stream.SinkFunc[lot](func(ctx context.Context, in <-chan stream.Batch[lot]) error {
		for b, err := range stream.Receive(ctx, in) {
			if err != nil {
				return err
			}
			for i := range b.Items {
				l.result.samples.add(b.Items[i].samples)
				if err := onto.put(&b.Items[i]); err != nil {
					return err
				}
			}
		}
		return nil
	}), stream.Name("shelve"))
}
