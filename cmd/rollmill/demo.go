package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rollmill/rollmill/formats/files"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/simulate"
	"github.com/rollmill/rollmill/stages/simulate/agent"
	"github.com/rollmill/rollmill/stages/simulate/tools"
	"github.com/rollmill/rollmill/stream"
)

var (
	//go:embed demo/tools.json
	demoTools []byte
	//go:embed demo/policy.txt
	demoPolicy string
)

const (
	demoRows    = 400
	demoRepeats = 4
	demoRate    = 0.4 // share of the rollouts in which the agent misbehaves
	demoEvery   = 20  // of so many tasks one is an evaluation item too
)

const demoHelp = `Demo is the whole line on rollouts that are made on the spot: a scripted agent of a
shop, which misbehaves on purpose, against a world that fails on purpose. There is
no model, no key and no network.

It writes to the folder DIR the rollouts, an evaluation set that holds one in twenty
of their tasks, so that there is something to find, and runs rollmill curate on
them, whose report it prints.`

func newDemo() *cobra.Command {
	dir := "rollmill-demo"
	var force bool
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "The whole line on rollouts that are made on the spot, offline",
		Long:  demoHelp,
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return demo(cmd, dir, force) },
	}
	cmd.Flags().StringVarP(&dir, "output", "o", dir, "write to the folder `DIR`")
	cmd.Flags().BoolVar(&force, "force", false, "replace what another run left there")
	return cmd
}

// demo makes rollouts and curates them as a user would.
func demo(cmd *cobra.Command, dir string, force bool) error {
	rows, err := demoRollouts(cmd.Context())
	if err != nil {
		return cause(err)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return &files.OutputError{Path: dir, Err: err}
	}
	in, evals := filepath.Join(dir, "rollouts.jsonl"), filepath.Join(dir, "evals.jsonl")
	if err := errors.Join(writeWhole(in, rolloutLines(rows)), writeWhole(evals, evalsOf(rows))); err != nil {
		return err
	}
	args := []string{in, "--against", evals, "--with", "conduct", "--mode", "rl", "-o", filepath.Join(dir, "out")}
	w := cmd.OutOrStdout()
	if _, err := fmt.Fprintf(w, "$ rollmill curate %s\n\n", strings.Join(args, " ")); err != nil {
		return err
	}
	line := newCurate()
	line.SetArgs(append(args, "--quiet", fmt.Sprintf("--force=%t", force)))
	line.SilenceErrors, line.SilenceUsage = true, true
	line.SetOut(w)
	line.SetErr(cmd.ErrOrStderr())
	return line.ExecuteContext(cmd.Context())
}

// demoRollouts are rollouts of the scripted agent.
func demoRollouts(ctx context.Context) ([]rollout.Row, error) {
	list, err := tools.Parse(demoTools)
	if err != nil {
		return nil, err
	}
	scripted, err := agent.NewScripted(demoRate)
	if err != nil {
		return nil, err
	}
	source, err := simulate.New(simulate.Config{
		Tools: list, System: strings.TrimSpace(demoPolicy), Agent: scripted, Mode: simulate.RL, RepeatPolicy: simulate.Fixed, Repeats: demoRepeats, Budget: demoRows,
	})
	if err != nil {
		return nil, err
	}
	rows, _, err := stream.Collect(ctx, stream.From[rollout.Row](source))
	return rows, err
}

func rolloutLines(rows []rollout.Row) (text []byte) {
	for i := range rows {
		text = append(rows[i].AppendJSON(text), '\n')
	}
	return text
}

// evalsOf are evaluation items: the prompts of some of the tasks.
func evalsOf(rows []rollout.Row) (text []byte) {
	var prompts []string
	for i := range rows {
		if p := rows[i].Prompt; !slices.Contains(prompts, p) {
			prompts = append(prompts, p)
		}
	}
	for i := 0; i < len(prompts); i += demoEvery {
		text = append(text, `{"prompt":`...)
		text = append(rollout.AppendText(text, prompts[i]), "}\n"...)
	}
	return text
}

// writeWhole writes a file that appears when it is whole. One that holds the same
// already is left alone.
func writeWhole(path string, text []byte) error {
	if have, err := os.ReadFile(path); err == nil && string(have) == string(text) {
		return nil
	}
	out, err := files.Create(path, true)
	if err != nil {
		return err
	}
	defer out.Abort() // nothing is left to abort after a commit
	if _, err := out.Write(text); err != nil {
		return err
	}
	return out.Commit()
}
