package arrowipc

import (
	"bytes"
	"fmt"
	"math/bits"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

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
		return f.compose(0, nil, message.NewChecks(preamble().sum, f.record.meta.Rows, f.record.checks.Note, f.sums()).Metadata())
	}
	if err := f.load(changed & rollout.FieldExtra); err != nil {
		return Packet{}, err
	}
	key := splicerKey{changed, Compression(f.record.meta.Codec)}
	spare := f.reader.splicers.of(key)
	s, ok := spare.take()
	if !ok {
		s = newSplicer(key)
	}
	anew, meta, err := s.columnsOf(f, rows)
	if err != nil {
		return Packet{}, damaged(f.record.path, f.record.number, "", err)
	}
	out, err := f.compose(changed, anew, meta)
	s.packet.recycle()
	s.packet = packet{}
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
	packer
	fields rollout.Fields
	schema *arrow.Schema
	places []int // of the columns in the whole schema
}

// splicerKey says which columns a splicer makes.
type splicerKey struct {
	fields      rollout.Fields
	compression Compression
}

func newSplicer(k splicerKey) *splicer {
	s := &splicer{fields: k.fields}
	var fields []arrow.Field
	for fs := k.fields; fs != 0; fs &= fs - 1 {
		i := bits.TrailingZeros64(uint64(fs))
		s.places = append(s.places, i)
		fields = append(fields, schema.Field(i))
	}
	s.schema = arrow.NewSchema(fields, nil)
	s.packer.open(k.compression, s.schema)
	return s
}

// columnsOf makes the changed columns of rows, and the metadata of the whole
// record batch.
func (s *splicer) columnsOf(f *Frame, rows []rollout.Row) (anew []byte, meta arrow.Metadata, err error) {
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
		return nil, meta, err
	}
	sums := f.sums()
	arrays := make([]arrow.Array, len(s.places))
	for k, i := range s.places {
		sums[i] = sumOf(data[i])
		arrays[k] = array.MakeFromData(data[i])
	}
	s.packet = f.reader.buffers.packet(0)
	if err := s.writer.Write(array.NewRecordBatch(s.schema, arrays, int64(s.rows))); err != nil {
		return nil, meta, err
	}
	meta = message.NewChecks(preamble().sum, int64(s.rows), noteOf(f.beside|s.beside), sums).Metadata()
	return s.packet.message.Bytes(), meta, nil
}

// compose puts a record batch together of the columns anew, a message that has
// those of some fields, and the frame.
func (f *Frame) compose(fields rollout.Fields, anew []byte, meta arrow.Metadata) (Packet, error) {
	r := f.record
	from := make([]part, len(r.spans))
	for i, s := range r.spans {
		from[i] = part{r.meta, r.body, s}
	}
	if fields != 0 {
		head, err := message.ReadHead(bytes.NewReader(anew))
		if err != nil {
			return Packet{}, err
		}
		made, err := head.Batch()
		if err != nil {
			return Packet{}, err
		}
		places, columns := []int{}, []arrow.Field{}
		for fs := fields; fs != 0; fs &= fs - 1 {
			i := bits.TrailingZeros64(uint64(fs))
			places, columns = append(places, i), append(columns, r.plan.fields[i])
		}
		spans, err := spansOf(columns, made)
		if err != nil {
			return Packet{}, err
		}
		for k, i := range places {
			from[i] = part{made, body{{0, anew[head.Size:]}}, spans[k]}
		}
	}
	whole := &message.Batch{Rows: r.meta.Rows, Codec: r.meta.Codec}
	var texts [][]byte
	size := int64(0)
	for _, p := range from {
		whole.Nodes = append(whole.Nodes, p.meta.Nodes[p.node:p.node+p.nodes]...)
		for _, e := range p.meta.Buffers[p.buffer : p.buffer+p.buffers] {
			text, ok := p.body.bytes(e)
			if !ok {
				return Packet{}, damaged(r.path, r.number, "", message.ErrDamaged)
			}
			texts = append(texts, text)
			whole.Buffers = append(whole.Buffers, message.Extent{Offset: size, Length: e.Length})
			size += padded(e.Length)
		}
	}
	p := f.reader.buffers.packet(whole.Rows)
	out := p.message
	out.Write(message.AppendBatch(nil, whole, size, meta))
	p.head = out.Len()
	out.Grow(int(size))
	for _, text := range texts {
		out.Write(text)
		out.Write(padding[:padded(int64(len(text)))-int64(len(text))])
	}
	return Packet{p}, nil
}

// part is a column of a record batch.
type part struct {
	meta *message.Batch
	body body
	span
}

// padding is what stands between buffers, which begin at multiples of its length.
var padding [8]byte

func padded(n int64) int64 { return (n + int64(len(padding)) - 1) &^ (int64(len(padding)) - 1) }
