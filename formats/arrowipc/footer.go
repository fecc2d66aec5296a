package arrowipc

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/rollmill/rollmill/formats/arrowipc/internal/message"
)

// findFooter reads the footer of a plain file, so that one without an end is
// refused before anything is read of it.
func (in *input) findFooter() error {
	end := in.Size - int64(message.TailSize)
	if end < message.Start {
		return in.torn()
	}
	var tail [message.TailSize]byte
	if _, err := in.at.ReadAt(tail[:], end); err != nil {
		return in.failed(err)
	}
	size, ok := message.FooterSize(tail[:])
	if !ok || size > end-message.Start {
		return in.torn()
	}
	b := make([]byte, size)
	if _, err := in.at.ReadAt(b, end-size); err != nil {
		return in.failed(err)
	}
	in.stop = end - size
	return in.setFooter(b)
}

func (in *input) setFooter(b []byte) (err error) {
	if in.footer, err = message.ParseFooter(b); err != nil {
		return damaged(in.Name, 0, "", err)
	}
	return nil
}

// maxFooter bounds the bytes behind the last message of a file.
const maxFooter = 64<<20 + message.TailSize

var errBehind = errors.New("there are bytes behind its end")

// end checks what stands behind the last message: nothing in a stream, in a file
// the footer, which must list the record batches that were there.
func (in *input) end() error {
	switch {
	case !in.isFile:
		return in.endStream()
	case in.footer == nil:
		b, err := io.ReadAll(io.LimitReader(in.Input, int64(maxFooter)))
		if err != nil {
			return in.failed(err)
		}
		at := len(b) - message.TailSize
		if at < 0 {
			return in.torn()
		}
		size, ok := message.FooterSize(b[at:])
		if !ok {
			return in.torn()
		}
		if size != int64(at) {
			return damaged(in.Name, 0, "", message.ErrFooter)
		}
		if err := in.setFooter(b[:at]); err != nil {
			return err
		}
	}
	if !slices.Equal(in.footer.Batches, in.passed) {
		return damaged(in.Name, 0, "", fmt.Errorf("%w: it lists %d record batches, and others than the %d that are there",
			message.ErrFooter, len(in.footer.Batches), len(in.passed)))
	}
	return nil
}

// endStream checks that a stream from a file ends where it says so.
func (in *input) endStream() error {
	switch {
	case in.Size < 0:
		return nil // from a pipe, which may stay open
	case in.at != nil && in.Size-in.pos <= endMark:
		return nil
	case in.at == nil:
		n, err := in.Read(make([]byte, 1))
		if n == 0 && err == io.EOF {
			return nil
		}
		if err != nil {
			return in.failed(err)
		}
	}
	return damaged(in.Name, 0, "", errBehind)
}

// endMark is how long the mark of the end is, in bytes.
const endMark = 8
