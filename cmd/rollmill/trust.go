package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/rollmill/rollmill/stages/measure"
	"github.com/rollmill/rollmill/stats"
)

const trustHelp = `Trust holds the labels of a judge against those of people or of a program: how
often they agree, with its interval, Cohen's kappa, which failures the judge lets
pass, whether it favours long replies. A judge passes when the lower end of the
interval and kappa reach their floors and nothing else stands against it.

The labels of the judge stand in --label, those to judge it by in --gold; several
columns of --gold count by majority. Or the gold labels stand in another file,
--gold-from, and are joined by --id. Labels are 0 and 1 in the columns reward and
gold_reward, and true and false in others too.

Gold must be of people or a program to prove anything: each row says so as its
gold_kind, or --gold-kind says it of all. In a file of its own, what says neither
counts as the labels of another model.

With --categories labels may be of any kind, such as 0, 1 and 2 for a tie and two
answers: told are agreement and kappa of each two columns of --gold, Krippendorff's
alpha, and the agreement of --label with the majority.
` + fieldsHelp + `
` + mapHelp

const trustExample = `  rollmill trust judged.jsonl --gold gold_reward
  rollmill trust judged.jsonl --label judge_score --gold ann,bob,cyd --gold-kind human
  rollmill trust judged.jsonl --gold-from people.jsonl --gold label --id rollout_id
  rollmill trust pairs.json --gold ann,bob,cyd --categories`

// trustFlags are what trust is told.
type trustFlags struct {
	in         inputFlags
	label      string
	gold       []string
	goldFrom   string
	goldKind   string
	id         string
	task       string
	categories bool
	require    bool
	options    stats.TrustOptions
	resample   resampleFlags
	report     reportFlags
	twins      *gathered
}

func newTrust() *cobra.Command {
	var f trustFlags
	cmd := &cobra.Command{
		Use:     "trust IN...",
		Short:   "Say whether a judge may be believed",
		Long:    trustHelp,
		Example: trustExample,
		RunE:    func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.label, "label", "", "the judge's labels stand in `FIELD` (default: reward)")
	flags.StringSliceVar(&f.gold, "gold", nil, "gold labels stand in `FIELDS`, with commas between (default: gold_reward, in a file of their own reward)")
	flags.StringVar(&f.goldFrom, "gold-from", "", "gold labels stand in `FILE`, which is read as the others are")
	flags.StringVar(&f.id, "id", "", "the `FIELD` by which rows of two files are joined (default: @key)")
	flags.StringVar(&f.goldKind, "gold-kind", "", "gold labels are of this `KIND`: human, program or model (default: the gold_kind of each row)")
	flags.StringVar(&f.task, "task", "", "rows with the same `FIELD` are of one task (default: scenario_id, else task_id, else prompt)")
	flags.BoolVar(&f.categories, "categories", false, "labels are categories of any kind")
	flags.BoolVar(&f.require, "require", false, "end with exit code 1 unless the judge passes")
	flags.Float64Var(&f.options.MinAgreement, "min-agreement", stats.DefaultMinAgreement, "floor of the lower end of agreement, a `SHARE`")
	flags.Float64Var(&f.options.MinKappa, "min-kappa", stats.DefaultMinKappa, "floor of `KAPPA`")
	flags.BoolVar(&f.options.AllowModelGold, "allow-model-gold", false, "labels of a model will do as gold")
	f.resample.add(cmd)
	f.in.add(cmd)
	f.report.add(cmd)
	cobra.CheckErr(cmd.RegisterFlagCompletionFunc("gold-kind", cobra.FixedCompletions(goldKinds, cobra.ShellCompDirectiveNoFileComp)))
	return cmd
}

var goldKinds = []string{stats.KindHuman, stats.KindProgram, stats.KindModel}

func (f *trustFlags) run(cmd *cobra.Command, args []string) error {
	o, err := f.labelOptions()
	if err != nil {
		return err
	}
	if f.goldFrom != "" {
		o.Twins = measure.NewTwins(o.Gold)
		gold := f.in
		gold.mute = true // what is mapped may stand in the other inputs alone
		f.twins, err = gather(cmd, &gold, f.report.quiet, []string{f.goldFrom}, o.Twins.Fields(), o.Twins,
			func() *measure.Twins { return measure.NewTwins(o.Gold) })
		if err != nil {
			return err
		}
	}
	labels := measure.NewLabels(o)
	from, err := gather(cmd, &f.in, f.report.quiet, args, labels.Fields(), labels, func() *measure.Labels { return measure.NewLabels(o) })
	if err != nil {
		return err
	}
	r := &trustReport{gathered: from, Gold: f.twins, Labelled: labels.Rows(), Unmatched: labels.Unmatched()}
	if f.categories {
		if r.Raters, err = labels.Raters(f.resample.options()); err != nil {
			return &commandError{exitBadInput, problem(err)}
		}
	} else {
		r.Trust = stats.Trust(labels.Trust(), f.options)
	}
	if f.report.json {
		err = printJSON(cmd.OutOrStdout(), r)
	} else {
		err = r.print(cmd.OutOrStdout())
	}
	if err == nil && f.require && (r.Trust == nil || !r.Trust.OK) {
		return &commandError{exitGateFailed, "the judge does not pass"}
	}
	return err
}

func (f *trustFlags) labelOptions() (o measure.LabelOptions, err error) {
	if f.goldKind != "" && !slices.Contains(goldKinds, f.goldKind) {
		return o, usagef("--gold-kind: there is no %q; there are human, program and model", f.goldKind)
	}
	if f.id != "" && f.goldFrom == "" {
		return o, usagef("--id joins two files; say with --gold-from which is the other")
	}
	if f.categories && f.require {
		return o, usagef("--require asks for a verdict, and --categories gives none")
	}
	if err := f.resample.check(); err != nil {
		return o, err
	}
	if err := parseField("--label", f.label, &o.Judge); err != nil {
		return o, err
	}
	if err := parseField("--task", f.task, &o.Task); err != nil {
		return o, err
	}
	if err := parseField("--id", f.id, &o.Gold.Key); err != nil {
		return o, err
	}
	for _, name := range f.gold {
		var field measure.Field
		if err := parseField("--gold", name, &field); err != nil {
			return o, err
		}
		o.Gold.Columns = append(o.Gold.Columns, field)
	}
	o.Gold.Kind = f.goldKind
	return o, nil
}

// trustReport is what trust reports.
type trustReport struct {
	*gathered `json:",inline"`
	Gold      *gathered             `json:"gold,omitzero"` // the file of gold labels
	Labelled  int                   `json:"labelled"`      // rows with a gold label
	Unmatched int                   `json:"unmatched"`     // rows of which the file of gold labels knows nothing
	Trust     *stats.TrustReport    `json:"trust,omitzero"`
	Raters    *measure.RatersReport `json:"raters,omitzero"`
}

func (r *trustReport) print(w io.Writer) error {
	if r.Gold != nil {
		r.Gold.print(w)
	}
	r.gathered.print(w)
	fmt.Fprintf(w, "%s, %s with a gold label", count(r.Rows, "row"), grouped(int64(r.Labelled)))
	if r.Gold != nil {
		fmt.Fprintf(w, ", %s without a twin in %s", grouped(int64(r.Unmatched)), count(r.Gold.Rows, "row"))
	}
	fmt.Fprintln(w)
	fmt.Fprintln(w)
	if r.Raters != nil {
		return r.printRaters(w)
	}
	_, err := fmt.Fprintln(w, cleanLines(r.Trust.String()))
	return err
}

// confusionShown is how many categories a table of them may have.
const confusionShown = 12

func (r *trustReport) printRaters(w io.Writer) error {
	fmt.Fprintln(w, cleanLines(r.Raters.String()))
	if n := len(r.Raters.Categories); n > 0 && n <= confusionShown {
		fmt.Fprintln(w)
		if err := printTable(w, r.printConfusion); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "\n%g %% intervals over tasks: percentile bootstrap of %s draws, seed %d\n",
		100*r.Raters.Resampling.Level, grouped(int64(r.Raters.Resampling.Draws)), r.Raters.Resampling.Seed)
	return err
}

func (r *trustReport) printConfusion(w io.Writer) {
	fmt.Fprint(w, "GOLD \\ JUDGE")
	for _, c := range r.Raters.Categories {
		fmt.Fprint(w, "\t"+excerpt(c, 20))
	}
	fmt.Fprintln(w)
	for i, row := range r.Raters.Confusion {
		fmt.Fprint(w, excerpt(r.Raters.Categories[i], 20))
		for _, n := range row {
			fmt.Fprint(w, "\t"+grouped(int64(n)))
		}
		fmt.Fprintln(w)
	}
}
