package arrowipc

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/rollmill/rollmill/formats/files"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

// Reader reads rows from Arrow IPC files and streams: the source of a flow. The
// file format is told from the stream format by its first bytes. One worker
// reads the columns that are wanted, several make rows of them; the order is
// kept. Positions count rows: Record is the number of the row in its input, from
// 1, and Offset that of its record batch.
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
	Stream  bool     // it is in the stream format
	Dialect string   // its name; "" for row v1 and its legacy shapes
	Columns []string // their names
	Size    int64    // bytes in the file; -1 when it is not a regular file
	Records int64    // rows handed on so far
}

// Open returns a reader of one file; "-" is standard input. Nothing is opened
// before the flow runs.
func Open(path string, opts ...Option) *Reader { return OpenAll([]string{path}, opts...) }

// OpenAll returns a reader of several files, one after the other. Rows are
// numbered by the place of their file in paths.
func OpenAll(paths []string, opts ...Option) *Reader {
	r := &Reader{paths: paths, opts: defaultReadOptions()}
	for _, o := range opts {
		o(&r.opts)
	}
	r.decoders.New = func() any { return newRowDecoder(r.opts.fields) }
	return r
}

// Run sends rows to a channel. Flows use Flow.
func (r *Reader) Run(ctx context.Context, out chan<- stream.Batch[rollout.Row]) error {
	return stream.Feed(ctx, r.Flow(), out)
}

// Flow returns the flow of the rows. Its rejects are the rows of columns that
// could not become rows, such as one whose text is not UTF-8. A file that is
// torn, damaged or of columns that cannot be read stops the flow with a
// [files.InputError].
func (r *Reader) Flow() stream.Flow[rollout.Row] {
	pieces := stream.From[piece](stream.SourceFunc[piece](r.read), stream.Name("read"),
		stream.SizeOf(func(p *piece) int { return p.bytes }))
	return stream.Through(pieces, stream.Map(r.opts.workers, r.decode, stream.Name("decode")),
		stream.SizeOf(func(row *rollout.Row) int { return rowSize(row) }))
}

// read sends the pieces of all inputs.
func (r *Reader) read(ctx context.Context, out chan<- stream.Batch[piece]) error {
	var before stream.Mark // the inputs that have ended
	rows := int64(0)
	for n, path := range r.paths {
		end, err := r.readOne(ctx, n, path, before, out)
		if err != nil {
			return err
		}
		rows += end.Record
		before = after(before, end)
	}
	if rows == 0 {
		return &files.InputError{Path: r.paths[0], Err: files.ErrEmpty, Hint: "want at least one rollout"}
	}
	return nil
}

// decode turns pieces into rows.
func (r *Reader) decode(_ context.Context, b stream.Batch[piece]) (stream.Batch[rollout.Row], error) {
	d := r.decoders.Get().(*rowDecoder)
	defer r.decoders.Put(d)
	before := d.decoder.Notes()
	var rows []rollout.Row
	rejects := b.Rejects
	for i := range b.Items {
		p := &b.Items[i]
		t, err := p.record.load()
		if err != nil {
			return stream.Batch[rollout.Row]{}, err
		}
		pos := p.record.pos
		pos.Record += int64(p.from)
		more, refused := d.rows(t, p.from, p.to, pos)
		rejects = append(rejects, refused...)
		if rows == nil {
			rows = more
		} else {
			rows = append(rows, more...)
		}
	}
	r.note(before, d.decoder.Notes())
	out := stream.Carry(b, rows)
	out.Rejects = rejects
	return out, nil
}

func (r *Reader) found(n int, f *fileReader) {
	in := Input{Path: r.paths[n], Stream: !f.isFile, Size: f.Size}
	for _, c := range f.plan.fields {
		in.Columns = append(in.Columns, c.Name)
	}
	r.seen.Open(in)
}

// passed notes how far an input was read.
func (r *Reader) passed(n int, f *fileReader) {
	r.seen.Change(n, func(in *Input) {
		in.Records = f.rows
		if f.plan.dialect != nil {
			in.Dialect = f.plan.dialect.Name()
		}
	})
	r.bytes.Add(f.since())
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

// BytesRead returns how many bytes of the files were read or passed over so far,
// compressed as they are. It may be called while the flow runs.
func (r *Reader) BytesRead() int64 { return r.bytes.Load() }

// InputName returns the name of an input by its number.
func (r *Reader) InputName(n uint32) string { return r.paths[n-r.opts.first] }
