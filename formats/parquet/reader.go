package parquet

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/rollmill/rollmill/formats/files"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

// Reader reads rows from Parquet files: the source of a flow. Row groups are
// decoded by several workers; the order is kept. Of files of another schema,
// records that cannot become rows are rejects.
type Reader struct {
	paths []string
	opts  readOptions

	decoders sync.Pool
	bytes    atomic.Int64
	seen     files.Found[Input, rollout.Notes]
}

var _ stream.Composed[rollout.Row] = (*Reader)(nil)

// Input says what a Reader found in one input.
type Input struct {
	Path    string
	Foreign bool   // of another schema than ours
	Dialect string // its name; "" for our schema, row v1 and its legacy shapes
	Size    int64  // bytes in the file
	Rows    int64  // rows in the file
	Groups  int    // row groups in the file
	Records int64  // records handed on so far
}

// Open returns a reader of one file; "-" is standard input, which is read into
// memory first. Nothing is opened before the flow runs.
func Open(path string, opts ...Option) *Reader { return OpenAll([]string{path}, opts...) }

// OpenAll returns a reader of several files, one after the other. Rows are
// numbered by the place of their file in paths.
func OpenAll(paths []string, opts ...Option) *Reader {
	r := &Reader{paths: paths, opts: defaultReadOptions()}
	for _, o := range opts {
		o(&r.opts)
	}
	r.decoders.New = func() any { return rollout.NewDecoder(r.opts.fields) }
	return r
}

// Run sends rows to a channel. Flows use Flow.
func (r *Reader) Run(ctx context.Context, out chan<- stream.Batch[rollout.Row]) error {
	return stream.Feed(ctx, r.Flow(), out)
}

// Flow returns the flow of the rows.
func (r *Reader) Flow() stream.Flow[rollout.Row] {
	held := newBudget(cmp.Or(r.opts.held, heldBytes(r.opts.workers)))
	pieces := stream.From[piece](stream.SourceFunc[piece](func(ctx context.Context, out chan<- stream.Batch[piece]) error {
		return r.read(ctx, held, out)
	}), stream.Name("read"))
	rows := stream.Through(pieces, stream.Map(r.opts.workers, r.decode, stream.Name("decode")))
	return stream.Through[run, rollout.Row](rows, cutter{r.opts.batchRows, held}, stream.Name("cut"))
}

// run is rows that stand together, of which a batch is made or several.
type run struct {
	rows   []rollout.Row
	weight int64 // of the row group that ends with it
}

// decode turns pieces into runs of rows.
func (r *Reader) decode(_ context.Context, b stream.Batch[piece]) (stream.Batch[run], error) {
	d := r.decoders.Get().(*rollout.Decoder)
	defer r.decoders.Put(d)
	before := d.Notes()
	var runs []run
	for i := range b.Items {
		p := &b.Items[i]
		if p.values == nil {
			own, err := p.ownRows(d, r.opts.fields, r.opts.batchRows)
			p.in.release()
			if err != nil {
				return stream.Batch[run]{}, err
			}
			for _, rows := range own {
				runs = append(runs, run{rows: rows})
			}
			if p.weight > 0 {
				runs = append(runs, run{weight: p.weight})
			}
			continue
		}
		rows, refused, err := p.foreignRows(d)
		if err != nil {
			return stream.Batch[run]{}, err
		}
		runs = append(runs, run{rows: rows})
		b.Rejects = append(b.Rejects, refused...)
	}
	r.note(before, d.Notes())
	return stream.Carry(b, runs), nil
}

// cutter makes batches of runs of rows. Batches of a run that is cut share its
// array.
type cutter struct {
	rows int
	held *budget
}

// Run cuts batches until there are no more.
func (c cutter) Run(ctx context.Context, in <-chan stream.Batch[run], out chan<- stream.Batch[rollout.Row]) error {
	for b, err := range stream.Receive(ctx, in) {
		if err != nil {
			return err
		}
		var cuts [][]rollout.Row
		weight := int64(0)
		for _, run := range b.Items {
			cuts = slices.AppendSeq(cuts, slices.Chunk(run.rows, c.rows))
			weight += run.weight
		}
		b.Items = nil
		for len(cuts) > 1 {
			head := stream.Batch[rollout.Row]{Items: cuts[0], Mark: b.Mark}
			if n := len(b.Mark); n > 0 {
				now := b.Mark[n-1]
				now.Record, now.Done = cuts[0][len(cuts[0])-1].Pos.Record, false
				if next := cuts[1][0].Pos.Record; next == now.Record {
					now.Record-- // the record has more rows
				}
				head.Mark = append(b.Mark[:n-1:n-1], now)
			}
			cuts[0], cuts = nil, cuts[1:] // the reader has the rows now, alone
			if err := stream.Send(ctx, out, head); err != nil {
				return err
			}
		}
		rest := stream.Carry(b, []rollout.Row(nil))
		if len(cuts) > 0 {
			rest.Items = cuts[0]
		}
		if err := stream.Send(ctx, out, rest); err != nil {
			return err
		}
		c.held.give(weight)
	}
	return nil
}

func (r *Reader) note(before, after rollout.Notes) {
	r.seen.Note(func(sum *rollout.Notes) { sum.AddSince(before, after) })
}

// Inputs returns what was found in the inputs that were opened so far. It may
// be called while the flow runs.
func (r *Reader) Inputs() []Input { return r.seen.Inputs() }

// Notes returns what was mended in the records so far. It may be called while
// the flow runs.
func (r *Reader) Notes() rollout.Notes { return r.seen.Notes() }

// BytesRead returns how many bytes of the files were read so far. It may be
// called while the flow runs.
func (r *Reader) BytesRead() int64 { return r.bytes.Load() }

// InputName returns the name of an input by its number.
func (r *Reader) InputName(n uint32) string { return r.paths[n-r.opts.first] }
