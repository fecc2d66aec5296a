package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/hackscan"
	"github.com/rollmill/rollmill/stages/measure"
)

const scanHelp = `Scan tells what a reward is really paying for. It holds everything in which the
rollouts of a task differ - length, tools, what the trajectory betrays, markers,
words and pairs of words - against their rewards, within each task, since that is
what training on groups of rollouts learns from. The floor is what the best of so
many features shows when rewards are shuffled within tasks.

With --endorsed, a part of the name of what the reward is meant to pay for, the
verdict is one of
  train           the reward pays for what is endorsed
  reward_hack     it pays for something else more, or punishes what is endorsed
  pool_exhausted  too many tasks are always passed
  no_signal       nothing goes with the reward more than chance
  degenerate      so few different replies that features cannot be told apart
  unknown         it cannot be told; the warning says why
Without --endorsed nothing can be called a hack.

Features are named tool_calls, tool:NAME, trace:FLAG, marker:NAME, contains:TERM
(the reply), result:TERM (answers of tools), argument:TERM (what tools were
called with), and A AND B where two together are paid. Correlation is no cause:
look at the pairs of rollouts that are shown.

The inputs are read once, and again if a term became frequent late. Standard input is
copied to a temporary file, and what a run left of that kind when it was killed is
removed by the next one.
` + fieldsHelp + `
` + mapHelp

const scanExample = `  rollmill scan rollouts.jsonl.zst --endorsed tool:lookup --endorsed marker:grounded
  rollmill scan step-900.jsonl --before step-100.jsonl --endorsed tool_calls
  rollmill scan rollouts.jsonl --endorsed tool: --fail-on reward_hack --json
  rollmill scan run.jsonl --step training_step --metric markers.gold`

// scanFlags are what scan is told.
type scanFlags struct {
	in       inputFlags
	endorsed []string
	before   string
	failOn   []string
	task     string
	reward   string
	sources  []string
	handOnly bool
	floor    string
	options  hackscan.Options
	step     string
	metric   string
	tmp      string
	report   reportFlags
}

func newScan() *cobra.Command {
	var f scanFlags
	cmd := &cobra.Command{
		Use:     "scan IN...",
		Short:   "Tell what a reward is really paying for",
		Long:    scanHelp,
		Example: scanExample,
		RunE:    func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringArrayVar(&f.endorsed, "endorsed", nil, "the reward is meant to pay for features that have `PATTERN` in their name; repeatable")
	flags.StringVar(&f.before, "before", "", "tell what changed since the rollouts in `FILE`")
	flags.StringSliceVar(&f.failOn, "fail-on", nil, "end with exit code 1 on any of these `VERDICTS`, with commas between")
	flags.StringVar(&f.task, "task", "", "rows with the same `FIELD` are rollouts of one task (default: prompt)")
	flags.StringVar(&f.reward, "reward", "", "the reward stands in `FIELD` (default: reward)")
	flags.StringSliceVar(&f.sources, "sources", sourceWords, "make features of the terms of these `TEXTS`: replies, results, arguments")
	flags.BoolVar(&f.handOnly, "no-terms", false, "make no features of terms")
	flags.IntVar(&f.options.TopTerms, "terms", hackscan.DefaultTopTerms, "make features of the `N` most frequent terms of the replies")
	flags.IntVar(&f.options.MinRows, "min-rows", hackscan.DefaultMinRows, "leave out features that fewer than `N` rows have")
	flags.IntVar(&f.options.Shuffles, "shuffles", hackscan.DefaultShuffles, "shuffle the rewards `N` times for the floor")
	flags.Int64Var(&f.options.Seed, "seed", 0, "shuffle by seed `N`")
	flags.StringVar(&f.floor, "floor", floorWords[1], "make the floor by `WAY`: calibrated, or parity as the reference implementation does, which lets more pass")
	flags.Float64Var(&f.options.Alpha, "alpha", 0, "`SHARE` of the shuffles that may pass the floor (default: calibrated 0.025, parity 0.05)")
	flags.StringVar(&f.step, "step", "", "tell how the reward moved over training steps, which stand in `FIELD`")
	flags.StringVar(&f.metric, "metric", "", "hold it against the metric in `FIELD`, which is not trained on")
	flags.StringVar(&f.tmp, "tmp", "", "copy standard input to `FOLDER`")
	f.in.add(cmd)
	f.report.add(cmd)
	cobra.CheckErr(cmd.RegisterFlagCompletionFunc("fail-on", cobra.FixedCompletions(regimeWords(), cobra.ShellCompDirectiveNoFileComp)))
	cobra.CheckErr(cmd.RegisterFlagCompletionFunc("floor", cobra.FixedCompletions(floorWords, cobra.ShellCompDirectiveNoFileComp)))
	cobra.CheckErr(cmd.RegisterFlagCompletionFunc("sources", cobra.FixedCompletions(sourceWords, cobra.ShellCompDirectiveNoFileComp)))
	return cmd
}

var floorWords = []string{"parity", "calibrated"} // as hackscan numbers them

var sourceWords = []string{"replies", "results", "arguments"}

func regimeWords() (words []string) {
	for _, r := range hackscan.Regimes() {
		words = append(words, string(r))
	}
	return words
}

func (f *scanFlags) run(cmd *cobra.Command, args []string) error {
	if err := f.check(); err != nil {
		return err
	}
	r := &scanReport{}
	var err error
	if r.scanned, err = f.scan(cmd, args); err != nil {
		return err
	}
	if f.before != "" {
		if r.Before, err = f.scan(cmd, []string{f.before}); err != nil {
			return err
		}
		r.Diff = hackscan.Diff(r.Before.Scan, r.Scan, 0)
		r.Before.Scan.List(hackscan.DefaultTopFeatures)
		r.Scan.List(hackscan.DefaultTopFeatures)
	}
	if f.report.json {
		err = printJSON(cmd.OutOrStdout(), r)
	} else {
		err = r.print(cmd.OutOrStdout())
	}
	if regime := string(r.Scan.Regime); err == nil && slices.Contains(f.failOn, regime) {
		return &commandError{exitGateFailed, "the verdict is " + regime}
	}
	return err
}

// check makes the options of the scan.
func (f *scanFlags) check() error {
	for _, word := range f.failOn {
		if !slices.Contains(regimeWords(), word) {
			return usagef("--fail-on: there is no %q; there are %s", word, strings.Join(regimeWords(), ", "))
		}
	}
	o := &f.options
	if o.TopTerms < 1 || o.MinRows < 1 || o.Shuffles < 1 {
		return usagef("--terms, --min-rows and --shuffles want at least 1")
	}
	floor := slices.Index(floorWords, f.floor)
	if floor < 0 {
		return usagef("--floor: there is no %q; there are %s", f.floor, strings.Join(floorWords, " and "))
	}
	o.Floor = hackscan.Floor(floor)
	for _, word := range f.sources {
		at := slices.Index(sourceWords, word)
		if at < 0 {
			return usagef("--sources: there is no %q; there are %s", word, strings.Join(sourceWords, ", "))
		}
		o.Sources |= 1 << at
	}
	o.Endorsed, o.HandOnly, o.Workers = f.endorsed, f.handOnly, f.in.parallel()
	if f.before != "" {
		o.TopFeatures = -1
	}
	if (f.step == "") != (f.metric == "") {
		return usagef("--step and --metric go together: the reward over steps says nothing without a metric that is not trained on")
	}
	if err := o.Validate(); err != nil {
		return usagef("%s", problem(err))
	}
	return nil
}

// scan reads inputs, again if need be, and scans them.
func (f *scanFlags) scan(cmd *cobra.Command, args []string) (*scanned, error) {
	s, err := newSpool(cmd.Context(), args, f.tmp)
	if err != nil {
		return nil, err
	}
	defer s.remove()
	r, err := f.scanSpool(cmd, s)
	return r, s.rename(err)
}

func (f *scanFlags) scanSpool(cmd *cobra.Command, s *spool) (*scanned, error) {
	o, want := f.options, f.options.Fields()
	fields := map[string]*measure.Field{f.task: {}, f.reward: {}, f.step: {}, f.metric: {}}
	for name, field := range fields {
		if err := parseField("scan", name, field); err != nil {
			return nil, err
		}
		want |= field.Fields()
	}
	if task := fields[f.task]; f.task != "" {
		o.Task = task.Text
	}
	number := func(name string) func(*rollout.Row) (float64, bool) {
		if name == "" {
			return nil
		}
		field := fields[name]
		return func(r *rollout.Row) (float64, bool) { return field.Value(r).Float() }
	}
	o.Step, o.Metric = number(f.step), number(f.metric)
	if fields[f.reward].Name() != "reward" { // which by itself knows of graders that failed
		o.Reward = number(f.reward)
	}
	first, err := hackscan.NewFirst(o)
	if err != nil {
		return nil, err
	}
	reader, err := f.in.open(s.args, want, want)
	if err != nil {
		return nil, err
	}
	r := &scanned{spool: s}
	r.gathered, err = readRows(cmd, &f.in, f.report.quiet, reader, first.Read, first.Add)
	if err != nil {
		return nil, err
	}
	second := first.Second()
	if second.Needed() {
		if reader, err = f.in.open(s.args, want, want); err != nil {
			return nil, err
		}
		var failed error
		if _, err = readRows(cmd, &f.in, f.report.quiet, reader, second.Read, func(p *hackscan.SecondPage) {
			if failed == nil {
				failed = second.Add(p)
			}
		}); err != nil {
			return nil, err
		}
		if failed != nil {
			return nil, failed
		}
	}
	for i := range r.Inputs {
		r.Inputs[i].Path = s.name(r.Inputs[i].Path)
	}
	r.Scan, err = second.Report(cmd.Context())
	return r, err
}
