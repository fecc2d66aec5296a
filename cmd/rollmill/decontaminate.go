package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/rollmill/rollmill/formats/files"
	"github.com/rollmill/rollmill/stages/decontaminate"
)

const decontaminateHelp = `Decontaminate finds rollouts that hold items of evaluation sets, and leaves them
out. It compares words by n-grams, in every message, tool call and tool result,
and says of each match which bytes of which message are which item. It cannot see
paraphrases.

RULES
  windowed     a stretch of the text holds most of an item, in its order, words
               weighted by how rare they are (default; 0.7)
  default80    same task, same text, or 8-grams of one item cover 80 % of the text;
               with --parts prompt and --words ascii as the reference has it
  any          any 8-gram in common; any:13 for those of 13 words
  tokenshare   8-grams cover more than 50 % of the words of the item
  itemshare    80 % of the 8-grams of the item
  longestspan  a run of 50 % of the words of the item
  llama2       80 % of its words in matches of more than 10, up to 4 of them other
  decon        clusters of 5-grams by rarity, answer and passage apart (0.8);
               decon-question leaves answers out
  A rule may say the length of its n-grams and its threshold: windowed:3=0.7. With
  several rules a row is flagged when one of them matches, and each is counted.
` + againstHelp + `
  --eval-map says where else they stand: prompt=query,extra.answer=solution. A saved
  index, as rollmill index writes it, is as good as the sets it was made of.
` + mapHelp + `

STANDARD OUTPUT
  With -o - the rows go to standard output and the summary to standard error.`

const decontaminateExample = `  rollmill decontaminate rollouts.jsonl.zst --against gsm8k.jsonl --against mmlu/ -o clean.jsonl.zst
  rollmill decontaminate runs/ --against evals.index -o clean.parquet --flagged leaked.jsonl
  rollmill decontaminate prompts.jsonl --against test.jsonl --rule default80 --rule any:13 --dry-run
  rollmill decontaminate runs/ --index evals.index --dry-run --fail-on 0 --report report.json`

// decontaminateFlags are what decontaminate is told.
type decontaminateFlags struct {
	in         inputFlags
	against    []string
	indexes    []string
	sets       againstFlags
	rules      []string
	parts      string
	maxItems   int
	maxTasks   int
	out        string
	flagged    string
	reportFile string
	failOn     int64
	examples   int
	quarantine string
	force      bool
	dryRun     bool
	report     reportFlags
}

func newDecontaminate() *cobra.Command {
	var f decontaminateFlags
	cmd := &cobra.Command{
		Use:     "decontaminate IN... --against EVAL -o OUT",
		Short:   "Find rollouts that hold evaluation items, and leave them out",
		Long:    decontaminateHelp,
		Example: decontaminateExample,
		RunE:    func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringArrayVar(&f.against, "against", nil, "compare with the evaluation sets in `PATH`, or a saved index; repeatable")
	flags.StringArrayVar(&f.indexes, "index", nil, "compare with the saved index in `FILE`; repeatable")
	flags.StringVarP(&f.out, "output", "o", "", "write the rows that are kept to `OUT`, - for standard output")
	flags.StringVar(&f.flagged, "flagged", "", "write the rows that are flagged to `FILE`, with their matches as rollmill_matches")
	flags.StringArrayVar(&f.rules, "rule", nil, "flag rows by `RULE`, see above; repeatable (default: windowed)")
	flags.StringVar(&f.parts, "parts", "", "compare these `PARTS` of a row, with commas between: all, "+strings.Join(decontaminate.AllParts.Names(), ", ")+" (default: all, but prompt for default80 alone)")
	flags.IntVar(&f.maxItems, "max-items", 0, "take n-grams of more than `N` evaluation texts for no evidence (default: the rules decide)")
	flags.IntVar(&f.maxTasks, "max-tasks", 0, "take n-grams of more than `N` tasks of the input for no evidence, which reads it twice (default: no limit)")
	f.sets.add(cmd)
	flags.StringVar(&f.reportFile, "report", "", "write the report to `FILE` as JSON")
	flags.Int64Var(&f.failOn, "fail-on", -1, "end with exit code 1 when more than `N` rows are flagged (default: never)")
	flags.IntVar(&f.examples, "examples", 5, "show the `N` best matches with both texts")
	flags.StringVar(&f.quarantine, "quarantine", "", "write records that cannot be read to `FILE` (default: OUT.quarantine.jsonl, if there are any)")
	flags.BoolVar(&f.force, "force", false, "replace files that are there")
	flags.BoolVar(&f.dryRun, "dry-run", false, "read and report, and write no rows")
	f.in.add(cmd)
	f.report.add(cmd)
	return cmd
}

// config is what an index is made of for the rules.
func (f *decontaminateFlags) config(o *decontaminate.Options) (c decontaminate.Config, err error) {
	c.Words = decontaminate.Unicode
	if len(o.Rules) == 1 && is80(o.Rules[0]) {
		c.Words = decontaminate.ASCII
	}
	for _, r := range o.Rules {
		c.N = append(c.N, r.N())
	}
	c.Words, err = f.sets.words.rule(c.Words)
	return c, err
}

// is80 reports whether a rule is that of the reference, which compares prompts.
func is80(r decontaminate.Rule) bool {
	_, ok := r.(decontaminate.Default80)
	return ok
}

// check says what is wrong with the flags, and which rules they give.
func (f *decontaminateFlags) check(cmd *cobra.Command) (o decontaminate.Options, err error) {
	switch {
	case len(f.against) == 0 && len(f.indexes) == 0:
		return o, usagef("say what to compare with: --against EVAL, or --index FILE")
	case cmd.Flags().Changed("fail-on") && f.failOn < 0:
		return o, usagef("--fail-on %d: want at least 0", f.failOn)
	case f.examples < 0:
		return o, usagef("--examples %d: want at least 0", f.examples)
	case f.maxItems < 0:
		return o, usagef("--max-items %d: want at least 1", f.maxItems)
	case f.maxTasks < 0:
		return o, usagef("--max-tasks %d: want at least 1", f.maxTasks)
	}
	for _, text := range f.rules {
		r, err := decontaminate.ParseRule(text)
		if err != nil {
			return o, usagef("--rule: %s", strings.TrimPrefix(err.Error(), "decontaminate: "))
		}
		for _, other := range o.Rules {
			if other.Name() == r.Name() {
				return o, usagef("--rule: %s is there twice", r.Name())
			}
		}
		o.Rules = append(o.Rules, r)
	}
	if len(o.Rules) == 0 {
		o.Rules = []decontaminate.Rule{decontaminate.Windowed{}}
	}
	o.Matches = f.flagged != ""
	if o.Parts = decontaminate.AllParts; len(o.Rules) == 1 && is80(o.Rules[0]) {
		o.Parts = decontaminate.Prompt
	}
	if f.parts != "" {
		if o.Parts, err = decontaminate.ParseParts(f.parts); err != nil {
			return o, usagef("--parts: %s", strings.TrimPrefix(err.Error(), "decontaminate: "))
		}
	}
	return o, nil
}

func (f *decontaminateFlags) run(cmd *cobra.Command, args []string) error {
	o, err := f.check(cmd)
	if err != nil {
		return err
	}
	if f.out == "/dev/stdout" {
		f.out = files.Stdin
	}
	s := &screening{flags: f, cmd: cmd, options: o}
	s.to = &target{path: f.out, quarantine: f.quarantine, force: f.force, dry: f.dryRun}
	if s.to.quarantine == "" {
		s.to.quarantine = defaultQuarantine(f.out)
	}
	if f.flagged != "" {
		s.flaggedTo = &target{path: f.flagged, force: f.force, dry: f.dryRun}
	}
	if err := s.open(args); err != nil {
		return err
	}
	if err := s.openIndex(); err != nil {
		return err
	}
	return s.run()
}
