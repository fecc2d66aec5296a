package arrowipc

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/rollmill/rollmill/formats/arrowipc/internal/message"
	"github.com/rollmill/rollmill/formats/files"
	"github.com/rollmill/rollmill/stream"
)

// piece is a run of rows of a record batch: what becomes one batch of the flow.
type piece struct {
	record   *record
	from, to int
	bytes    int // that were read for it
}

// fileReader reads the record batches of one input.
type fileReader struct {
	*input
	reader *Reader
	n      uint32 // number of the input

	frames *FrameReader // whose frames are read, which are whole; nil: only what is wanted

	plan  *plan
	dicts dictionaries
	batch int   // number of the record batch at hand
	rows  int64 // of all so far
	told  int64 // bytes of the input that passed has counted
}

// since returns the bytes of the file that were passed since it was asked.
func (f *fileReader) since() int64 {
	now := f.pos
	if f.at == nil {
		now = f.Consumed()
	}
	n := now - f.told
	f.told = now
	return n
}

// schema reads the first message and makes the plan.
func (f *fileReader) schema() error {
	h, err := f.next()
	if err == nil && (h.Kind != message.KindSchema || h.BodyLength != 0) {
		err = message.ErrNotArrow
	}
	if err != nil {
		return f.notArrow(err)
	}
	s, more, err := readSchema(h)
	if err != nil {
		return damaged(f.Name, 0, "", err)
	}
	o := &f.reader.opts
	if f.plan, err = planOf(s, message.SchemaSum(h.Meta), o.fields, o.dialect, o.dialectOK); err != nil {
		return f.refused(err)
	}
	f.dicts.fields = more.Dictionaries
	return nil
}

// notArrow is an error about the first message.
func (f *fileReader) notArrow(err error) error {
	switch {
	case f.isFile && errors.Is(err, io.ErrUnexpectedEOF):
		return f.torn()
	case f.isFile:
		return damaged(f.Name, 0, "", err)
	case errors.Is(err, message.ErrNotArrow), errors.Is(err, message.ErrDamaged), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return &files.InputError{Path: f.Name, Err: ErrNotArrow, Hint: "JSON text and Parquet have readers of their own"}
	}
	return f.failed(err)
}

// refused is an error about the schema.
func (f *fileReader) refused(err error) error {
	hint := ""
	switch {
	case errors.Is(err, ErrVersion):
		hint = "read it with the Rollmill that wrote it"
	case isSchemaError(err):
		hint = hintColumns
	}
	return &files.InputError{Path: f.Name, Err: err, Hint: hint}
}

func isSchemaError(err error) bool {
	_, ok := errors.AsType[*SchemaError](err)
	return ok
}

// nextRecord returns the next record batch; io.EOF is the end of the input.
func (f *fileReader) nextRecord() (*record, error) {
	for {
		h, err := f.next()
		switch {
		case err == io.EOF, err == message.ErrUnended && !f.isFile && !f.plan.ours:
			if err := f.end(); err != nil {
				return nil, err
			}
			return nil, io.EOF
		case err == message.ErrUnended:
			return nil, f.torn()
		case errors.Is(err, message.ErrNotArrow), errors.Is(err, message.ErrDamaged):
			return nil, damaged(f.Name, f.batch+1, "", err)
		case err != nil:
			return nil, f.failed(err)
		}
		switch h.Kind {
		case message.KindSchema:
			return nil, damaged(f.Name, f.batch+1, "", errors.New("a second schema"))
		case message.KindDictionary:
			if err := f.dictionary(h); err != nil {
				return nil, err
			}
		case message.KindBatch:
			return f.record(h)
		}
	}
}

// record reads what is wanted of a record batch.
func (f *fileReader) record(h *message.Head) (*record, error) {
	f.batch++
	r := &record{
		plan: f.plan, path: f.Name, number: f.batch, dicts: f.dicts,
		pos: stream.Pos{Input: f.n, Record: f.rows + 1, Offset: f.pos - h.Size},
	}
	if err := r.outline(h); err != nil {
		return nil, damaged(f.Name, f.batch, "", err)
	}
	var err error
	parts := r.parts()
	if f.frames != nil {
		parts, r.arena = []region{{0, h.BodyLength}}, f.frames.arena()
	}
	if r.body, err = f.read(parts, h.BodyLength, r.arena); err != nil {
		return nil, err
	}
	r.bytes = r.body.size()
	f.rows += r.meta.Rows
	if !f.plan.direct && !f.plan.recognised && r.meta.Rows > 0 {
		t, err := r.load()
		if err != nil {
			return nil, err
		}
		if err := f.plan.recognise(t); err != nil {
			return nil, f.refused(err)
		}
	}
	return r, nil
}

// dictionary reads a dictionary.
func (f *fileReader) dictionary(h *message.Head) error {
	d, err := h.Dictionary()
	if err != nil {
		return damaged(f.Name, f.batch+1, "", err)
	}
	b, err := f.read([]region{{0, h.BodyLength}}, h.BodyLength, nil)
	if err != nil {
		return err
	}
	t, ok := f.dicts.typeAt(d.ID, f.plan.fields)
	if !ok {
		return damaged(f.Name, f.batch+1, "", fmt.Errorf("a dictionary, number %d, of no column that there is", d.ID))
	}
	values, err := loadDictionary(d, b, t)
	if err == nil {
		f.dicts, err = f.dicts.with(d.ID, d.Delta, values)
	}
	if err != nil {
		return damaged(f.Name, f.batch+1, "", err)
	}
	return nil
}

// readOne sends the rows of one input, in pieces.
func (r *Reader) readOne(ctx context.Context, n int, path string, before stream.Mark, out chan<- stream.Batch[piece]) (end stream.InputMark, err error) {
	in, err := openInput(path)
	if err != nil {
		return end, err
	}
	defer in.Close()
	f := &fileReader{input: in, reader: r, n: r.opts.first + uint32(n)}
	if err := f.schema(); err != nil {
		return end, err
	}
	r.found(n, f)
	for {
		rec, err := f.nextRecord()
		if err == io.EOF {
			end = stream.InputMark{Input: f.n, Record: f.rows, Offset: f.pos, Done: true}
			return end, stream.Send(ctx, out, stream.Batch[piece]{Mark: after(before, end)})
		}
		if err != nil {
			return end, err
		}
		r.passed(n, f)
		rows := int(rec.meta.Rows)
		for from := 0; from < rows; from += r.opts.batchRows {
			p := piece{rec, from, min(from+r.opts.batchRows, rows), 0}
			at := stream.InputMark{Input: f.n, Record: rec.pos.Record - 1 + int64(p.to), Offset: rec.pos.Offset}
			if p.to == rows {
				at.Offset = f.pos
			}
			if from == 0 {
				p.bytes = rec.bytes
			}
			if err := stream.Send(ctx, out, stream.Batch[piece]{Items: []piece{p}, Mark: after(before, at)}); err != nil {
				return end, err
			}
		}
	}
}

// after returns a mark with one input more, which shares nothing.
func after(before stream.Mark, at stream.InputMark) stream.Mark {
	return append(before[:len(before):len(before)], at)
}
