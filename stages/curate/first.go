package curate

import (
	"context"
	"fmt"
	"slices"

	"github.com/rollmill/rollmill/formats/arrowipc"
	"github.com/rollmill/rollmill/formats/jsonl"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/decontaminate"
	"github.com/rollmill/rollmill/stages/grade"
	"github.com/rollmill/rollmill/stages/hackscan"
	"github.com/rollmill/rollmill/stages/measure"
	"github.com/rollmill/rollmill/stages/selection"
	"github.com/rollmill/rollmill/stream"
)

// first reads the rows once: it grades and compares them, spools them, and
// sketches what needs to see all of them. Of rows that an earlier run has spooled it
// makes the sketches alone.
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
	if l.continued = l.spool.rows(); l.continued > 0 {
		if _, err := l.flow(ctx, "continue", l.sketched(l.spooled(rollout.AllFields))); err != nil {
			return err
		}
	}
	if !l.all {
		if err := l.read(ctx); err != nil {
			return err
		}
	}
	l.graded, l.compared = l.spool.sum.Graded, l.spool.sum.Compared
	c := &l.result.Counts
	c.Rows, c.Quarantined, c.LeftOut = l.spool.rows(), l.refused, l.leftOut
	if c.Rows == 0 {
		return &NoRowsError{Quarantined: c.Quarantined, LeftOut: c.LeftOut}
	}
	return nil
}

// read reads the rows that are not in the spool.
func (l *line) read(ctx context.Context) error {
	p := &parting{rows: int64(l.PartRows), skip: l.spool.rows(), fresh: l.newPart}
	if p.skip > 0 {
		p.last = l.spool.at.at(int(p.skip) - 1)
	}
	rows, err := l.judged(stream.Through(stream.From(l.Rows), p, stream.Name("parts")), p)
	if err != nil {
		return err
	}
	refused := jsonl.NewRejectFile(l.refusedPath(), l.inputName, true)
	defer refused.Abort() // nothing is left to abort after a commit
	before := l.spool.parts()
	spool := arrowipc.Create(rowsFile, arrowipc.WriteWorkers(l.Workers), arrowipc.Replace(), arrowipc.Rejects(refused.Add), arrowipc.ToSpool(arrowipc.Spool{
		Name: func(file int) string { return l.spool.path(before + file) },
		Ends: p.ends,
		Take: l.finishPart(p),
	}))
	branches := stream.Tee(rows, 2)
	if _, err := l.flow(ctx, "read", stream.To(branches[0], spool), l.sketched(branches[1])); err != nil {
		return err
	}
	if err := l.unchanged(); err != nil {
		return err
	}
	if n := p.left(); n > 0 {
		return lost("%d were read and are in no part of the spool", n)
	}
	if err := refused.Commit(); err != nil {
		return err
	}
	l.refused, l.all = refused.Part().Rows, true
	if l.LeftOut != nil {
		l.leftOut = l.LeftOut()
	}
	return l.noteWhole(ctx)
}

// sketched ends a flow in the sketches.
func (l *line) sketched(rows stream.Flow[rollout.Row]) stream.End {
	sketches := stream.Through(rows, stream.Map(l.Workers, l.sketch), stream.Name("sketch"))
	return stream.To(sketches, stream.SinkFunc[sketch](l.merge), stream.Name("merge"))
}

var measureOptions = measure.Options{Markers: true, Config: true}

// judged sends rows through the graders and the comparison with evaluation sets.
func (l *line) judged(rows stream.Flow[rollout.Row], p *parting) (stream.Flow[rollout.Row], error) {
	rows = stream.Through(rows, stream.Map(l.Workers, forget), stream.Name("rows"))
	for i, g := range l.Grade {
		name, earlier := "grade", l.spool.sum.Graded[i].Counts()
		opts := []grade.Option{grade.Workers(l.Workers)}
		if g.Marker != "" {
			name = "marker " + g.Marker
			opts = append(opts, grade.AsMarker(g.Marker))
		}
		opts = append(append(opts, g.Options...), grade.IntoEach(p.graded(i)), grade.Spent(earlier.Failures()), grade.Name(name))
		stage, err := grade.Regrade(g.Grader, opts...)
		if err != nil {
			return rows, fmt.Errorf("%w: Grade: %w", ErrOptions, err)
		}
		rows = stream.Through(rows, stage)
	}
	if l.Index != nil {
		rows = stream.Through(rows, decontaminate.StageEach(l.Index, l.Decontaminate, l.Workers, p.compared))
	}
	return l.fitting(rows), nil
}

// forget takes from rows what gates of an earlier run said of them, or stands there
// in their name.
func forget(_ context.Context, b stream.Batch[rollout.Row]) (stream.Batch[rollout.Row], error) {
	for i := range b.Items {
		if r := &b.Items[i]; r.Has(rollout.FieldGate) || r.Has(rollout.FieldGates) || slices.ContainsFunc(r.Extra, ofGates) {
			r.Clear(rollout.FieldGate | rollout.FieldGates)
		}
	}
	return b, nil
}

// ofGates reports whether a member is called as what gates say, and is of another type.
func ofGates(m rollout.Member) bool { return slices.Contains(gateNames, m.Name) }

var gateNames = (rollout.FieldGate | rollout.FieldGates).Names()

// sketch is what is kept in memory of a batch.
type sketch struct {
	clean    int
	measured *measure.Accumulator
	page     *hackscan.Page
	selected *selection.Accumulator
}

// sketch reads a batch. Rows that hold evaluation items are measured, and are
// neither scanned nor selected.
func (l *line) sketch(_ context.Context, b stream.Batch[rollout.Row]) (stream.Batch[sketch], error) {
	s := sketch{measured: measure.New(measureOptions), selected: l.selected.Fresh()}
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
