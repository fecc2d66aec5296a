package main

import (
	"context"
	"errors"
	"os"

	"github.com/spf13/cobra"

	"github.com/rollmill/rollmill/formats/files"
	"github.com/rollmill/rollmill/formats/jsonl"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

// conversion is one run of convert.
type conversion struct {
	flags       *convertFlags
	cmd         *cobra.Command
	reader      *source
	pick        *pick
	assignments []*rollout.Assignment
	to          *target
	work        work              // what else is done with the rows; nil for nothing
	rejects     *jsonl.RejectFile // of a table, beside which they stand
}

// work is what a command does with rows on their way from input to output.
type work interface {
	fields() rollout.Fields // that it reads and adds to
	apply(stream.Flow[rollout.Row]) stream.Flow[rollout.Row]
	report(*summary, *stream.Stats) // adds what it found
}

// convert opens the inputs, checks the target and runs the flow.
func (c *conversion) convert(args []string) (err error) {
	c.flags.in.mine = c.to.writes
	if c.reader, err = c.flags.in.open(args, c.fields(), rollout.AllFields); err != nil {
		return err
	}
	if err := c.to.check(c.reader.paths); err != nil {
		return err
	}
	return c.run()
}

// fields are the fields of rows that must be decoded: those of JSON text that
// stays JSON text are carried along.
func (c *conversion) fields() rollout.Fields {
	if c.to.format() != files.JSON {
		return rollout.AllFields
	}
	fields := c.pick.fields()
	for _, a := range c.assignments {
		if a.Field() != rollout.FieldExtra { // other members are spliced in unseen
			fields |= a.Field()
		}
	}
	if c.work != nil {
		fields |= c.work.fields()
	}
	return fields
}

// run runs the flow: reader, pick, assignments, writer.
func (c *conversion) run() error {
	rows := stream.From(c.reader)
	if c.pick.active() {
		rows = stream.Through(rows, c.pick, stream.Name("pick"))
	}
	var refused tally
	rows = stream.Through(rows, stream.Map(c.flags.in.parallel(), func(_ context.Context, b stream.Batch[rollout.Row]) (stream.Batch[rollout.Row], error) {
		refused.add(b.Rejects)
		for i := range b.Items {
			for _, a := range c.assignments {
				a.Apply(&b.Items[i])
			}
		}
		return b, nil
	}), stream.Name(rowsStage))
	if c.work != nil {
		rows = c.work.apply(rows)
	}

	out := c.writer()
	quiet := c.flags.report.quiet || c.to.toStdout() && isTerminal(os.Stdout) // rows and a bar do not mix
	stats, err := runFlow(c.cmd, quiet, c.reader, stream.To(rows, out))
	if err := c.settleRejects(err == nil); err != nil {
		return err
	}
	if err != nil && !out.Summary().Whole { // a signal may come when all is done
		return err
	}
	s := newSummary(c.reader, out.Summary(), &refused, stats.Elapsed)
	s.In, s.LeftOut, s.DryRun = c.read(stats), c.pick.left, c.to.dry
	if c.pick.full() {
		s.stopEarly()
	}
	if c.work != nil {
		c.work.report(s, stats)
	}
	return c.finish(s)
}

// read is how many records came from the reader, as far as they were wanted.
func (c *conversion) read(stats *stream.Stats) int64 {
	if c.pick.active() {
		return c.pick.seen
	}
	rows := stageNamed(stats, rowsStage)
	return rows.ItemsIn + rows.RejectsIn
}

// finish checks that every record is accounted for, removes what an earlier run
// left under the names of this one and prints the summary.
func (c *conversion) finish(s *summary) error {
	if err := s.check(); err != nil {
		return err
	}
	if !c.to.dry && s.Written > 0 {
		if err := c.to.removeStale(len(s.Parts), s.Quarantine != nil); err != nil {
			return err
		}
	}
	if s.In == 0 {
		return emptyError(c.reader.paths)
	}
	w := c.cmd.OutOrStdout()
	if c.to.toStdout() {
		w = c.cmd.ErrOrStderr()
	}
	if err := s.print(w, c.flags.report.json); err != nil {
		if _, known := errors.AsType[*files.OutputError](err); known {
			return err
		}
		return &files.OutputError{Path: "the summary", Err: err, Hint: "the rows are written"}
	}
	return s.nothingKept(c.flags.sample)
}
