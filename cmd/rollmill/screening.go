package main

import (
	"context"
	"math"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/rollmill/rollmill/formats/files"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/decontaminate"
	"github.com/rollmill/rollmill/stream"
)

// screening is one run of decontaminate.
type screening struct {
	flags     *decontaminateFlags
	cmd       *cobra.Command
	options   decontaminate.Options
	to        *target
	flaggedTo *target // nil for nowhere
	args      []string
	against   []string // evaluation sets and indexes
	reader    *source
	index     *decontaminate.Index
}

// open opens the inputs, when all that can be told to be wrong is told.
func (s *screening) open(args []string) (err error) {
	f := s.flags
	s.args, s.against = args, slices.Concat(f.indexes, f.against)
	f.in.mine = s.writes
	if s.reader, err = f.in.open(args, s.fields(), rollout.AllFields); err != nil {
		return err
	}
	sets, err := f.in.expand(s.against)
	if err != nil {
		return err
	}
	for _, path := range sets {
		switch {
		case slices.ContainsFunc(s.reader.paths, func(in string) bool { return samePath(in, path) }):
			return usagef("%s: it is an input and an evaluation set", path)
		case f.maxTasks > 0 && slices.Contains(s.reader.paths, files.Stdin):
			return usagef("--max-tasks reads the input twice, and standard input can be read once")
		}
	}
	return s.checkTargets(slices.Concat(s.reader.paths, sets))
}

// checkTargets says what is wrong with the outputs.
func (s *screening) checkTargets(inputs []string) error {
	f := s.flags
	if err := s.to.check(inputs); err != nil {
		return err
	}
	names := []string{f.out, s.to.quarantine, f.flagged, f.reportFile}
	for i, name := range names {
		for _, other := range names[:i] {
			if name != "" && other != "" && samePath(name, other) {
				return usagef("%s: two outputs have that name", name)
			}
		}
	}
	if f.reportFile == files.Stdin {
		return usagef("--report -: --json prints the report; name a file")
	}
	if s.flaggedTo != nil {
		if err := s.flaggedTo.check(inputs); err != nil {
			return err
		}
	}
	return (&target{force: f.force}).checkFile(f.reportFile, inputs, false)
}

// writes reports whether the run writes a file.
func (s *screening) writes(path string) bool {
	return s.to.writes(path) || s.flaggedTo != nil && s.flaggedTo.writes(path) || s.flags.reportFile != "" && sameFile(s.flags.reportFile, path)
}

// fields are the fields of rows that must be decoded: those of JSON text that
// stays JSON text are carried along.
func (s *screening) fields() rollout.Fields {
	for _, to := range []*target{s.to, s.flaggedTo} {
		if to != nil && to.path != "" && to.format() != files.JSON {
			return rollout.AllFields
		}
	}
	return s.options.Fields() | rollout.FieldID | rollout.FieldIndex | rollout.FieldPrompt | rollout.FieldFinalText // what names a row
}

// openIndex makes the index that the rules need, and finds the n-grams that are no
// evidence.
func (s *screening) openIndex() error {
	f := s.flags
	config, err := f.config(&s.options)
	if err != nil {
		return err
	}
	if s.index, err = openIndex(s.cmd, f.sets.inputs(&f.in), f.report.quiet, s.against, config); err != nil {
		return err
	}
	found := s.index.Config()
	for _, r := range s.options.Rules {
		if s.index.Serves(r) != nil {
			return usagef("--rule %s: it reads n-grams of %d words, and the index has those of %v", r.Name(), r.N(), found.N)
		}
	}
	if f.sets.words.name != "" && found.Words != config.Words {
		return usagef("--words %v: the index has %v words", config.Words, found.Words)
	}
	if f.maxItems == 0 && f.maxTasks == 0 {
		return nil
	}
	s.options.Boilerplate = s.index.Boilerplate(f.maxItems)
	if f.maxTasks > 0 {
		fresh := func() *decontaminate.TaskCounts { return s.index.NewTaskCounts(s.options.Parts, f.maxTasks) }
		counts := fresh()
		if _, err := gather(s.cmd, &f.in, f.report.quiet, s.args, counts.Fields(), counts, fresh); err != nil {
			return err
		}
		s.options.Boilerplate.AddTasks(counts)
	}
	return nil
}

// run runs the flow: reader, checks, and a writer for what is kept and one for
// what is flagged.
func (s *screening) run() error {
	found := decontaminate.NewTally(s.index, s.options)
	workers := s.flags.in.parallel()
	var refused tally
	rows := stream.Through(stream.From(s.reader), stream.Map(workers, func(_ context.Context, b stream.Batch[rollout.Row]) (stream.Batch[rollout.Row], error) {
		refused.add(b.Rejects)
		return b, nil
	}), stream.Name(rowsStage))
	rows = stream.Through(rows, decontaminate.Stage(s.index, s.options, workers, found))

	kept, flagged := s.writing(s.to), s.writing(s.flaggedTo)
	keptOut, flaggedOut := kept.writer(), flagged.writer()
	branches := stream.Tee(rows, 2)
	quiet := s.flags.report.quiet || s.to.toStdout() && isTerminal(os.Stdout) // rows and a bar do not mix
	stats, err := runFlow(s.cmd, quiet, s.reader,
		stream.To(stream.Through(branches[0], stream.Filter(isKept, stream.Workers(workers))), keptOut),
		stream.To(stream.Through(branches[1], stream.Filter(isFlagged, stream.Workers(workers))), flaggedOut))
	for _, c := range []*conversion{kept, flagged} {
		if settled := c.settleRejects(err == nil); settled != nil {
			return settled
		}
	}
	if err != nil && !(keptOut.Summary().Whole && flaggedOut.Summary().Whole) {
		return err
	}
	in := stageNamed(stats, rowsStage)
	r := s.report(found.Report(), in.ItemsIn+in.RejectsIn, keptOut.Summary(), flaggedOut.Summary(), &refused)
	r.Seconds = math.Round(stats.Elapsed.Seconds()*1000) / 1000
	return s.finish(r)
}

// writing is a conversion that writes to a target, nil for one that only counts.
func (s *screening) writing(to *target) *conversion {
	if to == nil {
		to = &target{dry: true}
	}
	return &conversion{flags: &convertFlags{in: s.flags.in}, cmd: s.cmd, reader: s.reader, to: to}
}

// isFlagged reports whether the stage flagged a row: whatever the row said before
// does not count.
func isFlagged(r *rollout.Row) bool { return r.Changed().Has(rollout.FieldGates) }

func isKept(r *rollout.Row) bool { return !isFlagged(r) }
