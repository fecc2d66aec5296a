package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/rollmill/rollmill/formats/files"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/grade"
	"github.com/rollmill/rollmill/stages/simulate"
	"github.com/rollmill/rollmill/stages/simulate/agent"
	"github.com/rollmill/rollmill/stages/simulate/tools"
	"github.com/rollmill/rollmill/stream"
)

func (f *simulateFlags) run(cmd *cobra.Command) error {
	if f.protocol {
		_, err := io.WriteString(cmd.OutOrStdout(), agent.Protocol)
		return err
	}
	if err := f.check(cmd.Flags().Changed); err != nil {
		return err
	}
	c := f.config()
	var err error
	if c.Tools, c.System, err = f.read(); err != nil {
		return err
	}
	if f.out.out == "/dev/stdout" {
		f.out.out = files.Stdin
	}
	to := &target{path: f.out.out, parts: f.out.rowsPerFile > 0, force: f.out.force, dry: f.out.dryRun}
	if err := to.check(nonEmpty(f.tools, f.system, f.checkpoint)); err != nil {
		return err
	}
	under, end, err := f.newAgent(c.Tools)
	if err != nil {
		return err
	}
	defer end()
	c.Agent = under
	if f.grade == "conduct" || f.grade == "" && f.agent == scriptedName {
		c.Grade = gradeRow(grade.Conduct())
	}
	source, err := simulate.New(c)
	switch {
	case errors.Is(err, simulate.ErrConfig):
		return usagef("%s", bare(err))
	case err != nil:
		return &commandError{exitBadInput, bare(err)}
	}
	return f.simulate(cmd, source, to)
}

func nonEmpty(paths ...string) (list []string) {
	for _, p := range paths {
		if p != "" {
			list = append(list, p)
		}
	}
	return list
}

// read reads the tools and the system prompt.
func (f *simulateFlags) read() (list []tools.Tool, system string, err error) {
	if f.tools != "" {
		text, err := os.ReadFile(f.tools)
		if err != nil {
			return nil, "", &files.InputError{Path: f.tools, Err: errors.Unwrap(err), Hint: "want the tools as JSON"}
		}
		if list, err = tools.Parse(text); err != nil {
			return nil, "", &files.InputError{Path: f.tools, Err: err, Hint: `want a list of {"name", "description", "parameters"}`}
		}
	}
	if f.system != "" {
		text, err := os.ReadFile(f.system)
		if err != nil {
			return nil, "", &files.InputError{Path: f.system, Err: errors.Unwrap(err), Hint: "want the system prompt as text"}
		}
		system = string(text)
	}
	return list, system, nil
}

// gradeRow writes the verdict of a grader to one row.
func gradeRow(g grade.Grader) func(ctx context.Context, row *rollout.Row) error {
	name := g.Info().Name
	return func(ctx context.Context, row *rollout.Row) error {
		r, err := g.Grade(ctx, row)
		if err != nil {
			return err
		}
		reward := rollout.Value{}
		if r.OK() {
			reward = rollout.Number(r.Reward)
		}
		row.SetReward(reward, r.Status)
		row.Judge, row.Reason = name, r.Reason
		row.Touch(rollout.FieldJudge)
		if r.Reason != "" {
			row.Touch(rollout.FieldReason)
		}
		return nil
	}
}

// simulate runs the flow and reports.
func (f *simulateFlags) simulate(cmd *cobra.Command, source *simulate.Source, to *target) error {
	c := &conversion{flags: &f.out, cmd: cmd, to: to}
	out := c.writer()
	rows := stream.Through(stream.From[rollout.Row](source), stream.Map(f.out.in.parallel(), passOn, stream.Name(rowsStage)))
	running, err := stream.Start(cmd.Context(), stream.To(rows, out))
	if err != nil {
		return err
	}
	if !f.out.report.quiet {
		follow(running, lineEvery, func(stats *stream.Stats) {
			fmt.Fprintln(cmd.ErrOrStderr(), "rollmill: "+rowsSoFar(stageNamed(stats, rowsStage).ItemsIn, stats.Elapsed))
		})
	}
	stats, err := running.Wait()
	if err = cause(err); err != nil && !out.Summary().Whole {
		if errors.Is(err, simulate.ErrAgent) {
			return &commandError{exitBackend, bare(err)}
		}
		return err
	}
	r := newSimulateReport(source.Report(), out.Summary(), to, stats.Elapsed)
	w := cmd.OutOrStdout()
	if to.toStdout() {
		w = cmd.ErrOrStderr()
	}
	if f.out.report.json {
		err = printJSON(w, r)
	} else {
		err = r.print(w)
	}
	if err == nil && r.Rows == 0 {
		err = &commandError{exitNothingKept, "no rollout came to a row; the run stopped because of " + string(r.Stopped)}
	}
	return err
}

// passOn lets a batch pass, to be counted.
func passOn(_ context.Context, b stream.Batch[rollout.Row]) (stream.Batch[rollout.Row], error) {
	return b, nil
}

func rowsSoFar(rows int64, elapsed time.Duration) string {
	return fmt.Sprintf("%s, %s rows/s", count(rows, "row"), grouped(int64(float64(rows)/max(elapsed.Seconds(), 0.001))))
}
