package jsonl

import (
	"bytes"
	"io"

	"github.com/rollmill/rollmill/stream"
)

// lineCutter cuts an input of one record a line into blocks of whole lines.
// Only a line feed ends a record.
type lineCutter struct {
	in   io.Reader
	at   *place
	opts *readOptions

	carry   []byte  // the beginning of a line whose end is not read yet
	pending []block // cut already, when a block held more records than a batch may
	record  int64   // number of the next record
	offset  int64   // of carry in the input
	started bool
	done    bool
}

func newLineCutter(in io.Reader, at *place, opts *readOptions) *lineCutter {
	return &lineCutter{in: in, at: at, opts: opts, record: 1}
}

func (c *lineCutter) next() (block, error) {
	for len(c.pending) == 0 {
		if c.done {
			return block{}, io.EOF
		}
		if err := c.fill(); err != nil {
			return block{}, err
		}
	}
	b := c.pending[0]
	c.pending = c.pending[1:]
	return b, nil
}

// fill reads one block's bytes and cuts them behind the last newline.
func (c *lineCutter) fill() error {
	buf := make([]byte, len(c.carry)+c.at.grow())
	n := copy(buf, c.carry)
	for {
		m, err := io.ReadFull(c.in, buf[n:])
		n += m
		switch {
		case ended(err):
			c.done = true
			c.cut(buf[:n])
			c.carry = nil
			return nil
		case err != nil:
			return err
		}
		if end := bytes.LastIndexByte(buf[:n], '\n') + 1; end > 0 {
			c.carry = buf[end:n]
			c.cut(buf[:end:end])
			return nil
		}
		if n > max(c.opts.maxRecord, longHead) {
			return c.cutLong(buf[:n])
		}
		grown := make([]byte, 2*len(buf)) // a line longer than a block
		copy(grown, buf)
		buf = grown
	}
}

// cut makes blocks of whole lines, each of at most as many as a batch holds.
func (c *lineCutter) cut(data []byte) {
	if !c.started {
		c.started = true
		if bom := []byte("\xef\xbb\xbf"); bytes.HasPrefix(data, bom) {
			data = data[len(bom):]
			c.offset += int64(len(bom))
		}
	}
	for {
		lines, end := countLines(data, c.opts.batchRows)
		b := block{data: data[:end:end], first: c.record, offset: c.offset, at: c.at}
		c.record += int64(lines)
		c.offset += int64(end)
		data = data[end:]
		last := len(data) == 0
		b.end = c.mark(last && c.done)
		c.pending = append(c.pending, b)
		if last {
			return
		}
	}
}

func (c *lineCutter) mark(done bool) stream.InputMark {
	return stream.InputMark{Input: c.at.input, Record: c.record - 1, Offset: c.offset, Done: done}
}

// countLines counts lines up to most, and returns the offset behind them.
func countLines(data []byte, most int) (lines, end int) {
	for lines < most && end < len(data) {
		n := bytes.IndexByte(data[end:], '\n')
		if n < 0 {
			n = len(data) - end - 1
		}
		end += n + 1
		lines++
	}
	return lines, end
}

// cutLong passes over the rest of a line that is longer than a record may be
// and of which data is the beginning.
func (c *lineCutter) cutLong(data []byte) error {
	long := longRecord{number: c.record, offset: c.offset, size: int64(len(data)), head: bytes.Clone(data[:longHead])}
	c.offset += int64(len(data))
	c.carry = nil
	buf := make([]byte, c.at.blockSize)
	for !c.done && c.carry == nil {
		n, err := io.ReadFull(c.in, buf)
		if ended(err) {
			c.done = true
		} else if err != nil {
			return err
		}
		size := n
		if end := bytes.IndexByte(buf[:n], '\n'); end >= 0 {
			size = end
			c.carry = buf[end+1 : n]
			c.offset++
		}
		long.size += int64(size)
		c.offset += int64(size)
	}
	c.record++
	rest := c.carry
	c.pending = append(c.pending, block{
		first: c.record, offset: c.offset, at: c.at, long: []longRecord{long}, end: c.mark(c.done && len(rest) == 0),
	})
	if c.done && len(rest) > 0 {
		c.carry = nil
		c.cut(rest)
	}
	return nil
}

// longHead is how much of a record over the limit is shown.
const longHead = 80

// ended reports whether a read came to the end of the input. A wrapped
// io.ErrUnexpectedEOF is something else: compressed data that is cut off.
func ended(err error) bool { return err == io.EOF || err == io.ErrUnexpectedEOF }
