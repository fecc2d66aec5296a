package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

const headHelp = `Head prints the first rows so that a person can read them: where a row stands,
its ids, its reward and what the reward is worth, the prompt and the messages,
each cut to one line. It reads no more than it needs.

With --json the rows are printed as row v1, one a line and whole.
` + mapHelp

const headExample = `  rollmill head rollouts.jsonl.zst
  rollmill head airline.json -n 1 --width 0
  rollmill head samples.jsonl --each list --map prompt=question,reward=.ok --json`

// headFlags are what head is told.
type headFlags struct {
	in    inputFlags
	rows  int
	width int
	json  bool
}

func newHead() *cobra.Command {
	var f headFlags
	cmd := &cobra.Command{
		Use:     "head IN...",
		Short:   "Show the first rollouts",
		Long:    headHelp,
		Example: headExample,
		RunE:    func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	cmd.Flags().IntVarP(&f.rows, "rows", "n", 10, "show `N` rows")
	cmd.Flags().IntVar(&f.width, "width", 100, "cut texts to `N` characters, 0 for whole texts")
	cmd.Flags().BoolVar(&f.json, "json", false, "print the rows as row v1, one JSON object a line")
	f.in.add(cmd)
	return cmd
}

func (f *headFlags) run(cmd *cobra.Command, args []string) error {
	switch {
	case f.rows < 1:
		return usagef("-n %d: want at least 1", f.rows)
	case f.width < 0:
		return usagef("--width %d: want at least 0", f.width)
	}
	f.in.batchRows = min(f.in.batchRows, f.rows)
	reader, err := f.in.open(args, rollout.AllFields, rollout.AllFields)
	if err != nil {
		return err
	}
	first := &pick{share: 1, limit: int64(f.rows)}
	show := f.printer(cmd.OutOrStdout(), reader)
	var refused tally
	end := stream.To(stream.Through(stream.From(reader), first), stream.SinkFunc[rollout.Row](
		func(ctx context.Context, in <-chan stream.Batch[rollout.Row]) error {
			for b, err := range stream.Receive(ctx, in) {
				if err != nil {
					return err
				}
				refused.add(b.Rejects)
				for i := range b.Items {
					if err := show(&b.Items[i]); err != nil {
						return err
					}
				}
			}
			return nil
		}))
	if _, err := runFlow(cmd, true, reader, end); err != nil {
		return err
	}
	switch codes := codesText(refused.counts()); {
	case first.seen == 0:
		return emptyError(reader.paths)
	case first.kept == 0:
		return &commandError{exitBadInput, count(first.seen, "record") + " and not one row: " + codes + " (rollmill validate says where)"}
	case codes != "":
		fmt.Fprintln(cmd.ErrOrStderr(), "rollmill: records on the way that cannot be read: "+codes+" (rollmill validate says where)")
	}
	return nil
}

// printer returns what prints a row.
func (f *headFlags) printer(w io.Writer, reader *source) func(*rollout.Row) error {
	if f.json {
		return func(r *rollout.Row) error {
			_, err := w.Write(append(r.AppendJSON(nil), '\n'))
			return err
		}
	}
	v := &rowView{w: w, width: f.width, reader: reader, input: -1}
	return v.show
}
