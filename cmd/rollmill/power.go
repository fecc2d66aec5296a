package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/rollmill/rollmill/stages/measure"
	"github.com/rollmill/rollmill/stats"
)

const powerHelp = `Power says how many tasks it takes to see a gain, and which gain the tasks at hand
can show. It reads pilot rows of the policy as it is, or takes a pass rate and a
number of rollouts a task for granted.
` + fieldsHelp + `
` + mapHelp

const powerExample = `  rollmill power pilot.jsonl --effect 0.05
  rollmill power --base 0.6 --k 4 --effect 0.03
  rollmill power --base 0.6 --k 4 --tasks 200`

// powerFlags are what power is told.
type powerFlags struct {
	in       inputFlags
	group    groupFlags
	effect   float64
	base     float64
	k        int
	tasks    int
	power    float64
	alpha    float64
	resample resampleFlags
	report   reportFlags
}

func newPower() *cobra.Command {
	var f powerFlags
	cmd := &cobra.Command{
		Use:     "power [PILOT...]",
		Short:   "Say how many tasks show a gain",
		Long:    powerHelp,
		Example: powerExample,
		RunE:    func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.Float64Var(&f.effect, "effect", stats.DefaultEffect, "the gain of the pass rate to show, a `SHARE`")
	flags.Float64Var(&f.base, "base", 0, "without a pilot: the pass rate before, a `SHARE`")
	flags.IntVar(&f.k, "k", stats.DefaultRollouts, "without a pilot: `N` rollouts a task")
	flags.IntVar(&f.tasks, "tasks", 0, "without a pilot: tell which gain `N` tasks show")
	flags.Float64Var(&f.power, "power", stats.DefaultPower, "how likely the gain is to be shown, a `SHARE`")
	flags.Float64Var(&f.alpha, "alpha", stats.DefaultAlpha, "two-sided error, a `SHARE`")
	f.group.add(cmd)
	f.resample.add(cmd)
	f.in.add(cmd)
	f.report.add(cmd)
	inputs := cmd.Args
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		assumed := cmd.Flags().Changed("base") || cmd.Flags().Changed("k") || cmd.Flags().Changed("tasks")
		switch {
		case len(args) == 0 && !assumed:
			return usagef("give rows of a pilot, or a pass rate with --base (see %s --help)", cmd.CommandPath())
		case len(args) > 0 && assumed:
			return usagef("--base, --k and --tasks stand for a pilot, and there is one")
		case len(args) == 0:
			return nil
		}
		return inputs(cmd, args)
	}
	return cmd
}

func (f *powerFlags) run(cmd *cobra.Command, args []string) error {
	if !(f.effect > 0 && f.effect < 1) {
		return usagef("--effect %g: want a share above 0 and below 1", f.effect)
	}
	if err := f.resample.check(); err != nil {
		return err
	}
	var r *powerReport
	var err error
	if len(args) == 0 {
		r, err = f.assume(cmd)
	} else {
		r, err = f.pilot(cmd, args)
	}
	if err != nil {
		return err
	}
	if f.report.json {
		return printJSON(cmd.OutOrStdout(), r)
	}
	return r.print(cmd.OutOrStdout())
}

// assume sizes an evaluation from what is taken for granted.
func (f *powerFlags) assume(cmd *cobra.Command) (*powerReport, error) {
	var base stats.Null[float64]
	if cmd.Flags().Changed("base") {
		base = stats.Of(f.base)
	}
	switch {
	case f.base < 0 || f.base > 1:
		return nil, usagef("--base %g: want a share from 0 to 1", f.base)
	case f.k < 1:
		return nil, usagef("--k %d: want at least 1", f.k)
	case f.tasks < 0:
		return nil, usagef("--tasks %d: want at least 1", f.tasks)
	}
	holdout, err := stats.HoldoutSize(f.effect, stats.HoldoutOptions{Base: base, K: f.k, Power: f.power, Alpha: f.alpha})
	if err != nil {
		return nil, usagef("%s", problem(err))
	}
	r := &powerReport{Holdout: holdout}
	if f.tasks > 0 {
		r.TasksAssumed = f.tasks
		r.Detectable, err = stats.DetectableEffect(f.tasks, stats.DetectableOptions{Base: base, K: f.k, Power: f.power, Alpha: f.alpha})
	}
	return r, err
}

// pilot sizes an evaluation from rows.
func (f *powerFlags) pilot(cmd *cobra.Command, args []string) (*powerReport, error) {
	var o measure.Options
	if err := f.group.apply(&o); err != nil {
		return nil, err
	}
	a := measure.New(o)
	from, err := gather(cmd, &f.in, f.report.quiet, args, o.Fields(), a, func() *measure.Accumulator { return measure.New(o) })
	if err != nil {
		return nil, err
	}
	result := a.Result()
	rate := result.Rate()
	r := &powerReport{gathered: from, Findings: result.Findings()}
	coverage, summary := stats.CoverageOf(result.Tasks()), stats.Summarize(rate, f.resample.options())
	r.Coverage, r.Base = &coverage, &summary
	r.Power, err = stats.EvalPower(rate.Tasks, stats.PowerOptions{Effect: f.effect, Power: f.power, Alpha: f.alpha})
	if err != nil {
		return nil, usagef("%s", problem(err))
	}
	if len(rate.Tasks) > 0 {
		r.Holdout, err = stats.HoldoutSize(f.effect, stats.HoldoutOptions{Before: rate.Tasks, Power: f.power, Alpha: f.alpha})
	}
	return r, err
}

// powerReport is what power reports.
type powerReport struct {
	*gathered    `json:",inline"`
	Coverage     *stats.Coverage      `json:"coverage,omitzero"`
	Base         *stats.Summary       `json:"base,omitzero"` // the pass rate of the pilot
	Power        *stats.PowerReport   `json:"power,omitzero"`
	Holdout      *stats.HoldoutReport `json:"holdout,omitzero"`
	TasksAssumed int                  `json:"tasks,omitzero"`
	Detectable   stats.Null[float64]  `json:"detectable_effect,omitzero"` // by that many tasks
	Findings     []stats.Finding      `json:"findings,omitempty"`
}

func (r *powerReport) print(w io.Writer) error {
	if r.gathered != nil {
		r.gathered.print(w)
		fmt.Fprintln(w, coverageText(*r.Coverage))
		fmt.Fprintf(w, "pass@1 %s\n", figureText(r.Base.Mean, r.Base.CI95))
		printFindings(w, r.Findings)
		fmt.Fprintf(w, "\n%s\n\n", cleanLines(r.Power.String()))
	}
	if r.Holdout != nil {
		fmt.Fprintln(w, r.Holdout)
	}
	if r.TasksAssumed > 0 {
		gain := "no gain can be shown"
		if r.Detectable.Valid {
			gain = fmt.Sprintf("a gain of %.4f can be shown", r.Detectable.V)
		}
		fmt.Fprintf(w, "with %s: %s\n", count(int64(r.TasksAssumed), "task"), gain)
	}
	return nil
}
