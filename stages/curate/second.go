package curate

import (
	"context"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/hackscan"
	"github.com/rollmill/rollmill/stages/measure"
	"github.com/rollmill/rollmill/stats"
	"github.com/rollmill/rollmill/stream"
)

// second scans for hacks, for which it reads texts of the spool, measures and
// plans.
func (l *line) second(ctx context.Context) error {
	r := l.result
	if l.scanned != nil {
		second := l.scanned.Second()
		l.scanned = nil
		if second.Needed() && l.clean > 0 {
			if err := l.rescan(ctx, second); err != nil {
				return err
			}
		}
		start := l.now()
		report, err := second.Report(ctx)
		if err != nil {
			return err
		}
		r.Scan, r.groups = report, "prompts"
		if l.Scan.Task != nil {
			r.groups = "tasks"
		}
		l.passes = append(l.passes, passTimes{Pass: "analysis of the scan", Seconds: seconds(l.now().Sub(start))})
	}
	start := l.now()
	if err := l.measure(ctx); err != nil {
		return err
	}
	var err error
	if l.plan, err = l.selected.Plan(ctx); err != nil {
		return err
	}
	r.Selection = l.plan.Report()
	if r.Selection.RL != nil && r.Scan != nil {
		r.Selection.RL.WithScan(r.Scan.Warnings)
	}
	l.passes = append(l.passes, passTimes{Pass: "measure and plan", Seconds: seconds(l.now().Sub(start))})
	return l.count()
}

// rescan reads of the spool what terms are looked for in.
func (l *line) rescan(ctx context.Context, second *hackscan.Second) error {
	rows := l.spooled(second.Fields() | rollout.FieldGate)
	pages := stream.Through(rows, stream.Map(l.Workers, func(_ context.Context, b stream.Batch[rollout.Row]) (stream.Batch[*hackscan.SecondPage], error) {
		return stream.Carry(b, []*hackscan.SecondPage{second.Read(cleanRows(b.Items))}), nil
	}), stream.Name("terms"))
	_, err := l.flow(ctx, "scan", stream.To(pages, stream.SinkFunc[*hackscan.SecondPage](func(ctx context.Context, in <-chan stream.Batch[*hackscan.SecondPage]) error {
		for b, err := range stream.Receive(ctx, in) {
			if err != nil {
				return err
			}
			for _, page := range b.Items {
				if err := second.Add(page); err != nil {
					return err
				}
			}
		}
		return nil
	}), stream.Name("merge")))
	return err
}

// measure computes pass@k. The context is asked before each k, whose intervals take a
// fraction of a second.
func (l *line) measure(ctx context.Context) error {
	o := measure.PassOptions{PassOptions: stats.PassOptions{Bootstrap: stats.BootstrapOptions{Seed: l.Seed}}}
	if len(l.K) > 0 {
		o.MinK = 1
	}
	measured := l.measured.Result()
	l.measured = nil
	ks := l.K
	if len(ks) == 0 {
		ks = []int{0} // what the rows have
	}
	for _, k := range ks {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		pass, err := measured.PassAt(o, k)
		if err != nil {
			return err
		}
		l.result.Pass = append(l.result.Pass, pass...)
	}
	l.result.Measured = measured.Findings()
	return nil
}
