package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/curate"
	"github.com/rollmill/rollmill/stages/selection"
	"github.com/rollmill/rollmill/stream"
)

// curating is one run of curate.
type curating struct {
	flags  *curateFlags
	cmd    *cobra.Command
	args   []string
	inputs *spool
	reader *source
	pick   *pick
}

func (c *curating) run() error {
	f := c.flags
	o, err := f.options(c.cmd)
	if err != nil {
		return err
	}
	if c.reader, err = f.in.open(c.inputs.args, rollout.AllFields, rollout.AllFields); err != nil {
		return err
	}
	c.pick = &pick{share: f.sample, seed: uint64(f.seed), limit: f.limit}
	o.Rows = c.reader
	if c.pick.active() {
		o.Rows = pickedSource{c.reader, c.pick}
		o.LeftOut = func() int64 { return c.pick.left }
	}
	for _, path := range c.reader.paths {
		o.Inputs = append(o.Inputs, curate.Input{Name: inputName(c.inputs.name(path)), Path: path})
	}
	if len(f.compared.against) > 0 {
		if o.Against, err = c.against(); err != nil {
			return err
		}
		if o.Index, err = c.indexFor(&o.Decontaminate); err != nil {
			return err
		}
	}
	if f.sel.prior != "" {
		if o.Prior, o.Select.RL.Prior, err = c.prior(); err != nil {
			return err
		}
	}
	f.settle(&o)
	if o.JobFile, err = jobText(c.cmd.Flags(), c.args); err != nil {
		return err
	}
	c.cmd.Flags().VisitAll(func(flag *pflag.Flag) {
		if changesResults(flag.Name) && !slices.Contains(toldApart, flag.Name) {
			o.Arguments = append(o.Arguments, curate.Argument{Name: flag.Name, Value: flag.Value.String()})
		}
	})
	o.Progress = func(pass string, running *stream.Running) {
		if pass == "read" && !f.report.quiet {
			watch(c.cmd.ErrOrStderr(), c.reader, running)
		}
	}
	o.Tell = c.say
	r, err := curate.Run(c.cmd.Context(), o)
	c.reader.sayMisses(c.cmd)
	return c.tell(r, c.unfinished(err))
}

// prior reads the rollouts of an earlier round.
func (c *curating) prior() (read []curate.Input, rates *selection.TaskRates, err error) {
	f := c.flags
	paths, err := f.in.expand([]string{f.sel.prior})
	if err != nil {
		return nil, nil, err
	}
	for _, path := range paths {
		read = append(read, curate.Input{Name: path})
	}
	rates = &selection.TaskRates{}
	_, err = gather(c.cmd, &f.in, f.report.quiet, paths, selection.RateFields, rates, func() *selection.TaskRates { return &selection.TaskRates{} })
	return read, rates, err
}

// against are the evaluation sets, none of which may be an input too.
func (c *curating) against() (sets []curate.Input, err error) {
	paths, err := c.flags.in.expand(c.flags.compared.against)
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		if slices.ContainsFunc(c.reader.paths, func(in string) bool { return samePath(in, path) }) {
			return nil, usagef("%s: it is an input and an evaluation set", path)
		}
		sets = append(sets, curate.Input{Name: path})
	}
	return sets, nil
}

// tell prints what was found, and turns an error into one of the command.
func (c *curating) tell(r *curate.Result, err error) error {
	if r != nil {
		if printed := c.print(c.cmd.OutOrStdout(), r); printed != nil {
			return printed
		}
	}
	var (
		nothing *curate.NothingKeptError
		noRows  *curate.NoRowsError
	)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, context.Canceled):
		return &commandError{exitInterrupted, "interrupted before it began; " + clean(c.flags.out) + " is as it was: the same command goes on"}
	case errors.Is(err, curate.ErrOptions):
		return usagef("%s", optionProblem(err))
	case errors.As(err, &noRows) && noRows.LeftOut > 0:
		return &commandError{exitNothingKept, fmt.Sprintf("not one row: --sample %g leaves out all %s; raise it", c.flags.sample, count(noRows.LeftOut, "row"))}
	case errors.As(err, &noRows) && noRows.Quarantined == 0:
		return emptyError([]string{c.inputs.name(c.reader.paths[0])})
	case errors.As(err, &noRows):
		return &commandError{exitBadInput, "not one row: " + count(noRows.Quarantined, "record") + " cannot be read (rollmill validate says where)"}
	case errors.As(err, &nothing):
		return &commandError{exitNothingKept, fmt.Sprintf("nothing was kept of %s: %s took the last %s; %s",
			count(nothing.Counts.Rows, "row"), nothing.Gate, grouped(nothing.Took), c.wayOut(nothing.Gate))}
	}
	return err
}

// wayOut says what can be done about a gate that leaves nothing.
func (c *curating) wayOut(gate string) string {
	for g := selection.Gate(0); g <= selection.GateTarget; g++ {
		if g.String() == gate {
			return strings.Replace(wayOut(g), "--dropped FILE", filepath.Join(c.flags.out, "report.html"), 1)
		}
	}
	return filepath.Join(c.flags.out, "report.html") + " shows them"
}

func (c *curating) print(w io.Writer, r *curate.Result) error {
	f := c.flags
	if f.report.json {
		return printJSON(w, r)
	}
	if r.Earlier {
		fmt.Fprintf(w, "%s holds this run already, finished by %s; nothing was done\n\n", clean(f.out), clean(r.Manifest.Version))
	} else {
		inputs := reportInputs(c.reader.facts())
		if c.pick.full() {
			for i := range inputs {
				inputs[i].Records = 0 // what the reader met behind the limit, by chance, is no news
			}
		}
		printInputs(w, inputs)
		if c.pick.full() {
			fmt.Fprintln(w, "stopped at --limit; what stands behind was not read")
		}
		fmt.Fprintln(w)
	}
	if err := r.WriteText(w); err != nil {
		return err
	}
	return printFolder(w, f.out, r)
}

// printFolder says where the files are.
func printFolder(w io.Writer, out string, r *curate.Result) error {
	fmt.Fprintln(w)
	for _, p := range r.Manifest.Parts {
		what := ""
		if p.Rows > 0 {
			what = count(p.Rows, "row") + ", "
		}
		fmt.Fprintf(w, "-> %s: %s%s\n", clean(filepath.Join(out, p.Path)), what, byteSize(p.Bytes))
	}
	if page := filepath.Join(out, "report.html"); exists(page) {
		fmt.Fprintf(w, "-> %s: all of this, to look at\n", clean(page))
	}
	_, err := fmt.Fprintf(w, "\n%s\n", r.Counts)
	return err
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
