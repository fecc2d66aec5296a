package rollout

import (
	"fmt"
	"unsafe"

	"github.com/rollmill/rollmill/formats/internal/jsonscan"
)

// Decoder turns the JSON text of records into rows: row v1, its legacy shapes
// (spec of rows, section 1.7), OpenAI chat messages, and the records of trainers,
// TRL's (section 9.1) and ShareGPT's. It decodes the fields that are wanted and
// checks the rest as JSON and UTF-8 all the same, so the same records are refused
// whatever is wanted.
//
// A Decoder is not safe for concurrent use; each worker has its own.
type Decoder struct {
	want Fields
	scan jsonscan.Scanner
	row  *Row
	text textSlab

	msgs    slab[Message]
	calls   slab[ToolCall]
	markers slab[Marker]
	extra   slab[Member]
	gates   slab[Finding]

	msgBuf    []Message
	callBuf   []ToolCall
	markerBuf []Marker
	extraBuf  []Member
	gateBuf   []Finding

	markerAt map[string]int // place in markerBuf by name, when they are many

	msg       Message  // the message being read
	call      ToolCall // the call being read
	beside    Row      // what stood beside columns, while it is absorbed
	absorbing bool     // the record is what stood beside columns
	inexact   bool     // the messages so far hold what their columns do not
	late      lateFields
	notes     Notes
}

// Notes counts what a decoder met and mended.
type Notes struct {
	DuplicateNames int64 // members whose name stood before in the same object; the last wins
	NonFinite      int64 // bare NaN and Infinity, read as null
	LoneSurrogates int64 // escapes of half a character, kept as they are
}

// AddSince adds what a decoder mended between two looks at its notes.
func (n *Notes) AddSince(before, after Notes) {
	n.DuplicateNames += after.DuplicateNames - before.DuplicateNames
	n.NonFinite += after.NonFinite - before.NonFinite
	n.LoneSurrogates += after.LoneSurrogates - before.LoneSurrogates
}

// NewDecoder returns a decoder for the wanted fields. FieldExtra is needed
// wherever rows are written in another form than they were read in.
func NewDecoder(want Fields) *Decoder {
	if want&FieldMessages != 0 {
		want |= FieldPrompt | FieldFinalText // messages are rebuilt with them
	}
	return &Decoder{want: want}
}

// Notes returns the counts since the decoder was made.
func (d *Decoder) Notes() Notes { return d.notes }

// DecodeError says why a record is not a row.
type DecodeError struct {
	Code   string // bad_json, bad_utf8 or not_an_object
	Detail string // the place in the record, what was found and what is wanted
}

func (e *DecodeError) Error() string { return e.Code + ": " + e.Detail }

// Codes of a DecodeError.
const (
	CodeBadJSON     = "bad_json"
	CodeBadUTF8     = "bad_utf8"
	CodeNotAnObject = "not_an_object"
)

// Decode reads one record into row, which it overwrites except for Pos. The
// row's strings point into record: nobody may change record afterwards. The
// error, if any, is a *DecodeError.
func (d *Decoder) Decode(record []byte, row *Row) error {
	if err := d.decode(record, row); err != nil {
		return err
	}
	d.notes.LoneSurrogates += int64(d.scan.Lone)
	if n := len(d.scan.NonFinite); n > 0 {
		d.notes.NonFinite += int64(n)
		dups := d.notes.DuplicateNames // the second reading meets them again
		err := d.decode(mendNonFinite(record, d.scan.NonFinite), row)
		d.notes.DuplicateNames = dups
		return err
	}
	return nil
}

// Check does what Decode does to refuse and to count, without a row. It
// accepts any JSON value and returns the record with bare NaN and Infinity
// replaced by null.
func (d *Decoder) Check(record []byte) ([]byte, error) {
	d.scan.Reset(record)
	if !d.scan.Valid() {
		return nil, d.refusal()
	}
	d.notes.LoneSurrogates += int64(d.scan.Lone)
	if n := len(d.scan.NonFinite); n > 0 {
		d.notes.NonFinite += int64(n)
		return mendNonFinite(record, d.scan.NonFinite), nil
	}
	return record, nil
}

func mendNonFinite(record []byte, places []jsonscan.Span) []byte {
	out := make([]byte, 0, len(record))
	from := 0
	for _, p := range places {
		out = append(out, record[from:p.Start]...)
		out = append(out, "null"...)
		from = p.End
	}
	return append(out, record[from:]...)
}

func (d *Decoder) refusal() error {
	code := CodeBadJSON
	if d.scan.Err.UTF8 {
		code = CodeBadUTF8
	}
	return &DecodeError{code, d.scan.Err.Error()}
}

func (d *Decoder) decode(record []byte, row *Row) error {
	pos := row.Pos
	*row = Row{Pos: pos, src: view(record)}
	d.row = row
	d.scan.Reset(record)
	d.extraBuf = d.extraBuf[:0]
	d.late = lateFields{names: d.late.names[:0]}

	s := &d.scan
	i := s.Space(0)
	if i < len(record) && record[i] != '{' {
		if s.Valid() {
			return &DecodeError{CodeNotAnObject, fmt.Sprintf("found %s, want an object", jsonKindWord(record[i]))}
		}
		return d.refusal()
	}
	if i = d.object(i, (*Decoder).field); i < 0 || !s.End(i) {
		return d.refusal()
	}
	row.present = d.late.seen & AllFields
	if d.late.seen&nameTask != 0 {
		row.present |= FieldTaskID
	}
	if d.late.seen&nameGraderReason != 0 {
		row.present |= FieldReason
	}
	d.settle()
	if d.want&FieldExtra != 0 {
		row.Extra = d.extra.take(d.extraBuf)
	}
	return nil
}

// object reads the object at i, calling member with each name and the offset
// of its value; member returns the offset behind the value. It returns the
// offset behind the object, or -1.
func (d *Decoder) object(i int, member func(d *Decoder, name []byte, i int) int) int {
	s := &d.scan
	b := s.Buf
	if i >= len(b) || b[i] != '{' {
		return s.Value(i) // fails, or passes over a value of another type
	}
	if s.Depth >= jsonscan.MaxDepth {
		return s.TooDeep(i)
	}
	s.Depth++
	i = s.Space(i + 1)
	if i < len(b) && b[i] == '}' {
		s.Depth--
		return i + 1
	}
	for {
		nameEnd, value, plain := s.Name(i)
		if value < 0 {
			return -1
		}
		name := b[i+1 : nameEnd-1]
		if !plain {
			name, _ = jsonscan.AppendText(nil, name)
		}
		if i = member(d, name, value); i < 0 {
			return -1
		}
		if i < len(b) && b[i] == ',' { // most often nothing stands between
			if i++; i < len(b) && b[i] != '"' {
				i = s.Space(i)
			}
			continue
		}
		if i = s.Space(i); i < len(b) {
			switch b[i] {
			case ',':
				i = s.Space(i + 1)
				continue
			case '}':
				s.Depth--
				return i + 1
			}
		}
		return s.Want(i, "',' or '}'")
	}
}

// array reads the array at i, calling element with the offset of each.
func (d *Decoder) array(i int, element func(d *Decoder, i int) int) int {
	s := &d.scan
	b := s.Buf
	if s.Depth >= jsonscan.MaxDepth {
		return s.TooDeep(i)
	}
	s.Depth++
	i = s.Space(i + 1)
	if i < len(b) && b[i] == ']' {
		s.Depth--
		return i + 1
	}
	for {
		if i = element(d, i); i < 0 {
			return -1
		}
		if i = s.Space(i); i < len(b) {
			switch b[i] {
			case ',':
				i = s.Space(i + 1)
				continue
			case ']':
				s.Depth--
				return i + 1
			}
		}
		return s.Want(i, "',' or ']'")
	}
}

// string reads the string at i. exact is false when its text is not what the
// record says: a lone surrogate stood in it.
func (d *Decoder) string(i int) (text string, end int, exact bool) {
	b, end, copied, exact := d.scan.Text(i, d.text.room)
	if end < 0 {
		return "", -1, false
	}
	if copied {
		return d.text.use(b), end, exact
	}
	return view(b), end, true
}

// view returns b as a string without copying it. b is never changed again.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// bytesOf is the inverse of view, for reading only.
func bytesOf(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }

func jsonKindWord(c byte) string {
	switch c {
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}
