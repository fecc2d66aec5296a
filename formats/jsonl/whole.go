package jsonl

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/rollmill/rollmill/formats/files"
	"github.com/rollmill/rollmill/stream"
)

// wholeCutter hands out an input that is one record.
type wholeCutter struct {
	in   io.Reader
	at   *place
	opts *readOptions
	done bool
}

func (c *wholeCutter) next() (block, error) {
	if c.done {
		return block{}, io.EOF
	}
	c.done = true
	data, err := readUpTo(c.in, c.opts.maxRecord)
	if err != nil {
		return block{}, named(err, c.at.name)
	}
	size := int64(len(data))
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	return block{
		data: data, records: []record{{start: 0, end: len(data)}}, first: 1, at: c.at,
		end: stream.InputMark{Input: c.at.input, Record: 1, Offset: size, Done: true},
	}, nil
}

// errTooLong is what readUpTo returns for more than it may read.
var errTooLong = errors.New("too long")

func readUpTo(r io.Reader, limit int) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, int64(limit)+1))
	if err == nil && len(data) > limit {
		return nil, fmt.Errorf("%w: a record is longer than the limit of %d bytes; raise it with --max-record", errTooLong, limit)
	}
	return data, err
}

func named(err error, name string) error {
	if errors.Is(err, errTooLong) {
		return &files.InputError{Path: name, Err: err}
	}
	return err
}

// zipCutter hands out the records of a zip archive: the members samples/*.json,
// in the order of the archive, with header.json beside them.
type zipCutter struct {
	at      *place
	opts    *readOptions
	members []*zip.File
	record  int64
}

func newZipCutter(in *files.Input, at *place, opts *readOptions) (*zipCutter, error) {
	r, size, ok := in.ReaderAt()
	if !ok {
		data, err := readUpTo(in, opts.maxRecord)
		if err != nil {
			return nil, named(err, in.Name)
		}
		r, size = bytes.NewReader(data), int64(len(data))
	}
	archive, err := zip.NewReader(r, size)
	if err != nil {
		return nil, &files.InputError{Path: in.Name, Err: fmt.Errorf("damaged zip archive: %w", err)}
	}
	c := &zipCutter{at: at, opts: opts, record: 1}
	for _, m := range archive.File {
		switch {
		case m.Name == "header.json", m.Name == "_journal/start.json" && at.header == nil:
			if at.header, err = c.read(m); err != nil { // a run that was cut off has only its journal
				return nil, err
			}
		case path.Dir(m.Name) == "samples" && strings.HasSuffix(m.Name, ".json"):
			c.members = append(c.members, m)
		}
	}
	if len(c.members) == 0 {
		return nil, &files.InputError{Path: in.Name, Err: errors.New("the archive has no member samples/*.json"), Hint: "want an evaluation log of Inspect"}
	}
	return c, nil
}

func (c *zipCutter) read(m *zip.File) ([]byte, error) {
	f, err := m.Open()
	if err != nil {
		return nil, &files.InputError{Path: c.at.name + ":" + m.Name, Err: err}
	}
	defer f.Close()
	data, err := readUpTo(f, c.opts.maxRecord)
	if err != nil {
		return nil, &files.InputError{Path: c.at.name + ":" + m.Name, Err: err}
	}
	return data, nil
}

func (c *zipCutter) next() (block, error) {
	if len(c.members) == 0 {
		return block{}, io.EOF
	}
	b := block{first: c.record, at: c.at}
	for size := 0; len(c.members) > 0 && len(b.records) < c.opts.batchRows && size < c.at.blockSize; c.record++ {
		m := c.members[0]
		data, err := c.read(m)
		if err != nil {
			return block{}, err
		}
		c.members = c.members[1:]
		b.records = append(b.records, record{key: m.Name, data: data})
		size += len(data)
	}
	b.end = stream.InputMark{Input: c.at.input, Record: c.record - 1, Done: len(c.members) == 0}
	return b, nil
}
