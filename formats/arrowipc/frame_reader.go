package arrowipc

import (
	"context"
	"errors"
	"io"
	"sync"

	"github.com/rollmill/rollmill/formats/arrowipc/internal/message"
	"github.com/rollmill/rollmill/formats/files"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

// FrameReader reads files that a [Writer] wrote by record batches: the source of
// a flow of frames.
type FrameReader struct {
	paths []string

	mu       sync.Mutex
	decoders map[rollout.Fields][]*rowDecoder // by what they want, for others to use
}

// OpenFrames returns a reader of the frames of several files, one after the
// other. Rows are numbered through all of them: Pos.Record goes on where the
// file before ended.
func OpenFrames(paths ...string) *FrameReader {
	return &FrameReader{paths: paths, decoders: map[rollout.Fields][]*rowDecoder{}}
}

// errNoFrames is about a file of somebody else's making.
var errNoFrames = errors.New("was not written by this program")

// Run sends frames to a channel, each in a batch of its own.
func (r *FrameReader) Run(ctx context.Context, out chan<- stream.Batch[*Frame]) error {
	before := int64(0)
	for _, path := range r.paths {
		rows, err := r.readOne(ctx, path, before, out)
		if err != nil {
			return err
		}
		before += rows
	}
	return nil
}

func (r *FrameReader) readOne(ctx context.Context, path string, before int64, out chan<- stream.Batch[*Frame]) (rows int64, err error) {
	in, err := openInput(path)
	if err != nil {
		return 0, err
	}
	defer in.Close()
	f := &fileReader{input: in, reader: Open(path), whole: true}
	if err := f.schema(); err != nil {
		return 0, err
	}
	if f.plan.sum != preamble().sum {
		return 0, &files.InputError{Path: path, Err: errNoFrames}
	}
	for {
		rec, err := f.nextRecord()
		if err == io.EOF {
			return f.rows, nil
		}
		if err != nil {
			return 0, err
		}
		if rec.checks == nil {
			return 0, damaged(path, rec.number, "", message.ErrChecksum)
		}
		rec.pos.Record += before
		frame, err := newFrame(rec, r)
		if err != nil {
			return 0, err
		}
		if err := stream.Send(ctx, out, stream.Batch[*Frame]{Items: []*Frame{frame}}); err != nil {
			return 0, err
		}
	}
}

// decoder returns a decoder of the wanted fields, which give takes back.
func (r *FrameReader) decoder(want rollout.Fields) *rowDecoder {
	r.mu.Lock()
	defer r.mu.Unlock()
	list := r.decoders[want]
	if len(list) == 0 {
		return newRowDecoder(want)
	}
	d := list[len(list)-1]
	r.decoders[want] = list[:len(list)-1]
	return d
}

func (r *FrameReader) give(d *rowDecoder) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.decoders[d.want] = append(r.decoders[d.want], d)
}
