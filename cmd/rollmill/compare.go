package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rollmill/rollmill/stages/measure"
	"github.com/rollmill/rollmill/stats"
)

const compareHelp = `Compare says whether AFTER is better than BEFORE, or whether nothing can be said:
the difference of the pass rate and of every marker that both sides carry, paired
over the tasks that they share, with its interval. The interval decides. What
makes the sides incomparable is told: other tasks, another prompt, another judge,
replies cut short or silent, rows without a grade.

One run a side cannot tell a change from what another run would give. Run both
sides again, and let each row name its run as lineage.eval_run, or give a folder
of files a side and --runs @input; or say with --run-std how far runs scatter.

--target names the metric that the change was for, --must-not-regress those that
must not get worse, --proxy what was optimised in its place. A metric is pass_at_1
or the name of a marker.

The exit code is 1 when a guarded metric or the target got worse, when the proxy
rose without the target, and when the sides cannot be compared; in short, when the
report says FAIL.
` + fieldsHelp + `
` + mapHelp

const compareExample = `  rollmill compare before.jsonl after.jsonl
  rollmill compare before/ after/ --target pass_at_1 --must-not-regress polite,safe
  rollmill compare base.jsonl tuned.jsonl --by category --proxy judge_score --json`

// exitGateFailed is the exit code when a gate that was asked to fail the run failed it.
const exitGateFailed = 1

// compareFlags are what compare is told.
type compareFlags struct {
	in       inputFlags
	group    groupFlags
	delta    stats.DeltaOptions
	guards   []string
	lower    []string
	runStd   float64
	by       string
	runs     string
	resample resampleFlags
	report   reportFlags
	cmd      *cobra.Command
}

func newCompare() *cobra.Command {
	var f compareFlags
	cmd := &cobra.Command{
		Use:     "compare BEFORE AFTER",
		Short:   "Say whether a change made rollouts better or worse",
		Long:    compareHelp,
		Example: compareExample,
		RunE:    func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	f.cmd = cmd
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.delta.Target, "target", "", "the `METRIC` that the change was for")
	flags.StringSliceVar(&f.guards, "must-not-regress", nil, "`METRICS` that must not get worse, with commas between; repeatable")
	flags.StringVar(&f.delta.Proxy, "proxy", "", "the `METRIC` that was optimised in place of the target")
	flags.StringSliceVar(&f.lower, "lower-is-better", nil, "`METRICS` that are better the lower they are")
	flags.StringVar(&f.by, "by", "", "compare within each value of `FIELD` too (default: category, else slice, where rows have them; none: not)")
	flags.StringVar(&f.runs, "runs", "", "the `FIELD` that names the run of a row, @input for a file each (default: lineage.eval_run)")
	flags.Float64Var(&f.runStd, "run-std", 0, "standard deviation of the mean of one run, `X`, where it is known")
	flags.IntVar(&f.delta.RunStdRuns, "run-std-runs", 0, "it was measured on `N` runs")
	flags.Float64Var(&f.delta.Alpha, "alpha", stats.DefaultAlpha, "two-sided error `SHARE`; intervals are at 1 less that")
	flags.Float64Var(&f.delta.Power, "power", stats.DefaultPower, "power `SHARE` at which tasks needed are counted")
	f.group.add(cmd)
	f.resample.add(cmd)
	f.in.add(cmd)
	f.report.add(cmd)
	cmd.Args = func(_ *cobra.Command, args []string) error {
		if len(args) != 2 {
			return usagef("say what to compare: two inputs, BEFORE and AFTER (see %s --help)", cmd.CommandPath())
		}
		if args[0] == args[1] {
			return usagef("BEFORE and AFTER are the same: %s", args[0])
		}
		return nil
	}
	return cmd
}

func (f *compareFlags) run(cmd *cobra.Command, args []string) error {
	o, err := f.options()
	if err != nil {
		return err
	}
	var sides [2]*sideReport
	for i, arg := range args {
		if sides[i], err = f.side(arg, o); err != nil {
			return err
		}
	}
	delta, err := stats.Delta(sides[0].side, sides[1].side, f.delta)
	if err != nil {
		return usagef("%s", problem(err))
	}
	r := &compareReport{Before: sides[0], After: sides[1], Delta: delta}
	if f.report.json {
		err = printJSON(cmd.OutOrStdout(), r)
	} else {
		err = r.print(cmd.OutOrStdout())
	}
	if err != nil {
		return err
	}
	return r.failure()
}

// options are those of both accumulators; those of the comparison it completes.
func (f *compareFlags) options() (measure.Options, error) {
	o := measure.ForComparison()
	switch f.by {
	case "":
	case "none":
		o.By, f.delta.NoSlice = nil, true
	default:
		var by measure.Field
		if err := parseField("--by", f.by, &by); err != nil {
			return o, err
		}
		o, f.delta.By = measure.ForComparison(by), f.by
	}
	if err := parseField("--runs", f.runs, &o.Run); err != nil {
		return o, err
	}
	if err := f.resample.check(); err != nil {
		return o, err
	}
	f.delta.MustNotRegress, f.delta.Draws, f.delta.Seed = f.guards, f.resample.draws, f.resample.seed
	if f.cmd.Flags().Changed("run-std") {
		if f.runStd < 0 {
			return o, usagef("--run-std %g: want 0 or more", f.runStd)
		}
		f.delta.RunStd = stats.Of(f.runStd)
	}
	for _, name := range f.lower {
		if f.delta.LowerIsBetter == nil {
			f.delta.LowerIsBetter = map[string]bool{}
		}
		f.delta.LowerIsBetter[name] = true
	}
	return o, f.group.apply(&o)
}

func (f *compareFlags) side(arg string, o measure.Options) (*sideReport, error) {
	a := measure.New(o)
	from, err := gather(f.cmd, &f.in, f.report.quiet, []string{arg}, o.Fields(), a, func() *measure.Accumulator { return measure.New(o) })
	if err != nil {
		return nil, err
	}
	result := a.Result()
	return &sideReport{
		gathered: from, Coverage: stats.CoverageOf(result.Tasks()), Findings: result.Findings(), side: result.Side(),
	}, nil
}

// compareReport is what compare reports.
type compareReport struct {
	Before *sideReport        `json:"before"`
	After  *sideReport        `json:"after"`
	Delta  *stats.DeltaReport `json:"delta"`
}

// sideReport is what one side rests on.
type sideReport struct {
	*gathered `json:",inline"`
	Coverage  stats.Coverage  `json:"coverage"`
	Findings  []stats.Finding `json:"findings"`
	side      stats.Side
}

func (r *compareReport) print(w io.Writer) error {
	for _, s := range []struct {
		name string
		side *sideReport
	}{{"before", r.Before}, {"after", r.After}} {
		s.side.print(w)
		fmt.Fprintf(w, "%s: %s\n", s.name, coverageText(s.side.Coverage))
		printFindings(w, s.side.Findings)
	}
	fmt.Fprintf(w, "\n%s\n", cleanLines(r.Delta.String()))
	_, err := fmt.Fprintf(w, "\n%g %% intervals over tasks, %s draws, seed %d\n", 100*r.Delta.Level, grouped(int64(r.draws())), r.seed())
	return err
}

func (r *compareReport) draws() int  { return r.Delta.Metrics[0].Resampling.Draws }
func (r *compareReport) seed() int64 { return r.Delta.Metrics[0].Resampling.Seed }

// cleanLines makes a text of several lines safe for a terminal.
func cleanLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = clean(line)
	}
	return strings.Join(lines, "\n")
}

// failure is the error of a comparison that says FAIL.
func (r *compareReport) failure() error {
	if r.Delta.OK && r.Delta.HeadlineVerdict != stats.MovedWrongWay {
		return nil
	}
	why := r.Delta.HeadlineWord
	if len(r.Delta.Regressions) > 0 {
		why += ": " + strings.Join(r.Delta.Regressions, ", ") + " got worse"
	}
	return &commandError{exitGateFailed, why}
}
