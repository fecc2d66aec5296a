package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rollmill/rollmill/formats/dialect"
	"github.com/rollmill/rollmill/formats/files"
	"github.com/rollmill/rollmill/formats/jsonl"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/curate"
	"github.com/rollmill/rollmill/stages/decontaminate"
	"github.com/rollmill/rollmill/stages/selection"
)

// rehearsal says what a run of curate would do. Of each file it reads the first
// block, and nothing of standard input.
type rehearsal struct {
	flags *curateFlags
	cmd   *cobra.Command
	args  []string
}

// rehearsed is what would be done.
type rehearsed struct {
	DryRun  bool          `json:"dry_run"`
	Inputs  []inputReport `json:"inputs"`
	Against []inputReport `json:"against"`
	Prior   []inputReport `json:"prior,omitempty"`
	Graders []string      `json:"graders"`
	Rules   []string      `json:"rules"`
	Gates   []string      `json:"gates"` // in the order in which rows come to them
	Scan    bool          `json:"scan"`
	Out     string        `json:"out"`
	Holds   string        `json:"holds,omitzero"` // what OUT holds already
	Files   []string      `json:"files"`
}

func (r *rehearsal) run() error {
	f := r.flags
	o, err := f.options(r.cmd)
	if err != nil {
		return err
	}
	c := &curating{flags: f, cmd: r.cmd, args: r.args}
	if c.reader, err = f.in.open(r.args, rollout.AllFields, rollout.AllFields); err != nil {
		return err
	}
	if len(f.compared.against) > 0 {
		if o.Against, err = c.against(); err != nil {
			return err
		}
	}
	o.Rows = c.reader
	if err := o.Check(); err != nil {
		return usagef("%s", optionProblem(err))
	}
	plan := &rehearsed{DryRun: true, Against: []inputReport{}, Graders: []string{}, Rules: []string{}, Scan: !f.noScan, Out: f.out, Holds: holds(f.out), Files: f.outputs(&o)}
	if plan.Inputs, err = r.look(c.reader.paths, &f.in); err != nil {
		return err
	}
	var sets []string
	for _, in := range o.Against {
		sets = append(sets, in.Name)
	}
	if len(sets) > 0 {
		if plan.Against, err = r.look(sets, f.compared.sets.inputs(&f.in)); err != nil {
			return err
		}
		for _, rule := range o.Decontaminate.Rules {
			plan.Rules = append(plan.Rules, rule.Name())
		}
	}
	if f.sel.prior != "" {
		paths, err := f.in.expand([]string{f.sel.prior})
		if err != nil {
			return err
		}
		if plan.Prior, err = r.look(paths, &f.in); err != nil {
			return err
		}
	}
	for _, g := range o.Grade {
		info, gives := g.Grader.Info(), "reward"
		if g.Marker != "" {
			gives = "marker " + g.Marker
		}
		plan.Graders = append(plan.Graders, fmt.Sprintf("%s %s: %s", info.Name, info.Version, gives))
	}
	plan.Gates = f.gates(&o)
	if f.report.json {
		return printJSON(r.cmd.OutOrStdout(), plan)
	}
	return plan.print(r.cmd.OutOrStdout())
}

// gates are those of a run in their order.
func (f *curateFlags) gates(o *curate.Options) (list []string) {
	if len(o.Against) > 0 {
		list = append(list, decontaminate.GateName)
	}
	if o.Shape != curate.RowShape {
		list = append(list, curate.ShapeGate)
	}
	for _, g := range selection.Gates(o.Select.Mode) {
		switch {
		case g == selection.GateHoldout && o.Select.Holdout == 0,
			g == selection.GateTarget && o.Select.Target == 0,
			(g == selection.GateSolved || g == selection.GateUnsolved) && f.sel.prior == "":
			continue
		}
		list = append(list, g.String())
	}
	return list
}

// outputs are the files that would be written.
func (f *curateFlags) outputs(o *curate.Options) []string {
	train := "train." + string(o.Format)
	if f.perFile > 0 {
		train = jsonl.PartPath(train, 0) + " and so on"
	}
	list := []string{train}
	if o.Select.Holdout > 0 {
		list = append(list, "holdout."+string(o.Format))
	}
	return append(list, "rows.arrow", "quarantine.jsonl (if a record cannot be read)", "report.html", "report.json", "run.json", curate.JobFileName, "manifest.json")
}

// holds says what a folder holds that would be written to.
func holds(out string) string {
	entries, err := os.ReadDir(out)
	switch {
	case err != nil || !slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() != curate.JobFileName }):
		return "" // a job file is no run
	case slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() == "manifest.json" }):
		return "a finished run"
	case slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() == ".spool" }):
		return "an unfinished run"
	}
	return "something else, which is refused without --force"
}

// look says what the first blocks of inputs show.
func (r *rehearsal) look(paths []string, how *inputFlags) (list []inputReport, err error) {
	d, given, err := how.given()
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		fact := inputFact{path: path, layout: "told when it is read", dialect: "?"}
		if info, err := os.Stat(path); path != files.Stdin && (err != nil || info.Mode().IsRegular()) {
			if fact, err = lookAt(path); err != nil {
				return nil, err
			}
		}
		if given {
			fact.dialect, fact.unknown = nativeName, false
			if d != nil {
				fact.dialect = d.Name()
			}
		}
		list = append(list, reportInputs([]inputFact{fact})...)
	}
	return list, nil
}

// lookAt reads the first block of a file.
func lookAt(path string) (fact inputFact, err error) {
	fact.path = path
	if decontaminate.IsIndex(path) {
		fact.layout, fact.dialect = "saved index", "n-grams"
		if info, err := os.Stat(path); err == nil {
			fact.size = info.Size()
		}
		return fact, nil
	}
	format, err := files.Sniff(path)
	if err != nil {
		return fact, err
	}
	in, err := files.Open(path)
	if err != nil {
		return fact, err
	}
	defer in.Close()
	fact.size, fact.layout = in.Size, format.String()
	if format != files.JSON {
		return fact, nil
	}
	head, whole, err := in.Head()
	if err != nil {
		return fact, err
	}
	guess, err := dialect.Recognise(in.Name, head, whole)
	if err != nil {
		return fact, &files.InputError{Path: path, Err: err}
	}
	fact.layout, fact.unknown = guess.Layout.String(), guess.Unknown
	if guess.Dialect != nil {
		fact.dialect = guess.Dialect.Name()
	}
	return fact, nil
}

// print says it for people.
func (p *rehearsed) print(w io.Writer) error {
	fmt.Fprintln(w, "a dry run: nothing is done")
	section := func(title string, list []inputReport) {
		for _, in := range list {
			size := "size unknown"
			if in.Bytes > 0 {
				size = byteSize(in.Bytes)
			}
			fmt.Fprintf(w, "%s %s: %s, %s, %s\n", title, inputName(in.Path), in.Layout, in.Dialect, size)
		}
	}
	section("read     ", p.Inputs)
	section("earlier  ", p.Prior)
	for _, g := range p.Graders {
		fmt.Fprintf(w, "grade     %s\n", clean(g))
	}
	section("against  ", p.Against)
	if len(p.Rules) > 0 {
		fmt.Fprintf(w, "rules     %s\n", strings.Join(p.Rules, ", "))
	}
	if p.Scan {
		fmt.Fprintln(w, "scan      for what the reward pays for")
	}
	fmt.Fprintf(w, "gates     %s\n", strings.Join(p.Gates, ", "))
	for _, name := range p.Files {
		fmt.Fprintf(w, "-> %s\n", clean(strings.TrimSuffix(p.Out, "/")+"/"+name))
	}
	if p.Holds != "" {
		fmt.Fprintf(w, "%s holds %s\n", clean(p.Out), p.Holds)
	}
	return nil
}
