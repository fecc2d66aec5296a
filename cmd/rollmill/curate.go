package main

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rollmill/rollmill/formats/files"
	"github.com/rollmill/rollmill/stages/curate"
	"github.com/rollmill/rollmill/stages/decontaminate"
	"github.com/rollmill/rollmill/stages/grade"
	"github.com/rollmill/rollmill/stages/grade/sandbox"
	"github.com/rollmill/rollmill/stages/grade/verify"
	"github.com/rollmill/rollmill/stages/hackscan"
	"github.com/rollmill/rollmill/stages/measure"
	"github.com/rollmill/rollmill/stages/selection"
)

const curateHelp = `Curate is the whole line: it grades rollouts (--with, else they keep their reward),
finds those that hold evaluation items (--against), measures pass@k, scans for what
the reward pays for, selects for a purpose (--mode), and writes a folder:

  train.parquet     the rows to train on, in the order of the plan
  rows.arrow        every row, with all that was found about it and the gate at
                    which it ended
  quarantine.jsonl  records that cannot be read, which rollmill replay feeds back
  report.html       what was found, for people; report.json for programs
  manifest.json     arguments, inputs and outputs with their hashes, counts
  job.yaml          the job as it was settled, which --job does again
  run.json          times, workers, host

Every record is accounted for:

  in 1,000 = kept 212 + dropped 785 + quarantined 3

The same inputs and arguments give the same bytes, for any number of workers. A
folder that holds the same run finished is left alone and reported; one that holds
it unfinished, after kill -9, a full disk or Ctrl-C, is continued, and ends with the
same bytes; any other is refused without --force, and so is one in which another run
is at work. Folders and patterns that are read leave OUT out, and what is named in
it is refused. Standard input is copied beside the spool, to be read twice, and the
same input has to come again when a run is to go on; a copy that a run left when it
was killed is removed by the next one that writes to OUT, or copies to the same --tmp.

SHAPES
  --shape messages writes train.jsonl as TRL's SFTTrainer takes it: messages, with
  arguments of calls as objects, and tools; of --mode pairs prompt, chosen and
  rejected, as DPOTrainer does. --shape prompt writes a line a task for GRPOTrainer:
  prompt, task_id, reference, tools, and as info, JSON text, what only the grader
  may know. Rows that do not fit end at the gate shape. These shapes are JSON Lines;
  the holdout is always rows.
` + jobHelp + `
` + againstHelp + `

GRADERS
` + verify.Grammar + `
` + mapHelp

const curateExample = `  rollmill curate rollouts.jsonl.zst --against evals/ --with math --mode rl -o out/
  rollmill curate runs/ -o out/ --mode sft --min-reward 0.8 --target 2000 --format jsonl
  rollmill curate runs/ -o out/ --mode sft --shape messages --limit 1000 --dry-run
  zstdcat runs/*.zst | rollmill curate - --against test.jsonl --with numeric -o out/
  rollmill curate --job out/job.yaml -o again/`

// curateFlags are what curate is told: the flags of the single commands.
type curateFlags struct {
	in       inputFlags
	out      string
	job      string
	jobFile  *jobFile
	format   string
	shape    string
	perFile  int64
	limit    int64
	sample   float64
	dryRun   bool
	graders  gradeFlags
	compared decontaminateFlags
	scan     scanFlags
	sel      selectFlags
	noScan   bool
	ks       string
	seed     int64
	tmp      string
	partRows int
	force    bool
	report   reportFlags
}

func newCurate() *cobra.Command {
	var f curateFlags
	cmd := &cobra.Command{
		Use:     "curate IN... -o OUT",
		Short:   "The whole line: grade, decontaminate, scan, select, write",
		Long:    curateHelp,
		Example: curateExample,
		RunE:    func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVarP(&f.out, "output", "o", "", "write to the folder `OUT` (default: that of the job file, if a run left it there)")
	flags.StringVar(&f.job, "job", "", "take flags and inputs from `FILE`, see above")
	words(cmd, &f.format, "format", curate.Format(""), "the training file is of this `FORMAT` (default: parquet, and jsonl for pairs and other shapes): ", curate.Parquet, curate.JSONL, curate.Arrow)
	words(cmd, &f.shape, "shape", curate.RowShape, "a line of it is a `SHAPE`, see above: ", curate.RowShape, curate.MessagesShape, curate.PromptShape)
	flags.Int64Var(&f.perFile, "rows-per-file", 0, "begin a new training file after `N` rows: train-00000.parquet, train-00001.parquet (default: one file)")
	flags.Int64Var(&f.limit, "limit", 0, "read `N` rows and no more (default: all)")
	flags.Float64Var(&f.sample, "sample", 1, "read this `SHARE` of the tasks, all rows of a task or none")

	flags.StringVar(&f.graders.with, "with", "", "the reward is the verdict of `GRADER` (default: rows keep theirs)")
	flags.StringArrayVar(&f.graders.markers, "marker", nil, "the verdict of a further grader becomes a marker, `NAME=GRADER`; repeatable")
	flags.StringVar(&f.graders.gold, "gold", "", "the reference stands in `FIELD`")
	flags.StringVar(&f.graders.answer, "answer", "", "the answer stands in `FIELD` (default: final_text)")
	flags.DurationVar(&f.graders.timeout, "timeout", 0, "a grader, or code, may take this `TIME` a row (default: 10s for code, no bound for others)")
	flags.IntVar(&f.graders.inFlight, "in-flight", 0, "run the code of `N` rows at a time (default: one a worker)")
	flags.StringVar(&f.graders.level, "sandbox", sandbox.Full.String(), "code runs at this `LEVEL`: full or weak")
	flags.Int64Var(&f.graders.failures, "max-failures", grade.DefaultBudget, "stop when a grader fails on more than `N` rows; -1 for never")

	flags.StringArrayVar(&f.compared.against, "against", nil, "compare with the evaluation sets in `PATH`, or a saved index; repeatable")
	flags.StringArrayVar(&f.compared.rules, "rule", nil, "flag rows by `RULE`, as rollmill decontaminate has them; repeatable (default: windowed)")
	flags.StringVar(&f.compared.parts, "parts", "", "compare these `PARTS` of a row (default: all)")
	flags.IntVar(&f.compared.maxItems, "max-items", 0, "take n-grams of more than `N` evaluation texts for no evidence (default: the rules decide)")
	f.compared.sets.add(cmd)

	flags.StringVar(&f.scan.task, "scan-task", "", "to the scan, rows with the same `FIELD` are rollouts of one task, as for rollmill scan --task (default: prompt; pass@k and selection go by scenario_id, else task_id, else prompt)")
	flags.BoolVar(&f.noScan, "no-scan", false, "leave the hack scan out")
	flags.StringArrayVar(&f.scan.endorsed, "endorsed", nil, "the reward is meant to pay for features that have `PATTERN` in their name; repeatable")
	flags.IntVar(&f.scan.options.Shuffles, "shuffles", hackscan.DefaultShuffles, "shuffle the rewards `N` times for the floor of the scan")
	words(cmd, &f.scan.floor, "floor", floorWords[1], "make the floor of the scan by `WAY`: ", floorWords...)

	words(cmd, &f.sel.mode, "mode", selection.RL, "select for `MODE`: ", selection.RL, selection.SFT, selection.Pairs)
	o := &f.sel.options
	flags.IntVar(&o.Target, "target", 0, "stop at `N` rows, or pairs; the last group stays whole (default: all)")
	flags.StringVar(&f.sel.by, "by", "", "tell what is left of each value of `FIELD`")
	flags.Float64Var(&o.Holdout, "holdout", 0, "set aside this `SHARE` of the tasks, all rows of a task or none")
	flags.StringVar(&f.sel.band, "band", "", "rl: keep tasks with a pass rate from `LOW,HIGH` on, ends included (default: 0.2,0.8)")
	flags.BoolVar(&f.sel.confidence, "band-confidence", false, "rl: keep a task whose 80 % interval meets the band")
	flags.BoolVar(&o.RL.IgnoreBand, "ignore-band", false, "rl: keep tasks outside the band too, behind the others")
	words(cmd, &f.sel.truncated, "truncated", selection.DropTruncated, "rl: what becomes of cut replies, a `WORD`: ", selection.DropTruncated, selection.KeepTruncated, selection.PenalizeTruncated)
	words(cmd, &f.sel.order, "order", selection.Spread, "rl: draw the tasks by pass rate in this `ORDER`: ", selection.Spread, selection.Middle)
	words(cmd, &f.sel.textGates, "text-gates", selection.AutoText, "rl: look at replies, a `WORD`: ", selection.AutoText, selection.RequireText, selection.SkipText)
	flags.BoolVar(&o.RL.NoTools, "no-tools", false, "rl: the agent had no tools, so none is asked for")
	flags.BoolVar(&o.RL.KeepDuplicate, "keep-duplicates", false, "rl: keep rows that repeat another")
	flags.StringVar(&f.sel.prior, "prior", "", "rl: drop tasks that were outside the band in the rollouts in `FILE`")
	words(cmd, &f.sel.rule, "sft-rule", selection.TopPerPrompt, "sft: take by `RULE`: ", selection.TopPerPrompt, selection.RandomPerPrompt, selection.TopKOverall, selection.RandomKOverall)
	flags.IntVar(&o.SFT.K, "sft-k", 0, "sft: rows that the overall rules take, `N` (default: --target)")
	flags.Float64Var(&f.sel.minReward, "min-reward", 1, "sft: least reward `X` of a row")
	flags.IntVar(&o.Pairs.MaxPerPrompt, "max-pairs", 1, "pairs: at most `N` of a prompt")
	flags.Float64Var(&o.Pairs.MinMargin, "min-margin", 1, "pairs: the rewards differ by `X` at least")
	flags.BoolVar(&o.Pairs.AnyLength, "any-length", false, "pairs: do not look for replies of like length")
	flags.StringVar(&f.ks, "k", "", "tell pass@k and pass^k at each of these `NUMBERS` (default: the rollouts of the smallest task, from 4 on)")
	flags.Int64Var(&f.seed, "seed", 0, "draw by seed `N`: intervals, shuffles, the sample, the holdout, random rules")

	flags.StringVar(&f.tmp, "tmp", "", "keep the spool, and what is copied of standard input, in `FOLDER` (default: in OUT)")
	flags.IntVar(&f.partRows, "part-rows", curate.DefaultPartRows, "a run that is cut off grades at most about `N` rows again; record batches of rows.arrow hold no more")
	flags.BoolVar(&f.force, "force", false, "replace what another run left in OUT")
	flags.BoolVar(&f.dryRun, "dry-run", false, "say what would be done, and do nothing")
	f.in.add(cmd)
	cmd.Args = cobra.ArbitraryArgs // a job file may say them
	f.report.add(cmd)
	return cmd
}

func (f *curateFlags) run(cmd *cobra.Command, args []string) error {
	if f.job == "" {
		return f.curate(cmd, args)
	}
	args, err := f.readJob(cmd, args)
	if err != nil {
		return err
	}
	return f.jobFile.blame(f.curate(cmd, args))
}

func (f *curateFlags) curate(cmd *cobra.Command, args []string) error {
	if err := f.in.arguments(cmd, args); err != nil {
		return err
	}
	switch {
	case f.out == "" || f.out == files.Stdin:
		return usagef("say which folder to write to: -o OUT")
	case f.limit < 0:
		return usagef("--limit %d: want at least 1", f.limit)
	case !(f.sample > 0 && f.sample <= 1):
		return usagef("--sample %g: want a share above 0 and up to 1", f.sample)
	case f.perFile < 0:
		return usagef("--rows-per-file %d: want at least 1", f.perFile)
	}
	if err := f.apart(args); err != nil {
		return err
	}
	f.in.mine = func(path string) bool { return isWithin(path, f.out) }
	if f.dryRun {
		return (&rehearsal{flags: f, cmd: cmd, args: args}).run()
	}
	inputs, err := f.spool(cmd.Context(), args)
	if err != nil {
		return err
	}
	defer inputs.remove()
	return inputs.rename((&curating{flags: f, cmd: cmd, args: args, inputs: inputs}).run())
}

// spool copies what can be read once to where the spool of the run is.
func (f *curateFlags) spool(ctx context.Context, args []string) (*spool, error) {
	if f.tmp == "" || samePath(f.tmp, f.out) {
		return spoolWithin(ctx, args, f.out)
	}
	return newSpool(ctx, args, f.tmp)
}

// options make those of the stages of the flags.
func (f *curateFlags) options(cmd *cobra.Command) (o curate.Options, err error) {
	if f.partRows < 1 {
		return o, usagef("--part-rows %d: want at least 1", f.partRows)
	}
	o = curate.Options{Out: f.out, PartRows: f.partRows, Format: curate.Format(f.format), Tmp: f.tmp, Force: f.force, Version: version(), Workers: f.in.parallel(), Seed: f.seed, NoScan: f.noScan, Now: time.Now,
		Shape: curate.Shape(f.shape), RowsPerFile: f.perFile}
	switch {
	case f.format != "" && o.Format != curate.JSONL && o.Shape != curate.RowShape:
		return o, usagef("--shape %s: it is written as jsonl, and --format says %s", f.shape, f.format)
	case f.format != "":
	case f.sel.mode == string(selection.Pairs), o.Shape != curate.RowShape:
		o.Format = curate.JSONL
	default:
		o.Format = curate.Parquet
	}
	if f.graders.gold != "" {
		if o.Gold, err = verify.ParseField(f.graders.gold); err != nil {
			return o, usagef("--gold: %s", bare(err))
		}
	}
	if o.K, err = parseKs(f.ks); err != nil {
		return o, err
	}
	f.sel.seed, f.scan.options.Seed = f.seed, f.seed
	if err := f.sel.settle(); err != nil {
		return o, err
	}
	f.scan.in, f.scan.sources = f.in, sourceWords
	f.scan.options.TopTerms, f.scan.options.MinRows = hackscan.DefaultTopTerms, hackscan.DefaultMinRows
	if err := f.scan.check(); err != nil {
		return o, err
	}
	o.Select, o.Scan = f.sel.options, f.scan.options
	if f.scan.task != "" {
		var task measure.Field
		if err := parseField("--scan-task", f.scan.task, &task); err != nil {
			return o, err
		}
		o.Scan.Task = task.Text
	}
	if len(f.compared.against) > 0 {
		if o.Decontaminate, err = f.compared.check(cmd); err != nil {
			return o, err
		}
	}
	if f.graders.with != "" || len(f.graders.markers) > 0 {
		o.Grade, err = f.gradings(cmd)
	}
	return o, err
}

// gradings are the graders of the flags.
func (f *curateFlags) gradings(cmd *cobra.Command) (list []curate.Grading, err error) {
	g := &f.graders
	switch {
	case g.with == "":
		return nil, usagef("--marker: say with --with what gives the reward")
	case g.timeout < 0, g.inFlight < 0, g.failures < -1:
		return nil, usagef("--timeout, --in-flight and --max-failures want no less than 0")
	}
	g.in = f.in
	made, err := g.grading(cmd.Context())
	if err != nil {
		return nil, err
	}
	opts := []grade.Option{grade.InFlight(made.inFlight()), grade.Budget(g.failures)}
	switch {
	case made.box != nil:
		opts = append(opts, grade.Timeout(g.codeTimeout()+slack))
	case g.timeout > 0:
		opts = append(opts, grade.Timeout(g.timeout))
	}
	for _, run := range made.graders {
		list = append(list, curate.Grading{Grader: run.Grader, Marker: run.marker, Options: opts})
	}
	return list, nil
}

// toldApart are the flags that the manifest tells in words of its own.
var toldApart = []string{"against", "format", "k", "seed", "target", "holdout", "mode", "shape", "rows-per-file", "part-rows"}

// indexFor makes the index that the rules need.
func (c *curating) indexFor(o *decontaminate.Options) (*decontaminate.Index, error) {
	f := &c.flags.compared
	config, err := f.config(o)
	if err != nil {
		return nil, err
	}
	x, err := openIndex(c.cmd, f.sets.inputs(&c.flags.in), c.flags.report.quiet, f.against, config)
	if err != nil {
		return nil, err
	}
	for _, r := range o.Rules {
		if x.Serves(r) != nil {
			return nil, usagef("--rule %s: it reads n-grams of %d words, and the index has those of %v", r.Name(), r.N(), x.Config().N)
		}
	}
	if f.maxItems > 0 {
		o.Boilerplate = x.Boilerplate(f.maxItems)
	}
	return x, nil
}

// optionProblem is what is wrong with options, without the name of the package that says it.
func optionProblem(err error) string {
	return strings.TrimPrefix(strings.TrimPrefix(err.Error(), curate.ErrOptions.Error()), ": ")
}
