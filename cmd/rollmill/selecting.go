package main

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"github.com/rollmill/rollmill/formats/files"
	"github.com/rollmill/rollmill/formats/jsonl"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/selection"
	"github.com/rollmill/rollmill/stream"
)

// selecting is one run of select: a first pass over the rows plans, a second one
// puts the kept rows on a shelf, from which they are written in order.
type selecting struct {
	flags  *selectFlags
	cmd    *cobra.Command
	inputs *spool
	plan   *selection.Plan
	report selectReport
}

func (s *selecting) run() error {
	start := time.Now()
	f := s.flags
	if err := s.makePlan(); err != nil {
		return err
	}
	nothing := s.plan.Err()
	if nothing != nil && (f.dropped == "" || f.dryRun) {
		return s.nothingKept(nothing)
	}
	if f.dryRun {
		if r := s.report.RL; r != nil {
			r.Calibration.List = nil // tasks are named in the second pass
		}
	} else if err := s.write(); err != nil {
		return err
	}
	s.report.Seconds = roundSeconds(time.Since(start))
	if err := s.report.check(); err != nil {
		return err
	}
	if nothing != nil {
		return s.nothingKept(nothing)
	}
	w := s.cmd.OutOrStdout()
	if s.target().toStdout() {
		w = s.cmd.ErrOrStderr()
	}
	return s.report.print(w, f.report.json)
}

// target is where the kept rows go.
func (s *selecting) target() *target { return s.targetOf(s.flags.out, s.flags.rowsPerFile > 0) }

func (s *selecting) targetOf(path string, parts bool) *target {
	if path == "/dev/stdout" {
		path = files.Stdin
	}
	return &target{path: path, parts: parts, force: s.flags.force, dry: s.flags.dryRun}
}

// check says what is wrong with the outputs before anything is read.
func (s *selecting) check() error {
	f := s.flags
	main := s.target()
	main.quarantine = s.quarantine()
	f.in.mine = func(path string) bool {
		if main.writes(path) {
			return true
		}
		for _, also := range []string{f.dropped, s.holdout()} {
			if also != "" && sameFile(also, path) {
				return true
			}
		}
		return false
	}
	paths, err := f.in.expand(s.inputs.args)
	if err != nil {
		return err
	}
	if main.toStdout() && f.options.Holdout > 0 && f.holdoutTo == "" {
		return usagef("--holdout: standard output is taken; say with --holdout-to where they go")
	}
	if f.options.Holdout == 0 && f.holdoutTo != "" {
		return usagef("--holdout-to: nothing is set aside; say with --holdout how much")
	}
	if f.options.Mode == selection.Pairs && !f.dryRun && main.format() != files.JSON {
		return usagef("%s: pairs are written as JSON Lines; name it .jsonl, .jsonl.gz or .jsonl.zst", f.out)
	}
	if err := main.check(paths); err != nil {
		return err
	}
	taken := []string{main.path, main.quarantine}
	for _, path := range []string{f.dropped, s.holdout()} {
		if path == "" {
			continue
		}
		for _, other := range taken {
			if other != "" && samePath(path, other) {
				return usagef("%s: two outputs would be written to it", path)
			}
		}
		taken = append(taken, path)
		if err := s.targetOf(path, false).check(paths); err != nil {
			return err
		}
	}
	return nil
}

func (s *selecting) quarantine() string {
	if s.flags.quarantine != "" {
		return s.flags.quarantine
	}
	return defaultQuarantine(s.target().path)
}

// holdout is where the rows go that are set aside, "" for nowhere.
func (s *selecting) holdout() string {
	switch {
	case s.flags.options.Holdout == 0 || s.flags.dryRun && s.flags.out == "":
		return ""
	case s.flags.holdoutTo != "":
		return s.flags.holdoutTo
	}
	return beside(s.flags.out, "holdout")
}

// makePlan reads the inputs a first time.
func (s *selecting) makePlan() error {
	f := s.flags
	if f.prior != "" {
		rates := &selection.TaskRates{}
		if _, err := gather(s.cmd, &f.in, f.report.quiet, []string{f.prior}, selection.RateFields, rates, func() *selection.TaskRates { return &selection.TaskRates{} }); err != nil {
			return err
		}
		f.options.RL.Prior = rates
	}
	a, err := selection.New(f.options)
	if err != nil {
		return err
	}
	from, err := gather(s.cmd, &f.in, f.report.quiet, s.inputs.args, f.options.Fields(), a, a.Fresh)
	if err != nil {
		return err
	}
	for i := range from.Inputs {
		from.Inputs[i].Path = s.inputs.name(from.Inputs[i].Path)
	}
	s.report.gathered = from
	if s.plan, err = a.Plan(s.cmd.Context()); err != nil {
		return err
	}
	s.report.Report = s.plan.Report()
	s.report.nameSlices(s.inputs)
	return nil
}

// write reads the inputs a second time and writes what the plan says.
func (s *selecting) write() error {
	f := s.flags
	shelf, err := newShelf(f.tmp, s.plan.Kept())
	if err != nil {
		return err
	}
	defer shelf.remove()
	rejects := jsonl.NewRejectFile(s.quarantine(), func(n uint32) string { return s.inputs.name(s.report.reader.InputName(n)) }, f.force)
	defer rejects.Abort() // nothing is left to abort after a commit
	if err := s.shelve(shelf, rejects); err != nil {
		return err
	}
	if s.plan.Kept() > 0 { // else only the dropped rows were wanted
		if err := s.writeKept(shelf); err != nil {
			return err
		}
	}
	if err := rejects.Commit(); err != nil {
		return err
	}
	if q := partReport(rejects.Part()); q.Path != "" {
		s.report.Quarantine = &q
	}
	s.report.Quarantined = rejects.Part().Rows
	return nil
}

// shelve puts the kept rows on the shelf, and writes the others where they are
// wanted.
func (s *selecting) shelve(shelf *shelf, rejects *jsonl.RejectFile) error {
	f := s.flags
	reader, err := f.in.open(s.inputs.args, s.fields(), rollout.AllFields)
	if err != nil {
		return err
	}
	branches := []branch{{name: "shelve", keep: func(g selection.Gate) bool { return g == selection.Kept }}}
	if path := f.dropped; path != "" {
		branches = append(branches, branch{name: "dropped", path: path, keep: func(g selection.Gate) bool {
			return g != selection.Kept && g != selection.GateHoldout
		}})
	}
	if path := s.holdout(); path != "" {
		branches = append(branches, branch{name: "holdout", path: path, keep: func(g selection.Gate) bool { return g == selection.GateHoldout }})
	}
	flows := stream.Tee(stream.From(reader), len(branches))
	ends := make([]stream.End, len(branches))
	for i := range branches {
		b := &branches[i]
		if b.path == "" {
			ends[i] = shelf.fill(flows[i], f.in.parallel(), s.plan, rejects)
			continue
		}
		rows := stream.Through(flows[i], stream.Map(f.in.parallel(), s.branch(b.keep)), stream.Name(b.name))
		c := s.conversion(s.targetOf(b.path, false), reader)
		b.out = c.writer()
		ends[i] = stream.To(rows, b.out)
	}
	if _, err := runFlow(s.cmd, f.report.quiet, reader, ends...); err != nil {
		return err
	}
	for _, b := range branches {
		if b.out != nil {
			s.report.addBranch(b.name, b.out.Summary())
		}
	}
	return shelf.full()
}

// branch is one way that rows of the second pass go.
type branch struct {
	name, path string
	keep       func(selection.Gate) bool
	out        sink
}

// branch lets rows through that ended at some gates. Those that were dropped
// tell where.
func (s *selecting) branch(keep func(selection.Gate) bool) func(context.Context, stream.Batch[rollout.Row]) (stream.Batch[rollout.Row], error) {
	return func(_ context.Context, b stream.Batch[rollout.Row]) (stream.Batch[rollout.Row], error) {
		kept := make([]rollout.Row, 0, len(b.Items))
		for i := range b.Items {
			pick, err := s.plan.Of(b.Items[i].Pos)
			if err != nil {
				return b, changedInput(err)
			}
			if !keep(pick.Gate) {
				continue
			}
			kept = append(kept, b.Items[i])
			if pick.Gate != selection.GateHoldout {
				s.plan.Finish(&kept[len(kept)-1], pick)
			}
		}
		return stream.Carry(b, kept), nil
	}
}

// changedInput says that the inputs are not what they were.
func changedInput(err error) error {
	if errors.Is(err, selection.ErrInputChanged) {
		return &commandError{exitBadInput, "an input changed while it was read"}
	}
	return err
}

// fields are those that the second pass decodes: JSON text carries the others
// along.
func (s *selecting) fields() rollout.Fields {
	if s.flags.dropped != "" {
		return s.flags.options.Fields() | rollout.FieldGate | rollout.FieldGates
	}
	return rollout.FieldTaskID | rollout.FieldPrompt | rollout.FieldReward | rollout.FieldStatus | rollout.FieldJudge |
		rollout.FieldReason | rollout.FieldMarkers | rollout.FieldExtra
}

// conversion is the end of a run that writes to a target.
func (s *selecting) conversion(to *target, reader *source) *conversion {
	return &conversion{flags: &convertFlags{in: s.flags.in, rowsPerFile: s.flags.rowsPerFile}, cmd: s.cmd, reader: reader, to: to}
}

// writeKept writes the rows of the shelf in their order.
func (s *selecting) writeKept(shelf *shelf) error {
	c := s.conversion(s.target(), s.report.reader)
	rows := shelf.rows(s.flags.in.parallel(), s.flags.options.Mode == selection.Pairs, c.to.format() == files.JSON)
	out := c.writer()
	if _, err := runFlow(s.cmd, true, s.report.reader, stream.To(rows, out)); err != nil {
		return err
	}
	sum := out.Summary()
	s.report.Written = sum.Rows
	for _, p := range sum.Parts {
		s.report.Parts = append(s.report.Parts, partReport(p))
	}
	return c.to.removeStale(len(sum.Parts), false)
}

// nothingKept says which gate took the last rows.
func (s *selecting) nothingKept(err error) error {
	w := s.cmd.ErrOrStderr()
	if s.flags.report.json && !s.target().toStdout() {
		w = s.cmd.OutOrStdout()
	}
	if err := s.report.print(w, s.flags.report.json); err != nil {
		return err
	}
	nothing, ok := errors.AsType[*selection.NothingKeptError](err)
	if !ok {
		return err
	}
	return &commandError{exitNothingKept, "nothing was kept of " + count(int64(nothing.In), "row") + ": " + nothing.Gate.String() +
		" took the last " + grouped(int64(nothing.Dropped[nothing.Gate])) + "; " + wayOut(nothing.Gate)}
}

// wayOut says what can be done about a gate that leaves nothing.
func wayOut(g selection.Gate) string {
	switch g {
	case selection.GateTooEasy, selection.GateTooHard:
		return "widen --band, or judge it with --band-confidence"
	case selection.GateUnanimous, selection.GateCollapsed:
		return "sample more rollouts a task, or easier and harder tasks"
	case selection.GateNotPassing:
		return "lower --min-reward"
	case selection.GateUnpaired:
		return "lower --min-margin, or grade more rollouts a prompt"
	case selection.GateUnusableLabel, selection.GateNoScore, selection.GateJudgeFailed:
		return "grade the rows first"
	case selection.GateHoldout:
		return "hold out less"
	}
	return "--dropped FILE shows them"
}
