package curate

import (
	"context"
	"fmt"

	"github.com/zeebo/xxh3"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/formats/trl"
	"github.com/rollmill/rollmill/stages/grade/verify"
	"github.com/rollmill/rollmill/stages/selection"
	"github.com/rollmill/rollmill/stream"
)

// Shape is what a line of the training file holds.
type Shape string

// The shapes of a training file. The holdout is always written as rows.
const (
	RowShape      Shape = "row"      // a row as it came, with what was found
	MessagesShape Shape = "messages" // what TRL's SFTTrainer takes, and of pairs its DPOTrainer
	PromptShape   Shape = "prompt"   // a task, for TRL's GRPOTrainer: prompt, task_id, reference, info
)

// ShapeGate is the gate at which rows end that the shape of the training file
// cannot hold, such as one without a reply.
const ShapeGate = "shape"

// fitting ends rows at [ShapeGate] that the shape cannot hold.
func (l *line) fitting(rows stream.Flow[rollout.Row]) stream.Flow[rollout.Row] {
	if l.Shape == RowShape {
		return rows
	}
	return stream.Through(rows, stream.Map(l.Workers, func(_ context.Context, b stream.Batch[rollout.Row]) (stream.Batch[rollout.Row], error) {
		var scratch []byte
		for i := range b.Items {
			r := &b.Items[i]
			if r.Gate != "" {
				continue
			}
			line, err := l.appendShape(scratch[:0], r)
			if scratch = line; err != nil {
				r.AddFinding(rollout.Finding{Gate: ShapeGate, Code: string(l.Shape), Detail: err.Error()})
				r.EndAt(ShapeGate)
			}
		}
		return b, nil
	}), stream.Name("shape"))
}

// appendShape appends a row in the shape of the run.
func (l *line) appendShape(dst []byte, r *rollout.Row) ([]byte, error) {
	if l.Shape == PromptShape {
		return trl.AppendPrompt(dst, r, verify.ReferenceOf(r, l.Gold).Text)
	}
	return trl.AppendMessages(dst, r)
}

// shape shapes rows for the training file; tasks counts those of which a prompt is
// written.
func (l *line) shape(rows stream.Flow[rollout.Row], tasks *int) stream.Flow[rollout.Row] {
	switch l.Shape {
	case RowShape:
		return rows
	case PromptShape:
		rows = stream.Through(rows, firstOfTask{tasks}, stream.Name("tasks"))
	}
	pairs := l.Select.Mode == selection.Pairs
	return stream.Through(rows, stream.Map(l.Workers, func(_ context.Context, b stream.Batch[rollout.Row]) (stream.Batch[rollout.Row], error) {
		var list []rollout.Row
		step := 1
		if pairs {
			step = 2
		}
		decoder := rollout.NewDecoder(0)
		for i := 0; i < len(b.Items); i += step {
			var line []byte
			var err error
			if pairs {
				line, err = trl.AppendPreference(nil, &b.Items[i], &b.Items[i+1])
			} else {
				line, err = l.appendShape(nil, &b.Items[i])
			}
			if err != nil {
				return b, fmt.Errorf("curate: a kept row: %w", err)
			}
			list = append(list, rollout.Row{})
			r := &list[len(list)-1]
			if err := decoder.Decode(line, r); err != nil {
				return b, fmt.Errorf("curate: a row in the shape %s: %w", l.Shape, err)
			}
			r.CompactSource() // tools and info may have come with line ends
		}
		return stream.Carry(b, list), nil
	}), stream.Name("shape"))
}

// firstOfTask lets the first row of each task through. It keeps a hash of each.
type firstOfTask struct{ tasks *int }

// Run reads a flow.
func (f firstOfTask) Run(ctx context.Context, in <-chan stream.Batch[rollout.Row], out chan<- stream.Batch[rollout.Row]) error {
	seen := map[xxh3.Uint128]bool{}
	for b, err := range stream.Receive(ctx, in) {
		if err != nil {
			return err
		}
		kept := b.Items[:0]
		for i := range b.Items {
			key := xxh3.HashString128(b.Items[i].TaskKey())
			if seen[key] {
				continue
			}
			seen[key] = true
			kept = append(kept, b.Items[i])
		}
		b.Items = kept
		*f.tasks = len(seen)
		if err := stream.Send(ctx, out, b); err != nil {
			return err
		}
	}
	return nil
}
