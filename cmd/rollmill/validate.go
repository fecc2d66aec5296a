package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rollmill/rollmill/formats/profile"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

const validateHelp = `Validate reads everything and says what is wrong: the records that cannot be
read, and the rows that break the rules of their kind, by code, with the first
places of each. It counts what was mended on the way, how many rows are scored
and how many tasks there are. A row that failed in the machinery is unscored,
which is not wrong and never a zero.

Rows that carry no schema_version are legacy rows, read by their shape; the rules
of row v1 do not bind them. --kind training and --kind preference hold records
against the rules of training and preference rows.

The exit code is 0 when all is well and 3 when something is wrong.
` + mapHelp

const validateExample = `  rollmill validate rollouts.jsonl.zst
  rollmill validate runs/ --json > validity.json
  rollmill validate train.jsonl --kind training`

// validateFlags are what validate is told.
type validateFlags struct {
	in     inputFlags
	kind   string
	places int
	report reportFlags
}

func newValidate() *cobra.Command {
	var f validateFlags
	cmd := &cobra.Command{
		Use:     "validate IN...",
		Short:   "Say what is wrong with rollouts",
		Long:    validateHelp,
		Example: validateExample,
		RunE:    func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	cmd.Flags().StringVar(&f.kind, "kind", "row", "hold records against the rules of this kind: row, training, preference")
	cmd.Flags().IntVar(&f.places, "places", 5, "show the first `N` places of each fault")
	f.in.add(cmd)
	f.report.add(cmd)
	cobra.CheckErr(cmd.RegisterFlagCompletionFunc("kind", cobra.FixedCompletions([]string{"row", "training", "preference"}, cobra.ShellCompDirectiveNoFileComp)))
	return cmd
}

// kinds has the words of --kind.
var kinds = map[string]rollout.RecordKind{
	"row": rollout.RowRecord, "training": rollout.TrainingRecord, "preference": rollout.PreferenceRecord,
}

func (f *validateFlags) run(cmd *cobra.Command, args []string) error {
	kind, ok := kinds[f.kind]
	switch {
	case !ok:
		return usagef("--kind: there is no %q; there are row, training and preference", f.kind)
	case f.places < 1:
		return usagef("--places %d: want at least 1", f.places)
	}
	validity := profile.NewValidity(kind, f.places)
	reader, err := f.in.open(args, validity.Fields(), rollout.AllFields)
	if err != nil {
		return err
	}
	end := accumulate(stream.From(reader), f.in.parallel(), func(b *stream.Batch[rollout.Row]) *profile.Validity {
		part := profile.NewValidity(kind, f.places)
		part.Add(b.Items, b.Rejects)
		return part
	}, validity.Merge)
	if _, err := runFlow(cmd, f.report.quiet, reader, end); err != nil {
		return err
	}
	result := validity.Result()
	if result.Rows == 0 && result.Rejected == 0 {
		return emptyError(reader.paths)
	}
	r := newValidityReport(reader, &result)
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

// validityReport is what validate reports.
type validityReport struct {
	OK         bool          `json:"ok"`
	Inputs     []inputReport `json:"inputs"`
	Rows       int64         `json:"rows"`
	Rejected   int64         `json:"rejected"`
	Rejects    []faultReport `json:"rejects,omitempty"`
	Faulty     int64         `json:"faulty"`
	Violations []faultReport `json:"violations,omitempty"`
	Notes      *notesReport  `json:"notes,omitzero"`
	Scored     int64         `json:"scored"`
	Unscored   int64         `json:"unscored"`
	Invalid    int64         `json:"invalid"`
	Tasks      int64         `json:"tasks"`
	Taskless   int64         `json:"taskless"`
}

type faultReport struct {
	Code   string        `json:"code"`
	Count  int64         `json:"count"`
	Places []placeReport `json:"places"`
}

type placeReport struct {
	Place  string `json:"place"`
	Detail string `json:"detail,omitzero"`
}

func newValidityReport(reader *source, v *profile.ValidityResult) *validityReport {
	return &validityReport{
		OK: v.OK(), Inputs: reportInputs(reader.facts()), Rows: v.Rows,
		Rejected: v.Rejected, Rejects: reportFaults(reader, v.Rejects),
		Faulty: v.Faulty, Violations: reportFaults(reader, v.Violations),
		Notes: reportNotes(reader.Notes()), Scored: v.Scored, Unscored: v.Unscored, Invalid: v.Invalid,
		Tasks: v.Tasks, Taskless: v.Taskless,
	}
}

func reportFaults(reader *source, faults []profile.Fault) (list []faultReport) {
	for _, f := range faults {
		r := faultReport{Code: f.Code, Count: f.Count}
		for _, p := range f.Places {
			r.Places = append(r.Places, placeReport{placeOf(reader, p.Pos), p.Detail})
		}
		list = append(list, r)
	}
	return list
}

func (r *validityReport) print(w io.Writer) error {
	printInputs(w, r.Inputs)
	fmt.Fprintf(w, "%s of %s", count(r.Rows, "row"), count(r.Tasks, "task"))
	if r.Taskless > 0 {
		fmt.Fprintf(w, " and %s without a task", grouped(r.Taskless))
	}
	fmt.Fprintf(w, ": scored %s, unscored %s, invalid %s\n", grouped(r.Scored), grouped(r.Unscored), grouped(r.Invalid))
	if notes := r.Notes.String(); notes != "" {
		fmt.Fprintln(w, "mended: "+notes)
	}
	if r.OK {
		_, err := fmt.Fprintln(w, "all is well")
		return err
	}
	printFaults(w, count(r.Rejected, "record")+" cannot be read", r.Rejects)
	return printFaults(w, rulesBroken(r.Faulty), r.Violations)
}

// rulesBroken says how many rows break rules.
func rulesBroken(rows int64) string {
	if rows == 1 {
		return "1 row breaks the rules"
	}
	return count(rows, "row") + " break the rules"
}

func printFaults(w io.Writer, title string, faults []faultReport) error {
	if len(faults) == 0 {
		return nil
	}
	fmt.Fprintln(w, title+":")
	for _, f := range faults {
		fmt.Fprintf(w, "  %s %s\n", clean(f.Code), grouped(f.Count))
		for _, p := range f.Places {
			fmt.Fprintln(w, strings.TrimRight("    "+clean(p.Place)+"  "+excerpt(p.Detail, 160), " "))
		}
		if more := f.Count - int64(len(f.Places)); more > 0 {
			fmt.Fprintf(w, "    and %s more\n", grouped(more))
		}
	}
	return nil
}

// failure is the error of a run that found something wrong.
func (r *validityReport) failure() error {
	if r.OK {
		return nil
	}
	var what []string
	if r.Rejected > 0 {
		what = append(what, count(r.Rejected, "record")+" cannot be read")
	}
	if r.Faulty > 0 {
		what = append(what, rulesBroken(r.Faulty))
	}
	return &commandError{exitBadInput, strings.Join(what, ", ")}
}
