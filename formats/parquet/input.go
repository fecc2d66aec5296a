package parquet

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/parquet-go/parquet-go"
	"github.com/rollmill/rollmill/formats/dialect"
	"github.com/rollmill/rollmill/formats/files"
	"github.com/rollmill/rollmill/formats/rollout"
)

// input is a file that is being read, by several workers at once.
type input struct {
	name    string
	number  uint32
	file    *parquet.File
	ours    bool
	inexact rollout.Fields  // fields that stand in extra in some row of ours
	dialect dialect.Dialect // of another schema; nil: row v1 and its legacy shapes

	closer io.Closer
	users  atomic.Int32 // of a flow that fails, those that are lost leave the file to the collector
}

func (in *input) release() {
	if in.users.Add(-1) == 0 {
		in.closer.Close()
	}
}

// readBuffer is how much of a column is read from the file at once.
const readBuffer = 64 << 10

func openInput(path string, count *atomic.Int64) (*input, error) {
	raw, err := files.Open(path)
	if err != nil {
		return nil, err
	}
	in := &input{name: raw.Name, closer: raw}
	in.users.Store(1)
	if err := in.open(raw, count); err != nil {
		raw.Close()
		return nil, err
	}
	return in, nil
}

// open reads the footer.
func (in *input) open(raw *files.Input, count *atomic.Int64) (err error) {
	var r io.ReaderAt
	r, size, ok := raw.ReaderAt()
	if !ok { // standard input, or compressed once more
		data, err := io.ReadAll(raw)
		if err != nil {
			return err
		}
		r, size = bytes.NewReader(data), int64(len(data))
	}
	if size == 0 {
		return &files.InputError{Path: in.name, Err: files.ErrEmpty, Hint: "want a Parquet file"}
	}
	if err = in.openFile(&counted{r, count}, size); err != nil {
		hint := "restore the file"
		if errors.Is(err, ErrVersion) {
			hint = "read it with the version that wrote it"
		}
		return &files.InputError{Path: in.name, Err: err, Hint: hint}
	}
	return nil
}

func (in *input) openFile(r io.ReaderAt, size int64) (err error) {
	defer recovered(&err)
	var head [4]byte
	if _, err := r.ReadAt(head[:], 0); err != nil || string(head[:]) != "PAR1" {
		return errors.New("is no Parquet file: it does not begin with PAR1")
	}
	in.file, err = parquet.OpenFile(r, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true), parquet.ReadBufferSize(readBuffer))
	if err != nil {
		return fmt.Errorf("%w Parquet footer, or torn: %w", ErrDamaged, err)
	}
	var tail [8]byte // its length and PAR1 again
	if _, err := r.ReadAt(tail[:], size-8); err != nil {
		return err
	}
	footer := size - 8 - int64(binary.LittleEndian.Uint32(tail[:]))
	if in.ours, err = isOurs(in.file, footer); err != nil || !in.ours {
		return err
	}
	in.inexact, err = inexactOf(in.file)
	return err
}

// counted counts the bytes that are read.
type counted struct {
	io.ReaderAt
	bytes *atomic.Int64
}

func (c *counted) ReadAt(p []byte, off int64) (int, error) {
	n, err := c.ReaderAt.ReadAt(p, off)
	c.bytes.Add(int64(n))
	return n, err
}
