package main

import (
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

const rootHelp = `Rollmill reads rollouts: conversations of language-model agents, with what was
later said about them. It tells what is in them and what is wrong with them, and
converts them, at the speed of the machine and with memory that does not grow.

INPUTS are files, folders (every rollout file below them), quoted patterns, or -
for standard input: JSON Lines, a JSON array, an object keyed by row, a single
document, or an evaluation log of Inspect (.json, .eval), plain, .gz or .zst;
Parquet; Arrow record batches, as a file or a stream. The first bytes tell, not the
name. The dialect of each is recognised and printed. A record that cannot be read
is set aside and counted, never lost and never a score.

EXIT CODES
  0    done, also when whoever reads standard output stops early
  1    what has to pass failed: a comparison, a judge, --fail-on
  2    the command line is wrong
  3    an input is missing or wrong
  4    a grader failed too often, or what it needs is not there
  5    an output could not be written
  6    nothing was kept: rows were read, none was written
  70   a fault of rollmill itself
  130  interrupted; no file was left half-written`

const rootExample = `  rollmill head rollouts.jsonl.zst
  rollmill validate runs/
  rollmill convert 'runs/*.jsonl' -o all.jsonl.zst --set run=7`

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:           "rollmill",
		Short:         "Turn rollouts of language-model agents into training data",
		Long:          rootHelp,
		Example:       rootExample,
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs, // so that RunE sees a command that is none
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			return unknownCommand(cmd, args[0])
		},
	}
	root.SuggestionsMinimumDistance = 2
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usagef("%v (see %s --help)", err, cmd.CommandPath())
	})
	root.AddCommand(
		newCompare(),
		newConvert(),
		newCurate(),
		newDecontaminate(),
		newDemo(),
		newGrade(),
		newHead(),
		newIndex(),
		newMeasure(),
		newPower(),
		newReplay(),
		newScan(),
		newSchema(),
		newSelect(),
		newSimulate(),
		newTrust(),
		newValidate(),
	)
	return root
}

func unknownCommand(cmd *cobra.Command, name string) error {
	hint := "see rollmill --help"
	if near := cmd.SuggestionsFor(name); len(near) > 0 {
		hint = "did you mean " + strings.Join(near, " or ") + "?"
	}
	return usagef("there is no command %q (%s)", name, hint)
}

// version is what the build says of itself.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "rollmill, of unknown version"
	}
	text := "rollmill " + info.Main.Version
	vcs := map[string]string{}
	for _, s := range info.Settings {
		vcs[s.Key] = s.Value
	}
	if revision := vcs["vcs.revision"]; revision != "" {
		text += fmt.Sprintf(", commit %.12s of %s", revision, vcs["vcs.time"])
		if vcs["vcs.modified"] == "true" {
			text += ", changed since"
		}
	}
	return text + ", " + info.GoVersion
}
