package arrowipc

import (
	"fmt"
	"strconv"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/rollmill/rollmill/formats/arrowipc/internal/message"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

// Frame is a record batch as it stands in a file of [Schema]. Its rows are
// decoded as far as they are asked for, and [Frame.Splice] writes it anew with
// the columns that rows have changed, copying the bytes of all others. One
// goroutine at a time may use a frame.
type Frame struct {
	record *record
	arrays []arrow.Array // of the columns that were asked for
	loaded rollout.Fields
	batch  *batch // of those columns
	beside rollout.Fields
	reader *FrameReader
}

func newFrame(r *record, reader *FrameReader) (*Frame, error) {
	note, err := strconv.ParseUint(r.checks.Note, 16, 64)
	if err != nil {
		return nil, damaged(r.path, r.number, "", message.ErrChecksum)
	}
	return &Frame{record: r, arrays: make([]arrow.Array, len(r.spans)), beside: rollout.Fields(note), reader: reader}, nil
}

// Rows returns how many rows the frame has.
func (f *Frame) Rows() int { return int(f.record.meta.Rows) }

// Pos returns the position of its first row; those behind it count on.
func (f *Frame) Pos() stream.Pos { return f.record.pos }

// Beside returns the fields whose exact value may stand in the column extra of
// some row.
func (f *Frame) Beside() rollout.Fields { return f.beside }

// Recycle gives the memory of the frame to another. Neither the frame nor rows that
// were decoded of it may be in use any more, nor any text of theirs.
func (f *Frame) Recycle() {
	a := f.record.arena
	a.reset()
	f.reader.arenas.put(a)
}

// Decode returns the rows from one to another, with the fields that are wanted.
func (f *Frame) Decode(want rollout.Fields, from, to int) ([]rollout.Row, error) {
	need := want
	if f.beside&want != 0 {
		need |= rollout.FieldExtra
	}
	if err := f.load(need); err != nil {
		return nil, err
	}
	spare := f.reader.decoders.of(want)
	d, ok := spare.take()
	if !ok {
		d = newRowDecoder(want)
	}
	defer spare.put(d)
	rows := make([]rollout.Row, to-from)
	for i := range rows {
		rows[i].Pos = f.record.pos
		rows[i].Pos.Record += int64(from + i)
	}
	d.fill(rows, f.batch, from)
	rows, rejects := d.finish(rows, f.batch, from)
	if len(rejects) > 0 {
		return nil, damaged(f.record.path, f.record.number, "", fmt.Errorf("row %d: %s", rejects[0].Pos.Record, rejects[0].Detail))
	}
	return rows, nil
}

// load makes the columns of some fields.
func (f *Frame) load(fields rollout.Fields) error {
	if f.loaded.Has(fields) {
		return nil
	}
	r := f.record
	for i := range f.arrays {
		if f.arrays[i] != nil || fields&fieldOf(i) == 0 {
			continue
		}
		a, err := r.column(i)
		if err != nil {
			return err
		}
		f.arrays[i] = a
	}
	f.loaded |= fields
	f.batch = newBatch(r.plan.fields, f.arrays, f.Rows())
	return nil
}
