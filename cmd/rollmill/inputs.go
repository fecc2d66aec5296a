package main

import (
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rollmill/rollmill/formats/dialect"
	"github.com/rollmill/rollmill/formats/files"
	"github.com/rollmill/rollmill/stream"
)

// inputFlags say how inputs are read.
type inputFlags struct {
	dialect   string
	maps      []string
	each      string
	strict    bool
	workers   int
	batchRows int
	maxRecord int

	mine       func(path string) bool // what the run writes, which folders and patterns leave out; nil for nothing
	forEval    bool                   // the flags are those of evaluation sets
	mute       bool                   // a rule of --map may lead nowhere: other inputs follow
	missesSaid []string               // which rules of --map led nowhere
}

// mapFlag is the name of the flag that gives maps.
func (f *inputFlags) mapFlag() string {
	if f.forEval {
		return "--eval-map"
	}
	return "--map"
}

// maxWorkers is more than any machine has cores.
const maxWorkers = 4096

// nativeName is the word for rows that no dialect has to make.
const nativeName = "v1"

const mapHelp = `
MAPPING
  --map field=path reads any JSON: prompt=question,reward=solutions.0.is_correct.
  A field is one of row v1, or markers.NAME, privileged.NAME, extra.NAME; a path
  is names, or numbers in lists, joined by dots.
  --each a,b,c makes a row of each of these members, --each list one of each
  element of a list; a path that starts with a dot starts there (.is_correct),
  and @key is the name of the member.`

func (f *inputFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.dialect, "dialect", "", "read every input as dialect `NAME`: "+strings.Join(dialectNames(), ", ")+" (default: recognised)")
	flags.StringArrayVar(&f.maps, "map", nil, "take fields from `RULES`, field=path with commas between; repeatable")
	flags.StringVar(&f.each, "each", "", "make a row of each member or element of `LIST`")
	flags.BoolVar(&f.strict, "strict-input", false, "stop at the first record that cannot be read, instead of setting it aside")
	flags.IntVar(&f.maxRecord, "max-record", 64<<20, "refuse records of more than this many `BYTES`")
	flags.IntVar(&f.workers, "workers", 0, "work with `N` workers (default: one a core)")
	flags.IntVar(&f.batchRows, "batch-rows", stream.DefaultItems, "handle at most `N` rows at a time")
	cobra.CheckErr(cmd.RegisterFlagCompletionFunc("dialect", cobra.FixedCompletions(dialectNames(), cobra.ShellCompDirectiveNoFileComp)))
	cmd.Args = f.arguments
}

// arguments says what is wrong with the arguments of a command that reads inputs.
func (f *inputFlags) arguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usagef("say what to read: files, folders, patterns, or - for standard input (see %s --help)", cmd.CommandPath())
	}
	if first := slices.Index(args, files.Stdin); first >= 0 && slices.Contains(args[first+1:], files.Stdin) {
		return usagef("standard input can be read once, and - stands there twice")
	}
	return nil
}

// expand makes paths of arguments. What the run itself writes is no input of it, unless
// it is named.
func (f *inputFlags) expand(args []string) ([]string, error) {
	return files.ExpandWithout(args, f.mine)
}

func dialectNames() []string { return append([]string{nativeName}, dialect.Names()...) }

// check says what is wrong with the flags, and which dialect they give.
func (f *inputFlags) check() (d dialect.Dialect, given bool, err error) {
	switch {
	case f.workers < 0 || f.workers > maxWorkers:
		return nil, false, usagef("--workers %d: want 1 to %d", f.workers, maxWorkers)
	case f.batchRows < 1:
		return nil, false, usagef("--batch-rows %d: want at least 1", f.batchRows)
	case f.maxRecord < 1:
		return nil, false, usagef("--max-record %d: want at least 1", f.maxRecord)
	}
	return f.given()
}

// parallel is how many workers there are.
func (f *inputFlags) parallel() int {
	if f.workers > 0 {
		return f.workers
	}
	return runtime.GOMAXPROCS(0)
}

// given is the dialect that the flags say, if they say one.
func (f *inputFlags) given() (d dialect.Dialect, given bool, err error) {
	switch mapped := len(f.maps) > 0 || f.each != ""; {
	case mapped && f.dialect != "":
		return nil, false, usagef("--dialect says how records become rows, and so do --map and --each; give one")
	case mapped:
		m, err := dialect.ParseMap(f.maps, f.each)
		if err != nil {
			return nil, false, usagef("%s", bare(err))
		}
		return m, true, nil
	case f.dialect == nativeName:
		return nil, true, nil
	case f.dialect != "":
		if d, err = dialect.Named(f.dialect); err != nil {
			return nil, false, usagef("--dialect: there is no %q; there are %s", f.dialect, strings.Join(dialectNames(), ", "))
		}
		return d, true, nil
	}
	return nil, false, nil
}
