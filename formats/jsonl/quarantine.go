package jsonl

import (
	"encoding/base64"
	"strconv"
	"unicode/utf8"

	"github.com/rollmill/rollmill/formats/files"
	"github.com/rollmill/rollmill/formats/internal/jsonscan"
	"github.com/rollmill/rollmill/stream"
)

// AppendReject appends a reject as one line of a quarantine file: where it
// stood, who refused it and why, and the record itself as text, or in base64
// where it is not UTF-8, so that it can be mended and replayed. input is the
// name of the file it came from.
func AppendReject(dst []byte, input string, r *stream.Reject) []byte {
	dst = append(dst, `{"input":`...)
	dst = jsonscan.AppendString(dst, input)
	dst = append(dst, `,"record":`...)
	dst = strconv.AppendInt(dst, r.Pos.Record, 10)
	if r.Pos.Part > 0 {
		dst = append(dst, `,"part":`...)
		dst = strconv.AppendInt(dst, int64(r.Pos.Part), 10)
	}
	dst = append(dst, `,"offset":`...)
	dst = strconv.AppendInt(dst, r.Pos.Offset, 10)
	for _, m := range [...]struct{ name, text string }{{"stage", r.Stage}, {"code", r.Code}, {"detail", r.Detail}} {
		dst = append(dst, `,"`...)
		dst = append(dst, m.name...)
		dst = append(dst, `":`...)
		dst = jsonscan.AppendString(dst, m.text)
	}
	if utf8.Valid(r.Raw) {
		dst = append(dst, `,"raw":`...)
		dst = jsonscan.AppendString(dst, string(r.Raw))
	} else {
		dst = append(dst, `,"raw_base64":"`...)
		dst = base64.StdEncoding.AppendEncode(dst, r.Raw)
		dst = append(dst, '"')
	}
	return append(dst, "}\n"...)
}

// RejectFile writes rejects, as AppendReject has them, to a file that appears
// only if there are any, compressed as its name says. It is not safe for
// concurrent use.
type RejectFile struct {
	path    string // "": rejects are only counted
	name    func(input uint32) string
	replace bool

	out  *files.Output
	buf  []byte
	part Part
}

// NewRejectFile returns a file of rejects. name gives the name of an input by
// its number; replace lets the file take the place of one that is there.
func NewRejectFile(path string, name func(input uint32) string, replace bool) *RejectFile {
	return &RejectFile{path: path, name: name, replace: replace}
}

// Add writes rejects.
func (q *RejectFile) Add(rejects []stream.Reject) error {
	q.part.Rows += int64(len(rejects))
	if q.path == "" || len(rejects) == 0 {
		return nil
	}
	if q.out == nil {
		out, err := files.Create(q.path, q.replace)
		if err != nil {
			return err
		}
		q.out, q.part.Path = out, q.path
	}
	q.buf = q.buf[:0]
	for i := range rejects {
		q.buf = AppendReject(q.buf, q.name(rejects[i].Pos.Input), &rejects[i])
	}
	text := q.buf
	if packed := files.CompressionOf(q.path); packed != files.Plain {
		text = packed.AppendFrame(nil, q.buf)
	}
	q.part.Bytes += int64(len(text))
	_, err := q.out.Write(text)
	return err
}

// Commit gives the file its name, if there is one.
func (q *RejectFile) Commit() error {
	if q.out == nil {
		return nil
	}
	return q.out.Commit()
}

// Abort removes the file. It does nothing after Commit.
func (q *RejectFile) Abort() {
	if q.out != nil {
		q.out.Abort()
	}
}

// Part says what was written; its Path is "" when there was nothing to write.
func (q *RejectFile) Part() Part { return q.part }
