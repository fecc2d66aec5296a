package arrowipc

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"github.com/rollmill/rollmill/formats/arrowipc/internal/message"
	"github.com/rollmill/rollmill/formats/files"
)

// input is a file or a stream of messages that is being read. Of a plain file
// only the parts that are asked for are read; all else is read in order.
type input struct {
	*files.Input
	at    io.ReaderAt   // of a plain file, else nil
	heads *bufio.Reader // over at
	pos   int64         // in the decompressed input, of what comes next

	isFile bool            // it is in the file format
	stop   int64           // where the footer starts; -1 when that is not known
	footer *message.Footer // nil until it was read
	passed []message.Block // the record batches so far
}

// openInput opens an input and stops before its first message.
func openInput(path string) (*input, error) {
	f, err := files.Open(path)
	if err != nil {
		return nil, err
	}
	in := &input{Input: f, stop: -1}
	if err := in.begin(); err != nil {
		f.Close()
		return nil, err
	}
	return in, nil
}

func (in *input) begin() error {
	head, _, err := in.Head()
	if err != nil {
		return err
	}
	if len(head) == 0 {
		return &files.InputError{Path: in.Name, Err: files.ErrEmpty, Hint: "want at least one rollout"}
	}
	if r, _, ok := in.ReaderAt(); ok {
		in.at, in.heads = r, bufio.NewReaderSize(nil, 4<<10)
	}
	if !bytes.HasPrefix(head, []byte(message.Magic)) {
		return nil
	}
	in.isFile = true
	if len(head) < message.Start {
		return in.torn()
	}
	if err := in.skip(message.Start); err != nil {
		return in.failed(err)
	}
	if in.at != nil {
		return in.findFooter()
	}
	return nil
}

// skip passes over n bytes.
func (in *input) skip(n int64) error {
	if in.at == nil {
		if _, err := io.CopyN(io.Discard, in.Input, n); err != nil {
			return err
		}
	}
	in.pos += n
	return nil
}

// take returns the next n bytes.
func (in *input) take(n int64, a *arena) (data []byte, err error) {
	if in.at == nil {
		data, err = message.ReadBytes(in.Input, nil, n)
	} else {
		data = a.get(int(n)) // which are there, since next has looked
		_, err = in.at.ReadAt(data, in.pos)
	}
	in.pos += int64(len(data))
	return data, err
}

// next reads the head of the next message, whose body must be passed by read.
// The errors are those of [message.ReadHead].
func (in *input) next() (*message.Head, error) {
	if in.pos == in.stop {
		return nil, io.EOF // of a file without the mark of its end
	}
	r := io.Reader(in.Input)
	if in.at != nil {
		in.heads.Reset(io.NewSectionReader(in.at, in.pos, in.Size-in.pos))
		r = in.heads
	}
	h, err := message.ReadHead(r)
	if err != nil {
		return nil, err
	}
	if h.Kind == message.KindBatch {
		in.passed = append(in.passed, message.Block{Offset: in.pos, Head: h.Size, Body: h.BodyLength})
	}
	in.pos += h.Size
	if in.at != nil && h.BodyLength > in.Size-in.pos {
		return nil, io.ErrUnexpectedEOF
	}
	return h, nil
}

// read returns parts of a body of length bytes, which are in order, and passes
// over all of it.
func (in *input) read(parts []region, length int64, a *arena) (body, error) {
	var b body
	start := in.pos
	for _, p := range parts {
		if err := in.skip(start + p.from - in.pos); err != nil {
			return nil, in.failed(err)
		}
		data, err := in.take(p.to-p.from, a)
		if err != nil {
			return nil, in.failed(err)
		}
		b = append(b, run{p.from, data})
	}
	if err := in.skip(start + length - in.pos); err != nil {
		return nil, in.failed(err)
	}
	return b, nil
}

// torn says that the end is missing.
func (in *input) torn() error {
	return &files.InputError{Path: in.Name, Err: ErrTorn, Hint: "it was cut off; " + hintRestore}
}

// failed is an error of reading.
func (in *input) failed(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return in.torn()
	}
	if ie, ok := errors.AsType[*files.InputError](err); ok {
		return ie
	}
	return &files.InputError{Path: in.Name, Err: err}
}
