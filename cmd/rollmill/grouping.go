package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/rollmill/rollmill/stages/measure"
	"github.com/rollmill/rollmill/stats"
)

// fieldsHelp explains the names of fields.
const fieldsHelp = `
FIELDS
  A field is one of row v1, or markers.NAME, or any other member of the records,
  with dots between the names of members within members: lineage.eval_run.
  @input is the input that a row came from, @key what identifies it.`

// groupFlags say what a task is and when a rollout passes.
type groupFlags struct {
	task      string
	threshold float64
	given     *cobra.Command
}

func (f *groupFlags) add(cmd *cobra.Command) {
	f.given = cmd
	cmd.Flags().StringVar(&f.task, "task", "", "rows with the same `FIELD` are rollouts of one task (default: scenario_id, else task_id, else prompt)")
	cmd.Flags().Float64Var(&f.threshold, "threshold", 0, "a reward passes from `X` on and fails below (default: 1 passes, 0 fails, any other number is no verdict)")
}

// apply sets them in the options of an accumulator.
func (f *groupFlags) apply(o *measure.Options) error {
	if f.given.Flags().Changed("threshold") {
		o.Pass = stats.Of(f.threshold)
	}
	return parseField("--task", f.task, &o.Task)
}

// problem is the text of an error of the packages that measure and scan,
// without their names.
func problem(err error) string {
	text := err.Error()
	for _, prefix := range []string{"measure: ", "stats: ", "hackscan: "} {
		text = strings.TrimPrefix(text, prefix)
	}
	return text
}

// parseField reads the name of a field, unless there is none.
func parseField(flag, name string, into *measure.Field) error {
	if name == "" {
		return nil
	}
	field, err := measure.ParseField(name)
	if err != nil {
		return usagef("%s: %s", flag, problem(err))
	}
	*into = field
	return nil
}
