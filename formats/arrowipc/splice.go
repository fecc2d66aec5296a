package arrowipc

import (
	"fmt"
	"iter"
	"math/bits"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/rollmill/rollmill/formats/arrowipc/internal/message"
	"github.com/rollmill/rollmill/formats/rollout"
)

// Packet is a record batch in the form that it has in a file. A [FrameWriter]
// writes it, once.
type Packet struct{ packet }

// gateFields are what a row may change without being decoded whole.
const gateFields = rollout.FieldGate | rollout.FieldGates

// Splice returns the record batch with the columns of the fields that its rows
// have changed (see [rollout.Row.Changed]) made anew, and the bytes of all others
// copied as they are: what encoding the rows would give, for a fraction of the
// work, since the long texts are neither encoded nor compressed again.
//
// rows are all rows of the frame. Every one holds the fields that any of them has
// changed; one that has changed another than rollmill_gate and rollmill_gates, or
// one of Beside, was decoded with all fields.
func (f *Frame) Splice(rows []rollout.Row) (Packet, error) {
	if len(rows) != f.Rows() {
		return Packet{}, fmt.Errorf("arrowipc: %d rows to splice into a record batch of %d", len(rows), f.Rows())
	}
	changed := f.changed(rows)
	if changed == 0 {
		return f.compose(0, &outline{}, message.NewChecks(preamble().sum, f.record.meta.Rows, f.record.checks.Note, f.sums()).Metadata())
	}
	if err := f.load(changed & rollout.FieldExtra); err != nil {
		return Packet{}, err
	}
	spare := f.reader.splicers.of(changed)
	s, ok := spare.take()
	if !ok {
		s = &splicer{fields: changed}
	}
	meta, err := s.fill(f, rows)
	if err != nil {
		return Packet{}, damaged(f.record.path, f.record.number, "", err)
	}
	out, err := f.compose(changed, &s.outline, meta)
	if s.pooled() {
		spare.put(s)
	}
	return out, err
}

// changed are the columns that differ from those of the frame.
func (f *Frame) changed(rows []rollout.Row) (fields rollout.Fields) {
	for i := range rows {
		c := rows[i].Changed()
		fields |= c
		if f.isWhole(c) {
			fields |= rollout.FieldExtra
		}
	}
	return fields
}

// isWhole reports whether a row with such changes has to be there whole, and its
// column extra made of it.
func (f *Frame) isWhole(changed rollout.Fields) bool {
	return changed&^gateFields != 0 || changed&f.beside != 0
}

func (f *Frame) sums() []uint64 {
	sums := make([]uint64, len(f.record.spans))
	for i := range sums {
		sums[i] = f.record.checks.Sum(i)
	}
	return sums
}

// splicer makes the columns of some fields.
type splicer struct {
	columns
	outline
	fields rollout.Fields
}

// fill makes the changed columns of rows, and returns the metadata of the whole
// record batch.
func (s *splicer) fill(f *Frame, rows []rollout.Row) (meta arrow.Metadata, err error) {
	s.reset()
	var old texts
	if f.loaded.Has(rollout.FieldExtra) {
		old = f.batch.texts[columnOf(rollout.FieldExtra)]
	}
	for i := range rows {
		r := &rows[i]
		s.encode(&rowEncoder{r: r, left: rollout.AllFields &^ s.fields, unsure: r.Changed() | rollout.FieldExtra})
		if old.ends != nil && !f.isWhole(r.Changed()) {
			s.extra.takeBack(&old, i)
		}
	}
	data, err := s.data()
	if err != nil {
		return meta, err
	}
	sums := f.sums()
	s.outline = outline{Batch: message.Batch{Codec: f.record.meta.Codec}, body: s.body[:0]}
	for i := range columnsOf(s.fields) {
		sums[i] = sumOf(data[i])
		s.outline.add(data[i])
	}
	return message.NewChecks(preamble().sum, int64(s.rows), noteOf(f.beside|s.beside), sums).Metadata(), nil
}

// columnsOf yields the columns of fields.
func columnsOf(fields rollout.Fields) iter.Seq[int] {
	return func(yield func(int) bool) {
		for ; fields != 0; fields &= fields - 1 {
			if !yield(bits.TrailingZeros64(uint64(fields))) {
				return
			}
		}
	}
}

// compose puts a record batch together of the columns anew, which are those of some
// fields, and the frame.
func (f *Frame) compose(fields rollout.Fields, anew *outline, meta arrow.Metadata) (Packet, error) {
	r := f.record
	from := make([]part, len(r.spans))
	for i, s := range r.spans {
		from[i] = part{r.meta, r.body, s}
	}
	var at span
	for i := range columnsOf(fields) {
		s := r.spans[i] // a column has as many nodes and buffers whatever is in it
		s.node, s.buffer = at.node, at.buffer
		at.node, at.buffer = at.node+s.nodes, at.buffer+s.buffers
		from[i] = part{&anew.Batch, body{{0, anew.body}}, s}
	}
	whole := outline{Batch: message.Batch{Rows: r.meta.Rows, Codec: r.meta.Codec}, body: f.reader.bodies.empty()}
	for _, p := range from {
		whole.Nodes = append(whole.Nodes, p.meta.Nodes[p.node:p.node+p.nodes]...)
		for _, e := range p.meta.Buffers[p.buffer : p.buffer+p.buffers] {
			text, ok := p.body.bytes(e)
			if !ok {
				return Packet{}, damaged(r.path, r.number, "", message.ErrDamaged)
			}
			whole.put(text, message.None)
		}
	}
	return Packet{packet{
		head: message.AppendBatch(nil, &whole.Batch, int64(len(whole.body)), meta),
		body: whole.body, rows: whole.Rows, home: &f.reader.bodies,
	}}, nil
}

// part is a column of a record batch.
type part struct {
	meta *message.Batch
	body body
	span
}
