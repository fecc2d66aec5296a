package jsonl

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/rollmill/rollmill/formats/dialect"
	"github.com/rollmill/rollmill/formats/internal/jsonscan"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

// stageName is what rejects of this package say of who refused them.
const stageName = "read"

// blockDecoder turns blocks into rows. Each worker has its own.
type blockDecoder struct {
	opts *readOptions
	rows *rollout.Decoder

	out     []rollout.Row
	rejects []stream.Reject
}

// decode returns the rows of a block and what could not become one. The slices
// are handed over.
func (d *blockDecoder) decode(b *block) (rows []rollout.Row, rejects []stream.Reject) {
	d.out, d.rejects = nil, nil
	for i := range b.long {
		d.rejectLong(b, &b.long[i])
	}
	if b.records == nil {
		d.lines(b)
	} else {
		d.listed(b)
	}
	return d.out, d.rejects
}

func (d *blockDecoder) lines(b *block) {
	data, number := b.data, b.first
	d.out = make([]rollout.Row, 0, bytes.Count(data, newline)+1)
	for at := 0; at < len(data); number++ {
		end := len(data)
		if n := bytes.IndexByte(data[at:], '\n'); n >= 0 {
			end = at + n
		}
		line := trimSpace(data[at:end])
		if len(line) > 0 {
			d.record(b, dialect.Record{JSON: line, Pos: b.pos(number, at)})
		}
		at = end + 1
	}
}

var newline = []byte{'\n'}

func (b *block) pos(number int64, at int) stream.Pos {
	return stream.Pos{Input: b.at.input, Record: number, Offset: b.offset + int64(at)}
}

// trimSpace cuts white space at both ends, the \r of Windows lines among it.
func trimSpace(line []byte) []byte {
	for len(line) > 0 && isSpace(line[len(line)-1]) {
		line = line[:len(line)-1]
	}
	for len(line) > 0 && isSpace(line[0]) {
		line = line[1:]
	}
	return line
}

func (d *blockDecoder) listed(b *block) {
	d.out = make([]rollout.Row, 0, len(b.records))
	for i, r := range b.records {
		text := r.data
		if text == nil {
			text = b.data[r.start:r.end]
		}
		rec := dialect.Record{JSON: text, Key: r.key, Header: b.at.header, Pos: b.pos(b.first+int64(i), r.start)}
		d.record(b, rec)
	}
}

func (d *blockDecoder) record(b *block, rec dialect.Record) {
	if len(rec.JSON) > d.opts.maxRecord {
		d.rejectLong(b, &longRecord{rec.Pos.Record, rec.Pos.Offset, int64(len(rec.JSON)), rec.JSON[:min(longHead, len(rec.JSON))]})
		return
	}
	var err error
	if b.at.dialect == nil {
		err = d.native(b, rec)
	} else {
		err = d.foreign(b, rec)
	}
	if err != nil {
		d.reject(rec, err)
	}
}

// native decodes a record of row v1 or one of its legacy shapes.
func (d *blockDecoder) native(b *block, rec dialect.Record) error {
	n := len(d.out)
	d.out = append(d.out, rollout.Row{Pos: rec.Pos})
	if err := d.rows.Decode(rec.JSON, &d.out[n]); err != nil {
		d.out = d.out[:n]
		return err
	}
	if b.records != nil {
		d.out[n].CompactSource() // an element of a list may span lines
	}
	if rec.Key != "" { // of a keyed object, which nothing else says
		d.out[n].SetExtra("record_key", string(jsonscan.AppendString(nil, rec.Key)))
	}
	return nil
}

// foreign lets the input's dialect make rows of a record.
func (d *blockDecoder) foreign(b *block, rec dialect.Record) (err error) {
	if rec.JSON, err = d.rows.Check(rec.JSON); err != nil {
		return err
	}
	d.out, err = b.at.dialect.Rows(d.out, rec)
	return err
}

func (d *blockDecoder) reject(rec dialect.Record, err error) {
	code, detail := "error", err.Error()
	if de, ok := errors.AsType[*rollout.DecodeError](err); ok {
		code, detail = de.Code, de.Detail
	} else if de, ok := errors.AsType[*dialect.Error](err); ok {
		code, detail = de.Code, de.Detail
	}
	d.rejects = append(d.rejects, stream.Reject{Pos: rec.Pos, Stage: stageName, Code: code, Detail: detail, Raw: rec.JSON})
}

func (d *blockDecoder) rejectLong(b *block, l *longRecord) {
	d.rejects = append(d.rejects, stream.Reject{
		Pos:   stream.Pos{Input: b.at.input, Record: l.number, Offset: l.offset},
		Stage: stageName, Code: CodeTooLong, Raw: l.head,
		Detail: fmt.Sprintf("found a record of %d bytes at byte %d, want at most %d (raise it with --max-record); only its beginning is kept", l.size, l.offset, d.opts.maxRecord),
	})
}
