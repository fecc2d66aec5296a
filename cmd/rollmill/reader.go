package main

import (
	"context"
	"sync"

	"github.com/rollmill/rollmill/formats/arrowipc"
	"github.com/rollmill/rollmill/formats/dialect"
	"github.com/rollmill/rollmill/formats/files"
	"github.com/rollmill/rollmill/formats/jsonl"
	"github.com/rollmill/rollmill/formats/parquet"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

// rowReader reads inputs of one format. All but Flow may be called while that
// flow runs.
type rowReader interface {
	Flow() stream.Flow[rollout.Row]
	Notes() rollout.Notes
	BytesRead() int64
	facts() []inputFact
}

// inputFact is what an input was found to be.
type inputFact struct {
	path, layout, dialect string
	unknown               bool // no record told its dialect, and none was given
	size, records         int64
	misses                []dialect.Miss // of the rules of --map, in all inputs
}

type jsonReader struct{ *jsonl.Reader }

func (r jsonReader) facts() (facts []inputFact) {
	for _, in := range r.Inputs() {
		facts = append(facts, inputFact{in.Path, in.Layout.String(), in.Dialect, in.Unknown, in.Size, in.Records, nil})
	}
	return facts
}

type parquetReader struct{ *parquet.Reader }

func (r parquetReader) facts() (facts []inputFact) {
	for _, in := range r.Inputs() {
		facts = append(facts, inputFact{in.Path, files.Parquet.String(), in.Dialect, false, in.Size, in.Records, nil})
	}
	return facts
}

type arrowReader struct{ *arrowipc.Reader }

func (r arrowReader) facts() (facts []inputFact) {
	for _, in := range r.Inputs() {
		format := files.ArrowFile
		if in.Stream {
			format = files.ArrowStream
		}
		facts = append(facts, inputFact{in.Path, format.String(), in.Dialect, false, in.Size, in.Records, nil})
	}
	return facts
}

// strictReader makes the first reject of a columnar format an error, as the
// reader of JSON text does.
type strictReader struct {
	rowReader
	name    func(input uint32) string
	workers int
}

func (r strictReader) Flow() stream.Flow[rollout.Row] {
	return stream.Through(r.rowReader.Flow(), stream.Map(r.workers, func(_ context.Context, b stream.Batch[rollout.Row]) (stream.Batch[rollout.Row], error) {
		if len(b.Rejects) > 0 {
			bad := &b.Rejects[0]
			return b, &jsonl.RecordError{File: r.name(bad.Pos.Input), Record: bad.Pos.Record, Code: bad.Code, Detail: bad.Detail}
		}
		return b, nil
	}))
}

// stdinReader reads standard input, whose format shows when its first bytes
// come, which is when the flow runs already.
type stdinReader struct {
	make func(files.Format) rowReader

	mu struct {
		sync.Mutex
		found rowReader // nil before that
	}
}

func (r *stdinReader) Flow() stream.Flow[rollout.Row] {
	return stream.From[rollout.Row](stream.SourceFunc[rollout.Row](func(ctx context.Context, out chan<- stream.Batch[rollout.Row]) error {
		format, err := files.Sniff(files.Stdin)
		if err != nil {
			return err
		}
		found := r.make(format)
		r.mu.Lock()
		r.mu.found = found
		r.mu.Unlock()
		return stream.Feed(ctx, found.Flow(), out)
	}))
}

func (r *stdinReader) known() (found rowReader, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.mu.found, r.mu.found != nil
}

func (r *stdinReader) Notes() (n rollout.Notes) {
	if found, ok := r.known(); ok {
		n = found.Notes()
	}
	return n
}

func (r *stdinReader) BytesRead() (n int64) {
	if found, ok := r.known(); ok {
		n = found.BytesRead()
	}
	return n
}

func (r *stdinReader) facts() (facts []inputFact) {
	if found, ok := r.known(); ok {
		facts = found.facts()
	}
	return facts
}
