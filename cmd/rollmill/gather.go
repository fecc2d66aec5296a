package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stats"
	"github.com/rollmill/rollmill/stream"
)

// counting is what counts rows and merges: the accumulators of package measure.
type counting[A any] interface {
	Add([]rollout.Row)
	Merge(A)
}

// gathered says where rows that were counted came from.
type gathered struct {
	Inputs  []inputReport `json:"inputs"`
	Rows    int64         `json:"rows"`
	Rejects []codeCount   `json:"rejects,omitempty"`
	reader  *source
}

// gather reads inputs to their end and counts the rows into an accumulator.
// fresh makes one alike for each batch.
func gather[A counting[A]](cmd *cobra.Command, in *inputFlags, quiet bool, args []string, want rollout.Fields, into A, fresh func() A) (*gathered, error) {
	reader, err := in.open(args, want, want)
	if err != nil {
		return nil, err
	}
	return readRows(cmd, in, quiet, reader, func(rows []rollout.Row) A {
		part := fresh()
		part.Add(rows)
		return part
	}, func(part A) { into.Merge(part) })
}

// readRows reads inputs to their end: workers make a part of each batch, and
// merge takes the parts in the order of the inputs.
func readRows[R any](cmd *cobra.Command, in *inputFlags, quiet bool, reader *source, part func([]rollout.Row) R, merge func(R)) (*gathered, error) {
	var refused tally
	end := accumulate(stream.From(reader), in.parallel(), func(b *stream.Batch[rollout.Row]) R {
		refused.add(b.Rejects)
		return part(b.Items)
	}, merge)
	counts, err := runFlow(cmd, quiet, reader, end)
	if err == nil {
		err = reader.missingError(reader.want & rollout.FieldReward)
	}
	if err != nil {
		return nil, err
	}
	g := &gathered{
		Inputs: reportInputs(reader.facts()), Rows: stageNamed(counts, rowsStage).ItemsIn,
		Rejects: refused.counts(), reader: reader,
	}
	switch {
	case g.Rows > 0:
		return g, nil
	case len(g.Rejects) == 0:
		return nil, emptyError(reader.paths)
	}
	return nil, &commandError{exitBadInput, "not one row: " + codesText(g.Rejects) + " (rollmill validate says where)"}
}

// print says what was read.
func (g *gathered) print(w io.Writer) {
	printInputs(w, g.Inputs)
	if len(g.Rejects) > 0 {
		fmt.Fprintf(w, "records that cannot be read and are in no figure: %s (rollmill validate says where)\n", codesText(g.Rejects))
	}
}

// coverageText says how many rollouts of how many tasks the figures rest on.
func coverageText(c stats.Coverage) string {
	s := fmt.Sprintf("%s of %s: scored %s (of %s), unscored %s, invalid %s",
		count(int64(c.Scored+c.Unscored+c.Invalid), "rollout"), count(int64(c.Tasks), "task"),
		grouped(int64(c.Scored)), count(int64(c.TasksScored), "task"), grouped(int64(c.Unscored)), grouped(int64(c.Invalid)))
	if !c.Complete() && c.Bounds.Valid {
		s += fmt.Sprintf("; pass@1 would be %.3f to %.3f if those counted", c.Bounds.V.Low, c.Bounds.V.High)
	}
	return s
}

// figureText is a number with its interval.
func figureText(x stats.Null[float64], iv stats.Null[stats.Interval]) string {
	switch {
	case !x.Valid:
		return "n/a"
	case !iv.Valid:
		return fmt.Sprintf("%.3f (no interval)", x.V)
	}
	return fmt.Sprintf("%.3f [%.3f..%.3f]", x.V, iv.V.Low, iv.V.High)
}

// resamplingText says how the intervals were made.
func resamplingText(r stats.Resampling) string {
	how := "one by one with the parity generator"
	if r.Method == stats.Multinomial {
		how = "by multinomial counts"
	}
	return fmt.Sprintf("%g %% intervals over tasks: percentile bootstrap of %s draws, seed %d, %s",
		100*r.Level, grouped(int64(r.Draws)), r.Seed, how)
}

// printFindings prints what weakens the figures, each sentence once.
func printFindings(w io.Writer, findings []stats.Finding) {
	said := map[string]bool{}
	for _, f := range findings {
		if said[f.Text] {
			continue
		}
		said[f.Text] = true
		mark := "! "
		if f.Level == stats.Note {
			mark = "note: "
		}
		fmt.Fprintln(w, mark+clean(f.Text))
	}
}

// resampleFlags say how intervals are drawn.
type resampleFlags struct {
	draws int
	seed  int64
}

func (f *resampleFlags) add(cmd *cobra.Command) {
	cmd.Flags().IntVar(&f.draws, "draws", stats.DefaultDraws, "resample `N` times for an interval")
	cmd.Flags().Int64Var(&f.seed, "seed", 0, "resample by seed `N`")
}

func (f *resampleFlags) check() error {
	if f.draws < 1 {
		return usagef("--draws %d: want at least 1", f.draws)
	}
	return nil
}

func (f *resampleFlags) options() stats.BootstrapOptions {
	return stats.BootstrapOptions{Draws: f.draws, Seed: f.seed}
}
