package main

import (
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/measure"
	"github.com/rollmill/rollmill/stages/selection"
	"github.com/rollmill/rollmill/stats"
)

const selectHelp = `Select keeps the rows that carry signal and says of all others why not.

--mode rl keeps whole groups of rollouts of one task, for updates that compare
within a group. In this order it drops tasks that an earlier round ruled out
(--prior), replies that leak what only the grader may know, broken replies, rows
that do nothing where a tool is wanted, rows without a verdict of 0 or 1,
duplicates, cut replies (--truncated), tasks whose verdicts are all equal, and
tasks whose pass rate is outside the --band. What is left is written task by task,
spread over faults and pass rates, and each row is stamped with how hard its task
was found to be (calibration).

--mode sft keeps replies to imitate: those with a reward of --min-reward at least,
one a prompt unless --rule says otherwise, spread over behaviours. Hold every rule
against its control: --rule random_k_overall --min-reward 0 at the same count.

--mode pairs pairs a better and a worse reply to one prompt, of like length.

Every record is accounted for:

  in 1,000 = kept 212 + dropped 785 + quarantined 3

and with --dropped FILE the dropped rows are written too, each with the gate at
which it ended. A --by FIELD slice of which nothing is left is told, with the gate
that took its last rows. The inputs are read twice; standard input is copied to a
temporary file, and what a run left of that kind when it was killed is removed by the
next one.
` + fieldsHelp + `
` + mapHelp

const selectExample = `  rollmill select rollouts.jsonl.zst -o train.jsonl.zst
  rollmill select rollouts.jsonl -o train.parquet --target 5000 --holdout 0.05 --by category
  rollmill select rollouts.jsonl -o sft.jsonl --mode sft --min-reward 0.8 --target 2000
  rollmill select rollouts.jsonl -o pairs.jsonl --mode pairs --dropped rest.jsonl.zst`

// selectFlags are what select is told.
type selectFlags struct {
	in         inputFlags
	out        string
	options    selection.Options
	mode       string
	band       string
	confidence bool
	truncated  string
	order      string
	textGates  string
	prior      string
	rule       string
	minReward  float64
	by         string
	seed       int64

	dropped     string
	holdoutTo   string
	rowsPerFile int64
	quarantine  string
	force       bool
	dryRun      bool
	tmp         string
	report      reportFlags
}

// confidence is the level of the interval that --band-confidence holds against
// the band.
const confidence = 0.8

func newSelect() *cobra.Command {
	var f selectFlags
	cmd := &cobra.Command{
		Use:     "select IN... -o OUT",
		Short:   "Keep the rows that carry signal, and say why not the others",
		Long:    selectHelp,
		Example: selectExample,
		RunE:    func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	o := &f.options
	flags.StringVarP(&f.out, "output", "o", "", "write to `OUT`, - for standard output")
	words(cmd, &f.mode, "mode", selection.RL, "select for `MODE`: ", selection.RL, selection.SFT, selection.Pairs)
	flags.IntVar(&o.Target, "target", 0, "stop at `N` rows, or pairs; the last group stays whole (default: all)")
	flags.StringVar(&f.by, "by", "", "tell what is left of each value of `FIELD`")
	flags.Float64Var(&o.Holdout, "holdout", 0, "set aside this `SHARE` of the tasks, all rows of a task or none")
	flags.StringVar(&f.holdoutTo, "holdout-to", "", "write the rows set aside to `FILE` (default: OUT.holdout and its ending)")
	flags.Int64Var(&f.seed, "seed", 0, "draw what is held out, and what random rules take, by seed `N`")

	flags.StringVar(&f.band, "band", "", "rl: keep tasks with a pass rate from `LOW,HIGH` on, ends included (default: 0.2,0.8)")
	flags.BoolVar(&f.confidence, "band-confidence", false, "rl: keep a task whose 80 % interval meets the band: 1 of 8 may be many a rate")
	flags.BoolVar(&o.RL.IgnoreBand, "ignore-band", false, "rl: keep tasks outside the band too, behind the others")
	words(cmd, &f.truncated, "truncated", selection.DropTruncated, "rl: what becomes of cut replies, a `WORD`: ", selection.DropTruncated, selection.KeepTruncated, selection.PenalizeTruncated)
	words(cmd, &f.order, "order", selection.Spread, "rl: draw the tasks by pass rate in this `ORDER`: ", selection.Spread, selection.Middle)
	words(cmd, &f.textGates, "text-gates", selection.AutoText, "rl: look at replies, a `WORD`: ", selection.AutoText, selection.RequireText, selection.SkipText)
	flags.BoolVar(&o.RL.NoTools, "no-tools", false, "rl: the agent had no tools, so none is asked for")
	flags.BoolVar(&o.RL.KeepDuplicate, "keep-duplicates", false, "rl: keep rows that repeat another")
	flags.StringVar(&f.prior, "prior", "", "rl: drop tasks that were outside the band in the rollouts in `FILE`")

	words(cmd, &f.rule, "rule", selection.TopPerPrompt, "sft: take by `RULE`: ", selection.TopPerPrompt, selection.RandomPerPrompt, selection.TopKOverall, selection.RandomKOverall)
	flags.IntVar(&o.SFT.K, "k", 0, "sft: rows that the overall rules take, `N` (default: --target)")
	flags.Float64Var(&f.minReward, "min-reward", 1, "sft: least reward `X` of a row")

	flags.IntVar(&o.Pairs.MaxPerPrompt, "max-pairs", 1, "pairs: at most `N` of a prompt")
	flags.Float64Var(&o.Pairs.MinMargin, "min-margin", 1, "pairs: the rewards differ by `X` at least")
	flags.BoolVar(&o.Pairs.AnyLength, "any-length", false, "pairs: do not look for replies of like length")

	flags.StringVar(&f.dropped, "dropped", "", "write the dropped rows to `FILE`, with the gate of each")
	flags.Int64Var(&f.rowsPerFile, "rows-per-file", 0, "begin a new file after `N` rows: OUT-00000.jsonl, OUT-00001.jsonl (default: one file)")
	flags.StringVar(&f.quarantine, "quarantine", "", "write records that cannot be read to `FILE` (default: OUT.quarantine.jsonl, if there are any)")
	flags.BoolVar(&f.force, "force", false, "replace files that are there")
	flags.BoolVar(&f.dryRun, "dry-run", false, "read and report, and write nothing")
	flags.StringVar(&f.tmp, "tmp", "", "keep temporary files in `FOLDER`")
	f.in.add(cmd)
	f.report.add(cmd)
	return cmd
}

// wordsOf is under what a flag that takes one of some words notes them.
const wordsOf = "rollmill words"

// words adds a flag that takes one of some words.
func words[T ~string](cmd *cobra.Command, into *string, name string, def T, usage string, list ...T) {
	var all []string
	for _, w := range list {
		all = append(all, string(w))
	}
	cmd.Flags().StringVar(into, name, string(def), usage+strings.Join(all, ", "))
	cobra.CheckErr(cmd.Flags().SetAnnotation(name, wordsOf, all))
	cobra.CheckErr(cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(all, cobra.ShellCompDirectiveNoFileComp)))
}

func (f *selectFlags) run(cmd *cobra.Command, args []string) error {
	if f.rowsPerFile < 0 {
		return usagef("--rows-per-file %d: want at least 1", f.rowsPerFile)
	}
	if err := f.settle(); err != nil {
		return err
	}
	s := &selecting{flags: f, cmd: cmd, inputs: &spool{args: args}}
	if err := s.check(); err != nil { // before standard input is copied
		return err
	}
	inputs, err := newSpool(cmd.Context(), args, f.tmp)
	if err != nil {
		return err
	}
	defer inputs.remove()
	s.inputs = inputs
	return inputs.rename(s.run())
}

// settle makes the options of the selection of the flags.
func (f *selectFlags) settle() error {
	o := &f.options
	o.Mode = selection.Mode(f.mode)
	o.HoldoutSeed, o.SFT.Seed = f.seed, f.seed
	o.RL.Truncated, o.RL.Order, o.RL.TextGates = selection.Truncation(f.truncated), selection.Order(f.order), selection.TextGates(f.textGates)
	o.SFT.Rule, o.SFT.MinReward = selection.Rule(f.rule), stats.Of(f.minReward)
	if err := f.settleBand(); err != nil {
		return err
	}
	if f.by != "" {
		var field measure.Field
		if err := parseField("--by", f.by, &field); err != nil {
			return err
		}
		o.By, o.ByName, o.ByFields = func(r *rollout.Row) string { return field.Text(r) }, field.Name(), field.Fields()
	}
	if o.Pairs.MaxPerPrompt < 1 {
		return usagef("--max-pairs %d: want at least 1", o.Pairs.MaxPerPrompt)
	}
	if _, err := selection.New(*o); err != nil {
		return usagef("%s", strings.TrimPrefix(err.Error(), "selection: "))
	}
	return nil
}

func (f *selectFlags) settleBand() error {
	b := &f.options.RL.Band
	b.Low, b.High = selection.DefaultLow, selection.DefaultHigh
	if f.band != "" {
		low, high, ok := strings.Cut(f.band, ",")
		var errLow, errHigh error
		b.Low, errLow = strconv.ParseFloat(low, 64)
		b.High, errHigh = strconv.ParseFloat(high, 64)
		if !ok || errLow != nil || errHigh != nil || b.High == 0 {
			return usagef("--band %s: want two pass rates, as in 0.2,0.8", f.band)
		}
	}
	if f.confidence {
		b.Confidence = confidence
	}
	return nil
}
