package main

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/rollmill/rollmill/formats/files"
	"github.com/rollmill/rollmill/formats/jsonl"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

const replayHelp = `Replay feeds back what was set aside. Each line of a quarantine file says where a
record stood, who refused it and why, and holds the record itself as raw, or as
raw_base64 where it is not UTF-8. Mend it there, in any editor, and replay writes
the records that are JSON now, as they stood in their input, to be read with the
flags that the input was read with. Those that are still broken are told, and stay
where they are.`

const replayExample = `  rollmill replay out/quarantine.jsonl -o mended.jsonl
  rollmill replay out/quarantine.jsonl -o - | rollmill curate rollouts.jsonl - --with math -o again/`

// replayed is what replay reports.
type replayed struct {
	Records int64         `json:"records"`
	Written int64         `json:"written"`
	Broken  []stillBroken `json:"broken"`
}

// stillBroken is a line that cannot be replayed.
type stillBroken struct {
	Path string `json:"path"`
	Line int64  `json:"line"`
	Why  string `json:"why"`
}

func newReplay() *cobra.Command {
	var out string
	var force, asJSON bool
	cmd := &cobra.Command{
		Use:     "replay QUARANTINE... -o OUT",
		Short:   "Feed mended records of a quarantine back",
		Long:    replayHelp,
		Example: replayExample,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				return usagef("say what to replay: a quarantine.jsonl (see %s --help)", cmd.CommandPath())
			case out == "":
				return usagef("say where to write: -o FILE, or -o - for standard output")
			}
			return replay(cmd, args, out, force, asJSON)
		},
	}
	cmd.Flags().StringVarP(&out, "output", "o", "", "write the records to `OUT`, - for standard output")
	cmd.Flags().BoolVar(&force, "force", false, "replace a file that is there")
	cmd.Flags().BoolVar(&asJSON, "json", false, "report as one JSON object")
	return cmd
}

func replay(cmd *cobra.Command, paths []string, to string, force, asJSON bool) error {
	for _, path := range paths {
		if samePath(path, to) {
			return usagef("%s: it is an input, and it would be written to as well", path)
		}
	}
	reader := jsonl.OpenAll(paths, jsonl.Dialect(nil), jsonl.Fields(rollout.FieldExtra))
	out, err := files.Create(to, force)
	if err != nil {
		return err
	}
	defer out.Abort() // nothing is left to abort after a commit
	r := replayed{Broken: []stillBroken{}}
	checker := rollout.NewDecoder(0)
	err = cause(eachBatch(cmd.Context(), stream.From(reader), func(b *stream.Batch[rollout.Row]) error {
		for i := range b.Rejects {
			bad := &b.Rejects[i]
			r.Broken = append(r.Broken, stillBroken{reader.InputName(bad.Pos.Input), bad.Pos.Record, bad.Detail})
		}
		for i := range b.Items {
			row := &b.Items[i]
			record, err := rawOf(row.Source())
			if err == nil {
				record, err = checker.Check(record)
			}
			if err != nil {
				r.Broken = append(r.Broken, stillBroken{reader.InputName(row.Pos.Input), row.Pos.Record, bare(err)})
				continue
			}
			r.Written++
			if _, err := out.Write(append(record, '\n')); err != nil {
				return err
			}
		}
		return nil
	}))
	if err != nil {
		return err
	}
	r.Records = r.Written + int64(len(r.Broken))
	if r.Written > 0 {
		err = out.Commit()
	}
	if err != nil {
		return err
	}
	return r.tell(cmd, to, asJSON)
}

// eachBatch runs a flow to its end.
func eachBatch(ctx context.Context, rows stream.Flow[rollout.Row], see func(*stream.Batch[rollout.Row]) error) error {
	_, err := stream.Run(ctx, stream.To(rows, stream.SinkFunc[rollout.Row](func(ctx context.Context, in <-chan stream.Batch[rollout.Row]) error {
		for b, err := range stream.Receive(ctx, in) {
			if err != nil {
				return err
			}
			if err := see(&b); err != nil {
				return err
			}
		}
		return nil
	})))
	return err
}

// rawOf is the record that a line of a quarantine holds.
func rawOf(line string) ([]byte, error) {
	if text, ok := rollout.TextOf(rollout.MemberOf(line, "raw")); ok {
		return []byte(text), nil
	}
	if text, ok := rollout.TextOf(rollout.MemberOf(line, "raw_base64")); ok {
		return base64.StdEncoding.DecodeString(text)
	}
	return nil, errors.New("there is no raw and no raw_base64: is it a line of a quarantine?")
}

const brokenShown = 10

func (r *replayed) tell(cmd *cobra.Command, to string, asJSON bool) error {
	w := cmd.OutOrStdout()
	if to == files.Stdin {
		w = cmd.ErrOrStderr()
	}
	if asJSON {
		if err := printJSON(w, r); err != nil {
			return err
		}
	} else {
		for i, b := range r.Broken {
			if i == brokenShown {
				fmt.Fprintf(w, "and %s more\n", count(int64(len(r.Broken)-i), "record"))
				break
			}
			fmt.Fprintf(w, "still broken: %s:%d: %s\n", clean(b.Path), b.Line, clean(b.Why))
		}
		fmt.Fprintf(w, "in %s = written %s + still broken %s\n", grouped(r.Records), grouped(r.Written), grouped(int64(len(r.Broken))))
	}
	if r.Written == 0 {
		return &commandError{exitNothingKept, "no record can be read yet; mend raw in the lines above"}
	}
	return nil
}
