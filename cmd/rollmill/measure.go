package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rollmill/rollmill/stages/measure"
	"github.com/rollmill/rollmill/stats"
)

const measureHelp = `Measure tells how often rollouts pass: pass@1, the chance that at least one of k
passes (pass@k), the chance that all k pass (pass^k), the headroom between them,
and the mean of every marker, each with a 95 % interval over tasks. Rollouts of
one task are not independent, so tasks are what is resampled.

Beside the figures stands what they rest on: tasks, rollouts, and those without a
verdict. A rollout that nobody scored is in no rate and never a zero. A task with
fewer than k verdicts has no pass@k; when no task has k, there is none.

Attempts that follow on each other are no samples of one policy: when in all tasks
the failures come first, by rollout_index, pass@k and pass^k are withheld and the
share of tasks solved within 1, 2, 3, ... attempts is told instead; --attempts
says which it is.
` + fieldsHelp + `
` + mapHelp

const measureExample = `  rollmill measure rollouts.jsonl.zst
  rollmill measure airline.json --k 1,2,3,4 --by rollout_index
  rollmill measure samples.jsonl --each list --map prompt=question,reward=.ok --k 10
  rollmill measure a.jsonl b.jsonl c.jsonl --runs @input --json`

// measureFlags are what measure is told.
type measureFlags struct {
	in       inputFlags
	group    groupFlags
	ks       string
	by       []string
	runs     string
	attempts string
	resample resampleFlags
	report   reportFlags
}

func newMeasure() *cobra.Command {
	var f measureFlags
	cmd := &cobra.Command{
		Use:     "measure IN...",
		Short:   "Tell how often rollouts pass, with intervals",
		Long:    measureHelp,
		Example: measureExample,
		RunE:    func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.ks, "k", "", "tell pass@k and pass^k at each of these `NUMBERS`, with commas between (default: the rollouts of the smallest task, from 4 on)")
	flags.StringArrayVar(&f.by, "by", nil, "tell the figures of each value of `FIELD` too; repeatable")
	f.group.add(cmd)
	flags.StringVar(&f.attempts, "attempts", "", "rollouts of a task are independent or sequential, a `WORD` (default: found out)")
	flags.StringVar(&f.runs, "runs", "", "tell how far runs scatter, of which `FIELD` names that of a row, such as lineage.eval_run")
	f.resample.add(cmd)
	f.in.add(cmd)
	f.report.add(cmd)
	cobra.CheckErr(cmd.RegisterFlagCompletionFunc("attempts", cobra.FixedCompletions([]string{"independent", "sequential"}, cobra.ShellCompDirectiveNoFileComp)))
	return cmd
}

func (f *measureFlags) run(cmd *cobra.Command, args []string) error {
	ks, err := parseKs(f.ks)
	if err != nil {
		return err
	}
	o, err := f.options()
	if err != nil {
		return err
	}
	a := measure.New(o)
	from, err := gather(cmd, &f.in, f.report.quiet, args, o.Fields(), a, func() *measure.Accumulator { return measure.New(o) })
	if err != nil {
		return err
	}
	result := a.Result()
	nameInputs(result, from)
	r, err := f.measure(result, ks)
	if err != nil {
		return err
	}
	r.gathered = from
	if f.report.json {
		return printJSON(cmd.OutOrStdout(), r)
	}
	return r.print(cmd.OutOrStdout())
}

// options are those of the accumulator.
func (f *measureFlags) options() (measure.Options, error) {
	o := measure.Options{Markers: true, Config: true}
	switch f.attempts {
	case "", "independent", "sequential":
	default:
		return o, usagef("--attempts: there is no %q; there are independent and sequential", f.attempts)
	}
	if err := f.resample.check(); err != nil {
		return o, err
	}
	for _, name := range f.by {
		var field measure.Field
		if err := parseField("--by", name, &field); err != nil {
			return o, err
		}
		o.By = append(o.By, field)
	}
	if err := parseField("--runs", f.runs, &o.Run); err != nil {
		return o, err
	}
	return o, f.group.apply(&o)
}

// parseKs reads the numbers of --k.
func parseKs(text string) (ks []int, err error) {
	if text == "" {
		return nil, nil
	}
	for _, word := range strings.Split(text, ",") {
		k, err := strconv.Atoi(word)
		if err != nil || k < 1 {
			return nil, usagef("--k %s: want numbers from 1 on, with commas between", text)
		}
		ks = append(ks, k)
	}
	return ks, nil
}

// nameInputs calls slices and runs by the names of inputs, where they are by
// their numbers.
func nameInputs(result *measure.Result, from *gathered) {
	name := func(label *string) {
		if n, err := strconv.ParseUint(*label, 10, 32); err == nil {
			*label = from.reader.InputName(uint32(n))
		}
	}
	for _, s := range result.Slices {
		for i := range s.Parts {
			if s.Field == measure.Input.Name() {
				name(&s.Parts[i].Label)
			}
		}
	}
	for i := range result.Runs {
		if result.RunField == measure.Input.Name() {
			name(&result.Runs[i].Label)
		}
	}
}

// measure computes the figures.
func (f *measureFlags) measure(result *measure.Result, ks []int) (*measureReport, error) {
	o := measure.PassOptions{Attempts: measure.Attempts(f.attempts)}
	o.Bootstrap = f.resample.options()
	if ks != nil {
		o.MinK = 1 // who asks for a k gets it
	}
	r := &measureReport{Threshold: stats.Null[float64]{}, Findings: result.Findings()}
	if f.group.given.Flags().Changed("threshold") {
		r.Threshold = stats.Of(f.group.threshold)
	}
	var err error
	if r.rateReport, err = ratesOf(&result.Figures, func() ([]*stats.PassReport, error) { return result.PassAt(o, ks...) }); err != nil {
		return nil, err
	}
	r.Clusters = stats.ClusterRobust(result.Tasks(), 0)
	for _, p := range r.Pass {
		for _, finding := range p.Findings {
			if finding.Code == measure.CodeSequential {
				r.Solved = result.SolvedBy()
			}
		}
	}
	for _, m := range result.Markers() {
		r.Markers = append(r.Markers, stats.Summarize(m, f.resample.options()))
	}
	for _, s := range result.Slices {
		slices := slicesReport{Field: s.Field, Unsaid: s.Unsaid, Slices: []rateReport{}}
		for i := range s.Parts {
			part := &s.Parts[i]
			rates, err := ratesOf(part, func() ([]*stats.PassReport, error) { return part.PassAt(o, ks...) })
			if err != nil {
				return nil, err
			}
			slices.Slices = append(slices.Slices, rates)
		}
		r.Slices = append(r.Slices, slices)
	}
	if len(result.Runs) > 0 {
		if r.Runs, err = stats.EvalVariance(result.Runs, "", result.NoRun); err != nil {
			return nil, fmt.Errorf("measure the runs: %w", err)
		}
	}
	return r, nil
}

func ratesOf(f *measure.Figures, passAt func() ([]*stats.PassReport, error)) (rateReport, error) {
	reports, err := passAt()
	if err != nil {
		return rateReport{}, err
	}
	r := rateReport{Label: f.Label, Rows: f.Rows(), Coverage: reports[0].Coverage, Pass: reports}
	for _, p := range reports {
		if at := measure.BoundsOf(p); at.Any() {
			r.AtBounds = append(r.AtBounds, at)
		}
	}
	return r, nil
}
