package main

import (
	"context"

	"github.com/rollmill/rollmill/formats/arrowipc"
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
	paths   []string
	readers []rowReader // in the order of the inputs
	flags   *inputFlags
	mapping *dialect.Mapping // nil where none was given
	want    rollout.Fields
}

var _ stream.Composed[rollout.Row] = (*source)(nil)

// manner is how the inputs of a run are read.
type manner struct {
	*inputFlags
	dialect       dialect.Dialect
	given         bool           // there is no dialect to recognise
	want, columns rollout.Fields // of JSON text, and of columnar files
	name          func(input uint32) string
}

// open makes a source of the inputs. want are the fields that are decoded of
// JSON text, which carries the others along; columns those of columnar files,
// which do not.
func (f *inputFlags) open(args []string, want, columns rollout.Fields) (*source, error) {
	d, given, err := f.check()
	if err != nil {
		return nil, err
	}
	paths, err := f.expand(args)
	if err != nil {
		return nil, err
	}
	s := &source{paths: paths, flags: f, want: want}
	s.mapping, _ = d.(*dialect.Mapping)
	how := &manner{f, d, given, want, columns, s.InputName}
	for from, to := 0, 0; from < len(paths); from = to {
		if paths[from] == files.Stdin {
			first := uint32(from)
			s.readers = append(s.readers, &stdinReader{make: func(format files.Format) rowReader {
				return how.reader(format, first, []string{files.Stdin})
			}})
			to = from + 1
			continue
		}
		format, err := files.Sniff(paths[from])
		for to = from + 1; to < len(paths) && paths[to] != files.Stdin && err == nil; to++ {
			var next files.Format
			if next, err = files.Sniff(paths[to]); next != format {
				break
			}
		}
		if err != nil {
			return nil, err
		}
		s.readers = append(s.readers, how.reader(format, uint32(from), paths[from:to]))
	}
	return s, nil
}

// reader makes the reader of inputs that are of one format.
func (m *manner) reader(format files.Format, first uint32, paths []string) rowReader {
	var r rowReader
	switch format {
	case files.Parquet:
		r = m.parquet(first, paths)
	case files.ArrowFile, files.ArrowStream:
		r = m.arrow(first, paths)
	default:
		return m.json(first, paths)
	}
	if m.strict {
		r = strictReader{r, m.name, m.parallel()}
	}
	return r
}

func (m *manner) json(first uint32, paths []string) rowReader {
	opts := []jsonl.Option{
		jsonl.FirstInput(first), jsonl.Fields(m.want), jsonl.Workers(m.parallel()), jsonl.BatchRows(m.batchRows), jsonl.MaxRecord(m.maxRecord),
	}
	if m.strict {
		opts = append(opts, jsonl.Strict())
	}
	if m.given {
		opts = append(opts, jsonl.Dialect(m.dialect))
	}
	return jsonReader{jsonl.OpenAll(paths, opts...)}
}

func (m *manner) parquet(first uint32, paths []string) rowReader {
	opts := []parquet.Option{
		parquet.FirstInput(first), parquet.Fields(m.columns), parquet.Workers(m.parallel()), parquet.BatchRows(m.batchRows),
	}
	if m.given {
		opts = append(opts, parquet.Dialect(m.dialect))
	}
	return parquetReader{parquet.OpenAll(paths, opts...)}
}

func (m *manner) arrow(first uint32, paths []string) rowReader {
	opts := []arrowipc.Option{
		arrowipc.FirstInput(first), arrowipc.Fields(m.columns), arrowipc.Workers(m.parallel()), arrowipc.BatchRows(m.batchRows),
	}
	if m.given {
		opts = append(opts, arrowipc.Dialect(m.dialect))
	}
	return arrowReader{arrowipc.OpenAll(paths, opts...)}
}

// Flow returns the rows of all inputs in their order.
func (s *source) Flow() stream.Flow[rollout.Row] {
	if len(s.readers) == 1 {
		return s.readers[0].Flow()
	}
	flows := make([]stream.Flow[rollout.Row], len(s.readers))
	for i, r := range s.readers {
		flows[i] = r.Flow()
	}
	return stream.Merge(flows...)
}

// Run sends the rows to a channel. Flows use Flow.
func (s *source) Run(ctx context.Context, out chan<- stream.Batch[rollout.Row]) error {
	return stream.Feed(ctx, s.Flow(), out)
}

// facts are what was found in the inputs that were opened so far, in the order
// of the inputs.
func (s *source) facts() (facts []inputFact) {
	for _, r := range s.readers {
		facts = append(facts, r.facts()...)
	}
	misses := s.misses()
	for i := range facts {
		facts[i].misses = misses
	}
	return facts
}

// Notes counts what was mended so far.
func (s *source) Notes() (sum rollout.Notes) {
	for _, r := range s.readers {
		n := r.Notes()
		sum.DuplicateNames += n.DuplicateNames
		sum.NonFinite += n.NonFinite
		sum.LoneSurrogates += n.LoneSurrogates
	}
	return sum
}

// BytesRead is how many bytes of the files were read so far.
func (s *source) BytesRead() (sum int64) {
	for _, r := range s.readers {
		sum += r.BytesRead()
	}
	return sum
}

// InputName is the name of an input by its number.
func (s *source) InputName(n uint32) string { return s.paths[n] }
