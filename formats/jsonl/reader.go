package jsonl

import (
	"context"
	"io"
	"sync"
	"sync/atomic"

	"github.com/rollmill/rollmill/formats/dialect"
	"github.com/rollmill/rollmill/formats/files"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

// Reader reads rows from files of JSON text: the source of a flow. Each input
// may be JSONL, a JSON array, an object keyed by row, a single document or an
// evaluation log of Inspect, plain or compressed. One worker reads and cuts
// blocks of whole records, several decode them; the order is kept.
type Reader struct {
	paths []string
	opts  readOptions

	decoders sync.Pool
	bytes    atomic.Int64 // read from the files, compressed as they are
	seen     files.Found[Input, rollout.Notes]
}

var _ stream.Composed[rollout.Row] = (*Reader)(nil)

// Input says what a Reader found in one input.
type Input struct {
	Path    string
	Layout  dialect.Layout
	Dialect string // its name; "" for row v1 and its legacy shapes
	Size    int64  // bytes in the file; -1 when it is not a regular file
	Unknown bool   // no record told its dialect, and none was given
	Records int64  // records handed on so far
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
	r.decoders.New = func() any {
		return &blockDecoder{opts: &r.opts, rows: rollout.NewDecoder(r.opts.fields)}
	}
	return r
}

// Run sends rows to a channel. Flows use Flow.
func (r *Reader) Run(ctx context.Context, out chan<- stream.Batch[rollout.Row]) error {
	return stream.Feed(ctx, r.Flow(), out)
}

// Flow returns the flow of the rows. Its rejects are the records that could
// not become rows.
func (r *Reader) Flow() stream.Flow[rollout.Row] {
	blocks := stream.From[block](stream.SourceFunc[block](r.read), stream.Name("read"),
		stream.SizeOf(func(b *block) int { return b.size() }))
	return stream.Through(blocks, stream.Map(r.opts.workers, r.decode, stream.Name("decode")),
		stream.SizeOf(func(row *rollout.Row) int { return len(row.Source()) }))
}

func (b *block) size() int {
	n := len(b.data)
	for i := range b.records {
		n += len(b.records[i].data)
	}
	return n
}

// read sends the blocks of all inputs.
func (r *Reader) read(ctx context.Context, out chan<- stream.Batch[block]) error {
	if len(r.paths) == 0 {
		return &files.InputError{Path: "inputs", Err: files.ErrEmpty, Hint: "name at least one"}
	}
	ends := make(stream.Mark, 0, len(r.paths)) // of the inputs that have ended; marks share it
	records := int64(0)
	for n, path := range r.paths {
		end, err := r.readOne(ctx, n, path, &ends, out)
		if err != nil {
			return err
		}
		records += end.Record
		if len(ends) == n { // the end was not known with the last block
			end.Done = true
			ends = append(ends, end)
		}
	}
	if records == 0 {
		return &files.InputError{Path: r.name(0), Err: files.ErrEmpty, Hint: "want at least one rollout"}
	}
	return nil
}

// readOne sends the blocks of one input and returns its end. A last block that
// is known to be one appends it to ends.
func (r *Reader) readOne(ctx context.Context, n int, path string, ends *stream.Mark, out chan<- stream.Batch[block]) (end stream.InputMark, err error) {
	end = stream.InputMark{Input: r.opts.first + uint32(n)}
	in, err := files.Open(path)
	if err != nil {
		return end, err
	}
	defer in.Close()
	cut, err := r.cutterOf(n, in)
	if err != nil {
		return end, err
	}
	consumed := int64(0)
	for {
		b, err := cut.next()
		if err == io.EOF {
			return end, nil
		}
		if err != nil {
			return end, err
		}
		now := in.Consumed()
		r.bytes.Add(now - consumed)
		consumed = now
		end = b.end
		r.seen.Change(n, func(in *Input) { in.Records = b.end.Record })
		var mark stream.Mark
		if b.end.Done {
			*ends = append(*ends, b.end)
			mark = (*ends)[: n+1 : n+1]
		} else {
			mark = append((*ends)[:n:n], b.end) // a copy: the end is still to come
		}
		if err := stream.Send(ctx, out, stream.Batch[block]{Items: []block{b}, Mark: mark}); err != nil {
			return end, err
		}
	}
}

// name is how messages call an input.
func (r *Reader) name(n int) string {
	if r.paths[n] == files.Stdin {
		return "standard input"
	}
	return r.paths[n]
}

// cutterOf decides how an input falls into records and who makes rows of them.
func (r *Reader) cutterOf(n int, in *files.Input) (cutter, error) {
	head, whole, err := in.Head()
	if err != nil {
		return nil, err
	}
	guess, err := dialect.Recognise(in.Name, head, whole)
	if err != nil {
		return nil, &files.InputError{Path: in.Name, Err: err}
	}
	if r.opts.dialectOK {
		guess.Dialect, guess.Unknown = r.opts.dialect, false
	}
	r.found(n, in, guess)
	at := &place{input: r.opts.first + uint32(n), name: in.Name, dialect: guess.Dialect, blockSize: in.BlockSize(r.opts.blockSize)}
	switch guess.Layout {
	case dialect.Array, dialect.Keyed:
		return newElementCutter(in, at, &r.opts, guess.Layout == dialect.Keyed), nil
	case dialect.Whole:
		return &wholeCutter{in: in, at: at, opts: &r.opts}, nil
	case dialect.Zip:
		return newZipCutter(in, at, &r.opts)
	}
	return newLineCutter(in, at, &r.opts), nil
}

// decode turns blocks into rows.
func (r *Reader) decode(_ context.Context, b stream.Batch[block]) (stream.Batch[rollout.Row], error) {
	d := r.decoders.Get().(*blockDecoder)
	defer r.decoders.Put(d)
	before := d.rows.Notes()
	var rows []rollout.Row
	rejects := b.Rejects
	for i := range b.Items {
		more, refused := d.decode(&b.Items[i])
		if r.opts.strict && len(refused) > 0 {
			f := &refused[0]
			return stream.Batch[rollout.Row]{}, &RecordError{b.Items[i].at.name, f.Pos.Record, f.Code, f.Detail}
		}
		rejects = append(rejects, refused...)
		if rows == nil {
			rows = more
		} else {
			rows = append(rows, more...)
		}
	}
	r.note(before, d.rows.Notes())
	out := stream.Carry(b, rows)
	out.Rejects = rejects
	return out, nil
}

func (r *Reader) found(n int, in *files.Input, guess dialect.Guess) {
	name := ""
	if guess.Dialect != nil {
		name = guess.Dialect.Name()
	}
	r.seen.Open(Input{Path: r.paths[n], Layout: guess.Layout, Dialect: name, Unknown: guess.Unknown, Size: in.Size})
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

// BytesRead returns how many bytes of the files were read so far, compressed
// as they are. It may be called while the flow runs.
func (r *Reader) BytesRead() int64 { return r.bytes.Load() }

// InputName returns the name of an input by its number.
func (r *Reader) InputName(n uint32) string { return r.paths[n-r.opts.first] }
