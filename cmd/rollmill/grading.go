package main

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/grade"
	"github.com/rollmill/rollmill/stages/grade/sandbox"
	"github.com/rollmill/rollmill/stages/grade/verify"
	"github.com/rollmill/rollmill/stages/measure"
	"github.com/rollmill/rollmill/stream"
)

// grading is the graders of a run.
type grading struct {
	flags   *gradeFlags
	box     *sandbox.Box // nil: no code runs
	graders []*graderRun // the first gives the reward, the others markers
	stages  []stream.Stage[rollout.Row, rollout.Row]
	rates   struct {
		sync.Mutex
		all *measure.Accumulator
	}
}

// graderRun is one grader of a run and what it came to.
type graderRun struct {
	grade.Grader
	marker string // "": it gives the reward
	stage  string // its name in the flow
	tally  grade.Tally
}

// slack is how much longer than its code a grader that runs code may take.
const slack = time.Minute

func (f *gradeFlags) grading(ctx context.Context) (*grading, error) {
	g := &grading{flags: f}
	if err := g.add(ctx, "--with", "", f.with); err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, text := range f.markers {
		name, spec, err := named(text)
		switch {
		case err != nil:
			return nil, err
		case seen[name]:
			return nil, usagef("--marker %s: there are two of that name", name)
		}
		seen[name] = true
		if err := g.add(ctx, "--marker "+name, name, spec); err != nil {
			return nil, err
		}
	}
	g.rates.all = measure.New(measure.Options{Markers: true})
	return g, nil
}

// add reads a grader and makes the stage of it.
func (g *grading) add(ctx context.Context, flag, marker, spec string) error {
	f := g.flags
	o := verify.ParseOptions{}
	for _, field := range []struct {
		flag, name string
		to         *verify.Field
	}{{"--answer", f.answer, &o.Answer}, {"--gold", f.gold, &o.Gold}} {
		if field.name == "" {
			continue
		}
		var err error
		if *field.to, err = verify.ParseField(field.name); err != nil {
			return usagef("%s: %s", field.flag, bare(err))
		}
	}
	timeout := f.timeout
	o.Code = func(c verify.CodeOptions) (grade.Grader, error) {
		timeout = f.codeTimeout() + slack
		return g.code(ctx, c)
	}
	grader, err := verify.Parse(spec, o)
	if errors.Is(err, verify.ErrNoInterpreter) || errors.Is(err, sandbox.ErrIsolation) {
		return err
	}
	if err != nil {
		return usagef("%s %s", flag, bare(err))
	}
	run := &graderRun{Grader: grader, marker: marker, stage: "grade"}
	if marker != "" {
		run.stage = "marker " + marker
	}
	opts := []grade.Option{grade.Workers(f.in.parallel()), grade.InFlight(g.inFlight()), grade.Budget(f.failures), grade.Into(&run.tally), grade.Name(run.stage)}
	if timeout > 0 {
		opts = append(opts, grade.Timeout(timeout))
	}
	if f.runID != "" {
		opts = append(opts, grade.RunID(f.runID))
	}
	if marker != "" {
		opts = append(opts, grade.AsMarker(marker))
	}
	stage, err := grade.Regrade(grader, opts...)
	if err != nil {
		return usagef("%s: %s", flag, bare(err))
	}
	g.graders, g.stages = append(g.graders, run), append(g.stages, stage)
	return nil
}

func (g *grading) inFlight() int {
	if g.flags.inFlight > 0 {
		return g.flags.inFlight
	}
	return g.flags.in.parallel()
}

func (f *gradeFlags) codeTimeout() time.Duration {
	if f.timeout > 0 {
		return f.timeout
	}
	return sandbox.DefaultLimits().Wall
}

// code makes a grader that runs code, in the one box of the run.
func (g *grading) code(ctx context.Context, o verify.CodeOptions) (grade.Grader, error) {
	if g.box == nil {
		level, err := sandbox.ParseLevel(g.flags.level)
		if err != nil {
			return nil, usagef("--sandbox: there is no level %q; there are full and weak", g.flags.level)
		}
		limits := sandbox.DefaultLimits()
		limits.Wall = g.flags.codeTimeout()
		limits.CPU = max(limits.CPU, limits.Wall)
		if g.box, err = sandbox.New(ctx, level, limits); err != nil {
			return nil, err
		}
	}
	return verify.CodeExec(ctx, g.box, o)
}

// fields are those that the graders read and write, and those of the figures.
func (g *grading) fields() rollout.Fields {
	fields := measure.Options{Markers: true}.Fields()
	for _, r := range g.graders {
		fields |= grade.Fields(r)
	}
	return fields
}

// apply grades the rows of a flow, and counts them.
func (g *grading) apply(rows stream.Flow[rollout.Row]) stream.Flow[rollout.Row] {
	for _, stage := range g.stages {
		rows = stream.Through(rows, stage)
	}
	return stream.Through(rows, stream.Map(g.flags.in.parallel(), func(_ context.Context, b stream.Batch[rollout.Row]) (stream.Batch[rollout.Row], error) {
		part := measure.New(measure.Options{Markers: true})
		part.Add(b.Items)
		g.rates.Lock()
		defer g.rates.Unlock()
		g.rates.all.Merge(part)
		return b, nil
	}), stream.Name("count"))
}
