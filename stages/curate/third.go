package curate

import (
	"context"
	"errors"

	"github.com/rollmill/rollmill/formats/arrowipc"
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

	frames := stream.From(arrowipc.OpenFrames(l.spool.paths()...), stream.Name("read"))
	batches := stream.Through(frames, stream.Map(l.Workers, func(_ context.Context, b stream.Batch[*arrowipc.Frame]) (stream.Batch[settled], error) {
		return l.settle(b, kept)
	}), stream.Name("settle"))
	branches := stream.Tee(stream.Through(batches, stream.Map(l.Workers, splice), stream.Name("splice")), 3)
	all := arrowipc.CreateFrames(l.folder.file(rowsFile), arrowipc.Replace())
	held := l.trainWriter(l.folder.file("holdout."+string(l.Format)), 0)
	if _, err := l.flow(ctx, "write",
		stream.To(stream.Through(branches[0], stream.Map(1, packets), stream.Name("packets")), all, stream.Name("write")),
		stream.To(stream.Through(branches[1], stream.Map(1, heldOut), stream.Name("held out")), held),
		stream.To(branches[2], stream.SinkFunc[settled](l.shelve(kept)), stream.Name("shelve")),
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

// shelve ends a flow at the shelf and the samples.
func (l *line) shelve(onto *shelf) func(context.Context, <-chan stream.Batch[settled]) error {
	return func(ctx context.Context, in <-chan stream.Batch[settled]) error {
		for b, err := range stream.Receive(ctx, in) {
			if err != nil {
				return err
			}
			for i := range b.Items {
				l.result.samples.add(b.Items[i].samples)
				if err := onto.put(&b.Items[i].lot); err != nil {
					return err
				}
			}
		}
		return nil
	}
}
