package main

import (
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rollmill/rollmill/stages/grade"
	"github.com/rollmill/rollmill/stages/grade/sandbox"
	"github.com/rollmill/rollmill/stages/grade/verify"
)

const gradeHelp = `Grade holds what the agent answered against a reference, or judges it by rules,
and writes the verdict to each row: reward, judge_status, reason, judge_name. With
--marker the verdict of a further grader becomes a marker beside it.

A row that cannot be graded gets no reward: it has no reference, the grader fails,
or does not answer in time. Such rows are counted by reason, are in no rate, and are
never zeros. When a grader fails on more than --max-failures rows, the run stops.

The answer is final_text, else the last text of the agent; --answer names another
field. The reference is privileged.reference, else reference, answer, target,
solution, label or expected, of the row or of its info or metadata; --gold names
another field, such as privileged.solution or info.truth.

From JSON Lines to JSON Lines the verdict is spliced into the rows, and all else
keeps its bytes. The same input gives the same bytes, for any number of workers.

GRADERS
` + verify.Grammar + `

CODE runs in a sandbox. At the level full it has no network, sees the system
read-only and no other process; where the system does not allow that, the run ends
with exit code 4 unless --sandbox weak asks for less: limits of time, memory and
output alone, for code that is wrong and not for code that is hostile. The level
stands in judge_meta. --timeout is the time that the code may take.
` + mapHelp + `

STANDARD OUTPUT
  With -o - the rows go to standard output and the summary to standard error.`

const gradeExample = `  rollmill grade rollouts.jsonl -o graded.jsonl --with numeric
  rollmill grade runs/ -o graded.parquet --with 'any(exact,math)' --gold info.truth
  rollmill grade calls.jsonl -o graded.jsonl --with tool-calls:answers.jsonl
  rollmill grade code.jsonl -o graded.jsonl --with code --timeout 10s --in-flight 8
  rollmill grade old.jsonl -o new.jsonl --with conduct --marker right=field:is_correct`

// gradeFlags are what grade is told.
type gradeFlags struct {
	convertFlags
	with     string
	markers  []string
	gold     string
	answer   string
	timeout  time.Duration
	inFlight int
	level    string
	failures int64
	runID    string
}

func newGrade() *cobra.Command {
	var f gradeFlags
	cmd := &cobra.Command{
		Use:     "grade IN... -o OUT --with GRADER",
		Short:   "Grade rollouts by a program",
		Long:    gradeHelp,
		Example: gradeExample,
		RunE:    func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVarP(&f.out, "output", "o", "", "write to `OUT`, - for standard output")
	flags.StringVar(&f.with, "with", "", "the reward is the verdict of `GRADER`")
	flags.StringArrayVar(&f.markers, "marker", nil, "the verdict of a further grader becomes a marker, `NAME=GRADER`; repeatable")
	flags.StringVar(&f.gold, "gold", "", "the reference stands in `FIELD`")
	flags.StringVar(&f.answer, "answer", "", "the answer stands in `FIELD` (default: final_text)")
	flags.DurationVar(&f.timeout, "timeout", 0, "a grader, or code, may take this `TIME` a row (default: 10s for code, no bound for others)")
	flags.IntVar(&f.inFlight, "in-flight", 0, "run the code of `N` rows at a time (default: one a worker)")
	flags.StringVar(&f.level, "sandbox", sandbox.Full.String(), "code runs at this `LEVEL`: full or weak")
	flags.Int64Var(&f.failures, "max-failures", grade.DefaultBudget, "stop when a grader fails on more than `N` rows; -1 for never")
	flags.StringVar(&f.runID, "run-id", "", "call this grading `ID` in the lineage of rows (default: made from the grader)")
	f.add(cmd)
	cobra.CheckErr(cmd.RegisterFlagCompletionFunc("sandbox", cobra.FixedCompletions([]string{"full", "weak"}, cobra.ShellCompDirectiveNoFileComp)))
	return cmd
}

func (f *gradeFlags) run(cmd *cobra.Command, args []string) error {
	switch {
	case f.with == "":
		return usagef("say how to grade: --with numeric, or another grader (see %s --help)", cmd.CommandPath())
	case f.timeout < 0 || cmd.Flags().Changed("timeout") && f.timeout == 0:
		return usagef("--timeout %v: want a time above 0", f.timeout)
	case f.inFlight < 0:
		return usagef("--in-flight %d: want at least 1", f.inFlight)
	case f.failures < -1:
		return usagef("--max-failures %d: want a number from 0 on, or -1 for no bound", f.failures)
	}
	c, err := f.conversion(cmd)
	if err != nil {
		return err
	}
	if c.work, err = f.grading(cmd.Context()); err != nil {
		return err
	}
	return c.convert(args)
}

// named cuts NAME=GRADER.
func named(text string) (name, spec string, err error) {
	name, spec, ok := strings.Cut(text, "=")
	if !ok || name == "" || strings.ContainsAny(name, "(:,") {
		return "", "", usagef("--marker %s: want NAME=GRADER", text)
	}
	return name, spec, nil
}
