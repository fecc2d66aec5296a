package curate

import (
	"context"
	"fmt"

	"github.com/rollmill/rollmill/formats/arrowipc"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/decontaminate"
	"github.com/rollmill/rollmill/stages/grade"
	"github.com/rollmill/rollmill/stages/hackscan"
	"github.com/rollmill/rollmill/stages/measure"
	"github.com/rollmill/rollmill/stages/selection"
	"github.com/rollmill/rollmill/stream"
)

// first reads the rows once: it grades and compares them, spools them, and
// sketches what needs to see all of them.
func (l *line) first(ctx context.Context) error {
	l.measured = measure.New(measureOptions)
	var err error
	if l.selected, err = selection.New(l.Select); err != nil {
		return err
	}
	if !l.NoScan {
		if l.scanned, err = hackscan.NewFirst(l.Scan); err != nil {
			return err
		}
	}
	rows, err := l.judged(stream.From(l.Rows))
	if err != nil {
		return err
	}
	branches := stream.Tee(rows, 2)
	spool := arrowipc.Create(l.spool, arrowipc.WriteWorkers(l.Workers), arrowipc.Replace(), arrowipc.Rejects(l.quarantine.Add))
	sketches := stream.Through(branches[1], stream.Map(l.Workers, l.sketch), stream.Name("sketch"))
	if _, err := l.flow(ctx, "read", stream.To(branches[0], spool), stream.To(sketches, stream.SinkFunc[sketch](l.merge), stream.Name("merge"))); err != nil {
		return err
	}
	if err := l.unchanged(); err != nil {
		return err
	}
	c := &l.result.Counts
	c.Rows, c.Quarantined = int64(l.at.n), l.quarantine.Part().Rows
	if written := spool.Summary().Rows; written != c.Rows {
		return lost("%d read, %d in the spool", c.Rows, written)
	}
	if c.Rows == 0 {
		return &NoRowsError{Quarantined: c.Quarantined}
	}
	return nil
}

var measureOptions = measure.Options{Markers: true, Config: true}

// judged sends rows through the graders and the comparison with evaluation sets.
func (l *line) judged(rows stream.Flow[rollout.Row]) (stream.Flow[rollout.Row], error) {
	rows = stream.Through(rows, stream.Map(l.Workers, forget), stream.Name("rows"))
	for _, g := range l.Grade {
		tally, name := &grade.Tally{}, "grade"
		opts := []grade.Option{grade.Workers(l.Workers)}
		if g.Marker != "" {
			name = "marker " + g.Marker
			opts = append(opts, grade.AsMarker(g.Marker))
		}
		opts = append(append(opts, g.Options...), grade.Into(tally), grade.Name(name))
		stage, err := grade.Regrade(g.Grader, opts...)
		if err != nil {
			return rows, fmt.Errorf("%w: Grade: %w", ErrOptions, err)
		}
		l.graded = append(l.graded, tally)
		rows = stream.Through(rows, stage)
	}
	if l.Index != nil {
		l.compared = decontaminate.NewTally(l.Index, l.Decontaminate)
		rows = stream.Through(rows, decontaminate.Stage(l.Index, l.Decontaminate, l.Workers, l.compared))
	}
	return l.fitting(rows), nil
}

// forget takes from rows what gates of an earlier run said of them.
func forget(_ context.Context, b stream.Batch[rollout.Row]) (stream.Batch[rollout.Row], error) {
	for i := range b.Items {
		if r := &b.Items[i]; r.Has(rollout.FieldGate) || r.Has(rollout.FieldGates) {
			r.Clear(rollout.FieldGate | rollout.FieldGates)
		}
	}
	return b, nil
}

// sketch is what is kept in memory of a batch.
type sketch struct {
	at       []rollout.Pos
	clean    int
	measured *measure.Accumulator
	page     *hackscan.Page
	selected *selection.Accumulator
}

// sketch reads a batch. Rows that hold evaluation items are measured, and are
// neither scanned nor selected.
func (l *line) sketch(_ context.Context, b stream.Batch[rollout.Row]) (stream.Batch[sketch], error) {
	s := sketch{at: make([]rollout.Pos, len(b.Items)), measured: measure.New(measureOptions), selected: l.selected.Fresh()}
	for i := range b.Items {
		s.at[i] = b.Items[i].Pos
	}
	s.measured.Add(b.Items)
	clean := cleanRows(b.Items)
	s.clean = len(clean)
	s.selected.Add(clean)
	if l.scanned != nil {
		s.page = l.scanned.Read(clean)
	}
	return stream.Carry(b, []sketch{s}), nil
}

// cleanRows are the rows that ended at no gate.
func cleanRows(rows []rollout.Row) []rollout.Row {
	n := 0
	for i := range rows {
		if rows[i].Gate == "" {
			n++
		}
	}
	if n == len(rows) {
		return rows
	}
	clean := make([]rollout.Row, 0, n)
	for i := range rows {
		if rows[i].Gate == "" {
			clean = append(clean, rows[i])
		}
	}
	return clean
}

// merge takes sketches in the order of the rows.
func (l *line) merge(ctx context.Context, in <-chan stream.Batch[sketch]) error {
	for b, err := range stream.Receive(ctx, in) {
		if err != nil {
			return err
		}
		for i := range b.Items {
			s := &b.Items[i]
			for _, at := range s.at {
				l.at.add(at)
			}
			l.clean += s.clean
			l.measured.Merge(s.measured)
			l.selected.Merge(s.selected)
			if l.scanned != nil {
				l.scanned.Add(s.page)
			}
		}
	}
	return nil
}
