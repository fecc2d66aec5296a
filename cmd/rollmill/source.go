package main

import (
	"context"
	"fmt"

	"github.com/rollmill/rollmill/formats/dialect"
	"github.com/rollmill/rollmill/formats/files"
	"github.com/rollmill/rollmill/formats/jsonl"
	"github.com/rollmill/rollmill/formats/parquet"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

// source reads the inputs of a run, whatever formats they have, as one flow.
// Inputs that stand together and are of one format share a reader.
type source struct {
	paths []string
	json  []*jsonl.Reader
	table []*parquet.Reader
	flows []func() stream.Flow[rollout.Row] // of the readers, in the order of the inputs
}

var _ stream.Composed[rollout.Row] = (*source)(nil)

// inputFact is what an input was found to be.
type inputFact struct {
	path, layout, dialect string
	unknown               bool // no record told its dialect, and none was given
	size, records         int64
}

// open makes a source of the inputs. want are the fields that are decoded of
// JSON text, which carries the others along; columns those of columnar files,
// which do not.
func (f *inputFlags) open(args []string, want, columns rollout.Fields) (*source, error) {
	d, given, err := f.check()
	if err != nil {
		return nil, err
	}
	paths, err := files.Expand(args)
	if err != nil {
		return nil, err
	}
	s := &source{paths: paths}
	for from, to := 0, 0; from < len(paths); from = to {
		format, err := files.Sniff(paths[from])
		for to = from + 1; to < len(paths) && err == nil; to++ {
			var next files.Format
			if next, err = files.Sniff(paths[to]); next != format {
				break
			}
		}
		if err != nil {
			return nil, err
		}
		switch format {
		case files.JSON:
			s.addJSON(f, uint32(from), paths[from:to], d, given, want)
		case files.Parquet:
			s.addTable(f, uint32(from), paths[from:to], d, given, columns)
		default:
			return nil, &files.InputError{Path: paths[from], Err: fmt.Errorf("an %v", format), Hint: "this version reads JSON text and Parquet"}
		}
	}
	return s, nil
}

func (s *source) addJSON(f *inputFlags, first uint32, paths []string, d dialect.Dialect, given bool, want rollout.Fields) {
	opts := []jsonl.Option{
		jsonl.FirstInput(first), jsonl.Fields(want), jsonl.Workers(f.parallel()), jsonl.BatchRows(f.batchRows), jsonl.MaxRecord(f.maxRecord),
	}
	if f.strict {
		opts = append(opts, jsonl.Strict())
	}
	if given {
		opts = append(opts, jsonl.Dialect(d))
	}
	r := jsonl.OpenAll(paths, opts...)
	s.json = append(s.json, r)
	s.flows = append(s.flows, r.Flow)
}

func (s *source) addTable(f *inputFlags, first uint32, paths []string, d dialect.Dialect, given bool, columns rollout.Fields) {
	opts := []parquet.Option{
		parquet.FirstInput(first), parquet.Fields(columns), parquet.Workers(f.parallel()), parquet.BatchRows(f.batchRows),
	}
	if given {
		opts = append(opts, parquet.Dialect(d))
	}
	r := parquet.OpenAll(paths, opts...)
	s.table = append(s.table, r)
	s.flows = append(s.flows, func() stream.Flow[rollout.Row] {
		rows := r.Flow()
		if f.strict {
			rows = stream.Through(rows, stream.Map(f.parallel(), s.strict))
		}
		return rows
	})
}

// strict makes the first reject an error, as the reader of JSON text does.
func (s *source) strict(_ context.Context, b stream.Batch[rollout.Row]) (stream.Batch[rollout.Row], error) {
	if len(b.Rejects) > 0 {
		r := &b.Rejects[0]
		return b, &jsonl.RecordError{File: s.InputName(r.Pos.Input), Record: r.Pos.Record, Code: r.Code, Detail: r.Detail}
	}
	return b, nil
}

// Flow returns the rows of all inputs in their order.
func (s *source) Flow() stream.Flow[rollout.Row] {
	if len(s.flows) == 1 {
		return s.flows[0]()
	}
	flows := make([]stream.Flow[rollout.Row], len(s.flows))
	for i, flow := range s.flows {
		flows[i] = flow()
	}
	return stream.Merge(flows...)
}

// Run sends the rows to a channel. Flows use Flow.
func (s *source) Run(ctx context.Context, out chan<- stream.Batch[rollout.Row]) error {
	return stream.Feed(ctx, s.Flow(), out)
}

// facts are what was found in the inputs that were opened so far, in the order
// of the inputs.
func (s *source) facts() []inputFact {
	found := map[string]inputFact{}
	for _, r := range s.json {
		for _, in := range r.Inputs() {
			found[in.Path] = inputFact{in.Path, in.Layout.String(), in.Dialect, in.Unknown, in.Size, in.Records}
		}
	}
	for _, r := range s.table {
		for _, in := range r.Inputs() {
			found[in.Path] = inputFact{in.Path, "Parquet", in.Dialect, false, in.Size, in.Records}
		}
	}
	var facts []inputFact
	for _, p := range s.paths {
		if f, ok := found[p]; ok {
			facts = append(facts, f)
		}
	}
	return facts
}

// Notes counts what was mended so far.
func (s *source) Notes() (sum rollout.Notes) {
	for _, r := range s.json {
		sum = addNotes(sum, r.Notes())
	}
	for _, r := range s.table {
		sum = addNotes(sum, r.Notes())
	}
	return sum
}

func addNotes(a, b rollout.Notes) rollout.Notes {
	return rollout.Notes{
		DuplicateNames: a.DuplicateNames + b.DuplicateNames,
		NonFinite:      a.NonFinite + b.NonFinite,
		LoneSurrogates: a.LoneSurrogates + b.LoneSurrogates,
	}
}

// BytesRead is how many bytes of the files were read so far.
func (s *source) BytesRead() (sum int64) {
	for _, r := range s.json {
		sum += r.BytesRead()
	}
	for _, r := range s.table {
		sum += r.BytesRead()
	}
	return sum
}

// InputName is the name of an input by its number.
func (s *source) InputName(n uint32) string { return s.paths[n] }
