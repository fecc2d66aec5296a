package message

import "fmt"

// Slots of a record batch and what is in it.
const (
	batchLength      = 0
	batchNodes       = 1
	batchBuffers     = 2
	batchCompression = 3
	batchVariadic    = 4

	compressionCodec  = 0
	compressionMethod = 1

	dictionaryID    = 0
	dictionaryData  = 1
	dictionaryDelta = 2
)

// Batch is the metadata of a record batch: what its body holds. Nodes and
// buffers stand in the order in which a walk through the schema, parents first,
// comes to them.
type Batch struct {
	Rows     int64
	Nodes    []Node
	Buffers  []Extent
	Variadic []int64 // how many buffers of data each column of views has
	Codec    Codec   // of the buffers
}

// Node is one column, or one level within it.
type Node struct{ Length, Nulls int64 }

// Extent is where the bytes of a buffer are in the body.
type Extent struct{ Offset, Length int64 }

// Dictionary is the metadata of a dictionary: a batch of one column, and whose
// values those are.
type Dictionary struct {
	ID    int64
	Delta bool // the values come behind those that the dictionary had
	Batch *Batch
}

// Batch returns the metadata of a record batch.
func (h *Head) Batch() (*Batch, error) {
	if h.Kind != KindBatch {
		return nil, fmt.Errorf("%w: want a record batch", ErrDamaged)
	}
	return h.batch(h.header)
}

// Dictionary returns the metadata of a dictionary.
func (h *Head) Dictionary() (*Dictionary, error) {
	if h.Kind != KindDictionary {
		return nil, fmt.Errorf("%w: want a dictionary", ErrDamaged)
	}
	data, ok := h.header.table(dictionaryData)
	if !ok {
		return nil, fmt.Errorf("%w: a dictionary without values", ErrDamaged)
	}
	batch, err := h.batch(data)
	return &Dictionary{h.header.i64(dictionaryID), h.header.u8(dictionaryDelta) != 0, batch}, err
}

func (h *Head) batch(t table) (*Batch, error) {
	f := t.f
	b := &Batch{Rows: t.i64(batchLength), Codec: None}
	if c, ok := t.table(batchCompression); ok {
		b.Codec = Codec(c.u8(compressionCodec)) + LZ4
		if b.Codec > Zstd || c.u8(compressionMethod) != 0 {
			return nil, fmt.Errorf("%w: unknown compression", ErrDamaged)
		}
	}
	start, n := t.vector(batchNodes, 16)
	b.Nodes = make([]Node, n)
	for i := range b.Nodes {
		at := start + 16*i
		b.Nodes[i] = Node{f.i64(at), f.i64(at + 8)}
	}
	start, n = t.vector(batchBuffers, 16)
	b.Buffers = make([]Extent, n)
	for i := range b.Buffers {
		at := start + 16*i
		e := Extent{f.i64(at), f.i64(at + 8)}
		if e.Offset < 0 || e.Length < 0 || e.Offset > h.BodyLength-e.Length {
			return nil, fmt.Errorf("%w: buffer %d is not within the message", ErrDamaged, i)
		}
		b.Buffers[i] = e
	}
	start, n = t.vector(batchVariadic, 8)
	for i := range n {
		b.Variadic = append(b.Variadic, f.i64(start+8*i))
	}
	if f.bad || b.Rows < 0 {
		return nil, ErrDamaged
	}
	return b, nil
}
