package arrowipc

import (
	"context"
	"errors"
	"io"

	"github.com/rollmill/rollmill/formats/arrowipc/internal/message"
	"github.com/rollmill/rollmill/formats/files"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

// FrameReader reads files that a [Writer] wrote by record batches: the source of
// a flow of frames.
type FrameReader struct {
	paths []string

	bodies bodies
	arenas spares[*arena]

	decoders spareSets[rollout.Fields, *rowDecoder] // by what they want
	splicers spareSets[rollout.Fields, *splicer]    // by what they make anew
}

// OpenFrames returns a reader of the frames of several files, one after the
// other. Rows are numbered through all of them: Pos.Record goes on where the
// file before ended. It is for files that are not read again: those that were read
// need not stay in the system's memory.
func OpenFrames(paths ...string) *FrameReader {
	return &FrameReader{paths: paths}
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
	f := &fileReader{input: in, reader: Open(path), frames: r}
	if err := f.schema(); err != nil {
		return 0, err
	}
	if f.plan.sum != preamble().sum {
		return 0, &files.InputError{Path: path, Err: errNoFrames}
	}
	for {
		rec, err := f.nextRecord()
		if err == io.EOF {
			in.Forget()
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

// arena returns memory for a frame.
func (r *FrameReader) arena() *arena {
	if a, ok := r.arenas.take(); ok {
		return a
	}
	return &arena{}
}
