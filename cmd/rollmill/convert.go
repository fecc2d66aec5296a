package main

import (
	"github.com/spf13/cobra"

	"github.com/rollmill/rollmill/formats/files"
	"github.com/rollmill/rollmill/formats/rollout"
)

const convertHelp = `Convert reads rollouts in any dialect, layout and compression and writes them as
the name of OUT says: JSON Lines, plain, .gz or .zst, or Parquet.

From JSON Lines to JSON Lines, rows of row v1 pass byte for byte, and with --set
that one member is spliced in; all others are written as row v1. A record that
cannot be read goes to the quarantine, with its place, the reason and its text,
so that it can be mended and replayed. At the end every record is accounted for:

  in 1,000 = written 997 + left out 0 + quarantined 3

Nothing appears under its final name before it is whole. The same input gives
the same bytes, for any number of workers.
` + mapHelp + `

STANDARD OUTPUT
  With -o - the rows go to standard output and the summary to standard error.`

const convertExample = `  rollmill convert runs/ -o all.jsonl.zst --rows-per-file 100000
  rollmill convert all.jsonl.zst -o all.parquet
  rollmill convert old.json -o new.jsonl --map prompt=question,reward=score.correct
  rollmill convert all.jsonl.zst -o - --sample 0.1 --set run=7 | head -n 3`

// convertFlags are what convert is told.
type convertFlags struct {
	in          inputFlags
	out         string
	set         []string
	limit       int64
	sample      float64
	seed        uint64
	rowsPerFile int64
	quarantine  string
	force       bool
	dryRun      bool
	report      reportFlags
}

func newConvert() *cobra.Command {
	var f convertFlags
	cmd := &cobra.Command{
		Use:     "convert IN... -o OUT",
		Short:   "Convert rollouts to JSON Lines or Parquet",
		Long:    convertHelp,
		Example: convertExample,
		RunE:    func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVarP(&f.out, "output", "o", "", "write to `OUT`, - for standard output")
	flags.StringArrayVar(&f.set, "set", nil, "give a member of each row a value, `name=value`, JSON or else a text; repeatable")
	f.add(cmd)
	return cmd
}

// add adds the flags that say which rows are written, and how.
func (f *convertFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.Int64Var(&f.limit, "limit", 0, "stop behind `N` rows (default: all)")
	flags.Float64Var(&f.sample, "sample", 1, "keep this `SHARE` of the tasks, all rows of a task or none")
	flags.Uint64Var(&f.seed, "seed", 0, "draw the sample by seed `N`")
	flags.Int64Var(&f.rowsPerFile, "rows-per-file", 0, "begin a new file after `N` rows: OUT-00000.jsonl, OUT-00001.jsonl (default: one file)")
	flags.StringVar(&f.quarantine, "quarantine", "", "write records that cannot be read to `FILE` (default: OUT.quarantine.jsonl, if there are any)")
	flags.BoolVar(&f.force, "force", false, "replace files that are there")
	flags.BoolVar(&f.dryRun, "dry-run", false, "read and report, and write nothing")
	f.in.add(cmd)
	f.report.add(cmd)
}

func (f *convertFlags) run(cmd *cobra.Command, args []string) error {
	c, err := f.conversion(cmd)
	if err != nil {
		return err
	}
	return c.convert(args)
}

// conversion checks the flags and makes a conversion of them.
func (f *convertFlags) conversion(cmd *cobra.Command) (*conversion, error) {
	switch {
	case f.limit < 0:
		return nil, usagef("--limit %d: want at least 1", f.limit)
	case !(f.sample > 0 && f.sample <= 1):
		return nil, usagef("--sample %g: want a share above 0 and up to 1", f.sample)
	case f.rowsPerFile < 0:
		return nil, usagef("--rows-per-file %d: want at least 1", f.rowsPerFile)
	}
	assignments, err := f.assignments()
	if err != nil {
		return nil, err
	}
	return &conversion{
		flags: f, cmd: cmd, assignments: assignments,
		pick: &pick{share: f.sample, seed: f.seed, limit: f.limit}, to: f.target(),
	}, nil
}

func (f *convertFlags) assignments() (list []*rollout.Assignment, err error) {
	for _, text := range f.set {
		a, err := rollout.ParseAssignment(text)
		if err != nil {
			return nil, usagef("--set %s", bare(err))
		}
		list = append(list, a)
	}
	return list, nil
}

func (f *convertFlags) target() *target {
	if f.out == "/dev/stdout" {
		f.out = files.Stdin
	}
	t := &target{path: f.out, quarantine: f.quarantine, parts: f.rowsPerFile > 0, force: f.force, dry: f.dryRun}
	if t.quarantine == "" {
		t.quarantine = defaultQuarantine(t.path)
	}
	return t
}
