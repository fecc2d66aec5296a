package jsonl

import (
	"fmt"
	"io"

	"github.com/rollmill/rollmill/formats/internal/jsonscan"
	"github.com/rollmill/rollmill/stream"
)

// elementCutter cuts a JSON array, or an object whose members are records,
// into blocks of whole elements. It reads a piece of the input at a time, so
// the array may be larger than memory. What stands between two elements is
// checked here; the elements themselves are checked where they are decoded.
type elementCutter struct {
	in    io.Reader
	at    *place
	opts  *readOptions
	keyed bool

	buf    []byte // what is read and not handed out
	begin  int    // where the next element, or what stands before it, begins
	ended  bool   // nothing is left to read
	opened bool
	done   bool
	record int64 // number of the next record
	offset int64 // of buf in the input
}

func newElementCutter(in io.Reader, at *place, opts *readOptions, keyed bool) *elementCutter {
	return &elementCutter{in: in, at: at, opts: opts, keyed: keyed, record: 1}
}

func (c *elementCutter) next() (block, error) {
	if c.done {
		return block{}, io.EOF
	}
	b := block{first: c.record, at: c.at, records: []record{}}
	for !c.done && len(b.records) < c.opts.batchRows && (len(b.records) == 0 || c.begin < c.at.blockSize) {
		r, ok, err := c.element()
		if err != nil {
			return block{}, err
		}
		if ok {
			b.records = append(b.records, r)
			c.record++
		}
	}
	b.data, b.offset = c.buf[:c.begin:c.begin], c.offset
	b.end = stream.InputMark{Input: c.at.input, Record: c.record - 1, Offset: c.offset + int64(c.begin), Done: c.done}
	rest := c.buf[c.begin:]
	c.offset += int64(c.begin)
	c.buf = append(make([]byte, 0, len(rest)+c.at.grow()), rest...) // the old bytes belong to the rows now
	c.begin = 0
	return b, nil
}

// element finds the next element. ok is false at the end of the list.
func (c *elementCutter) element() (r record, ok bool, err error) {
	i := c.begin
	open, end := byte('['), byte(']')
	if c.keyed {
		open, end = '{', '}'
	}
	var b byte
	if !c.opened {
		if i, b, err = c.token(i, "a list"); err != nil {
			return r, false, err
		}
		if b == 0xef && c.more(3) == nil && string(c.buf[:3]) == "\xef\xbb\xbf" {
			if i, b, err = c.token(i+3, "a list"); err != nil {
				return r, false, err
			}
		}
		if b != open {
			return r, false, c.wrong(i, fmt.Sprintf("want %q", open))
		}
		c.opened = true
		if i, b, err = c.token(i+1, "an element"); err != nil {
			return r, false, err
		}
		if b == end {
			return r, false, c.finish(i + 1)
		}
	} else {
		if i, b, err = c.token(i, "',' or the end of the list"); err != nil {
			return r, false, err
		}
		switch b {
		case end:
			return r, false, c.finish(i + 1)
		case ',':
			if i, _, err = c.token(i+1, "an element"); err != nil {
				return r, false, err
			}
		default:
			return r, false, c.wrong(i, "want ',' or the end of the list")
		}
	}
	if c.keyed {
		if i, r.key, err = c.key(i); err != nil {
			return r, false, err
		}
	}
	r.start = i
	if r.end, err = c.valueEnd(i); err != nil {
		return r, false, err
	}
	c.begin = r.end
	return r, true, nil
}

// finish checks that only white space is left.
func (c *elementCutter) finish(i int) error {
	for {
		for ; i < len(c.buf); i++ {
			if !isSpace(c.buf[i]) {
				return c.wrong(i, "want nothing behind the end of the list")
			}
		}
		if err := c.more(i + 1); err != nil {
			if err == io.EOF {
				c.done, c.begin = true, len(c.buf)
				return nil
			}
			return err
		}
	}
}

// key reads a member's name and colon.
func (c *elementCutter) key(i int) (value int, key string, err error) {
	if c.buf[i] != '"' {
		return 0, "", c.wrong(i, "want a name in quotes")
	}
	end, err := c.valueEnd(i)
	if err != nil {
		return 0, "", err
	}
	s := jsonscan.Scanner{Buf: c.buf[:end]}
	if !validString(&s, i) {
		return 0, "", c.wrong(i+s.Err.Offset, "want "+s.Err.Want)
	}
	text, _ := jsonscan.AppendText(nil, c.buf[i+1:end-1])
	value, b, err := c.token(end, "':'")
	if err == nil && b != ':' {
		err = c.wrong(value, "want ':'")
	}
	if err == nil {
		value, _, err = c.token(value+1, "a value")
	}
	return value, string(text), err
}

func validString(s *jsonscan.Scanner, i int) bool {
	end, _ := s.String(i)
	return end >= 0
}

// token returns the next byte that is not white space and its place.
func (c *elementCutter) token(i int, want string) (int, byte, error) {
	for {
		for ; i < len(c.buf); i++ {
			if !isSpace(c.buf[i]) {
				return i, c.buf[i], nil
			}
		}
		if err := c.more(i + 1); err != nil {
			return i, 0, c.cutOff(err, want)
		}
	}
}

// valueEnd finds the end of the value at i by its brackets and quotes alone.
func (c *elementCutter) valueEnd(i int) (int, error) {
	depth, quoted := 0, false
	for start := i; ; i++ {
		if i >= len(c.buf) {
			if i-start > c.opts.maxRecord {
				return 0, c.wrong(start, fmt.Sprintf("a record is longer than the limit of %d bytes; raise it with --max-record", c.opts.maxRecord))
			}
			if err := c.more(i + 1); err != nil {
				if err == io.EOF && depth == 0 && !quoted && i > start {
					return i, nil
				}
				return 0, c.cutOff(err, "the rest of an element")
			}
		}
		switch b := c.buf[i]; {
		case quoted:
			switch b {
			case '\\':
				i++
			case '"':
				if quoted = false; depth == 0 {
					return i + 1, nil
				}
			default:
				i = jsonscan.SkipPlain(c.buf, i+1) - 1
			}
		case b == '"':
			quoted = true
		case b == '{' || b == '[':
			depth++
		case b == '}' || b == ']':
			if depth--; depth == 0 {
				return i + 1, nil
			}
			if depth < 0 { // the end of the list, behind a scalar or a missing element
				return i, nil
			}
		case depth == 0 && (b == ',' || isSpace(b)):
			return i, nil
		}
	}
}

// more reads on until the buffer holds n bytes. It returns io.EOF when the
// input ends before.
func (c *elementCutter) more(n int) error {
	for len(c.buf) < n {
		if c.ended {
			return io.EOF
		}
		room := c.buf
		if cap(room) == len(room) {
			room = append(make([]byte, 0, 2*len(c.buf)+firstBlock), c.buf...)
		}
		m, err := io.ReadAtLeast(c.in, room[len(room):cap(room)], 1)
		c.buf = room[:len(room)+m]
		if ended(err) {
			c.ended = true
		} else if err != nil {
			return err
		}
	}
	return nil
}

func (c *elementCutter) wrong(i int, want string) error {
	found := "the end of the file"
	if i < len(c.buf) {
		found = fmt.Sprintf("%q", c.buf[i])
	}
	return &RecordError{
		File: c.at.name, Record: c.record, Code: CodeBadList,
		Detail: fmt.Sprintf("byte %d: found %s, %s", c.offset+int64(i), found, want),
	}
}

func (c *elementCutter) cutOff(err error, want string) error {
	if err == io.EOF {
		return c.wrong(len(c.buf), "want "+want)
	}
	return err
}

func isSpace(b byte) bool { return b == ' ' || b == '\n' || b == '\t' || b == '\r' }
