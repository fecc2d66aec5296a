package arrowipc

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/rollmill/rollmill/formats/arrowipc/internal/message"
)

// loader makes the array of one column of a record batch. arrow-go has a loader
// of its own, which takes all columns and believes what it reads; this one takes
// those that are wanted and believes nothing: every length, offset and count is
// held against the bytes that are there.
type loader struct {
	meta  *message.Batch
	body  body
	dicts dictionaries
	arena *arena
	path  []int // of the field at hand
	at    span  // nodes, buffers and variadics that were taken
}

// load returns the column of the field at path, whose span is given. It must
// have as many values as the batch has rows.
func (l *loader) load(t arrow.DataType, path []int, s span) (a arrow.Array, err error) {
	defer caught(&err)
	l.path = path
	l.at = span{nodes: s.node, buffers: s.buffer, variadics: s.variadic}
	d, err := l.data(t)
	if err != nil {
		return nil, err
	}
	if int64(d.Len()) != l.meta.Rows {
		return nil, fmt.Errorf("has %d values, the record batch %d rows", d.Len(), l.meta.Rows)
	}
	return array.MakeFromData(d), nil
}

// maxValues bounds the values of a column: arrays of arrow-go count in int.
const maxValues = math.MaxInt32

// node takes the next node.
func (l *loader) node() (length, nulls int, err error) {
	if l.at.nodes >= len(l.meta.Nodes) {
		return 0, 0, errors.New("has no node in the record batch")
	}
	n := l.meta.Nodes[l.at.nodes]
	l.at.nodes++
	if n.Length < 0 || n.Length > maxValues || n.Nulls < 0 || n.Nulls > n.Length {
		return 0, 0, fmt.Errorf("would have %d values, %d of them null", n.Length, n.Nulls)
	}
	return int(n.Length), int(n.Nulls), nil
}

// buffer takes the next buffer, decompressed. Its bytes are aligned for numbers.
func (l *loader) buffer() ([]byte, error) {
	if l.at.buffers >= len(l.meta.Buffers) {
		return nil, errors.New("has no buffer in the record batch")
	}
	raw, ok := l.body.bytes(l.meta.Buffers[l.at.buffers])
	l.at.buffers++
	if !ok {
		return nil, errors.New("has a buffer outside of its part of the body")
	}
	b, err := l.meta.Codec.Decompress(raw, l.arena.get)
	if err != nil {
		return nil, err
	}
	if uintptr(unsafe.Pointer(unsafe.SliceData(b)))&7 != 0 {
		b = slices.Clone(b)
	}
	return b, nil
}

// fixed takes a buffer that must hold n values of a width in bits.
func (l *loader) fixed(n, width int) (*memory.Buffer, error) {
	b, err := l.buffer()
	if err != nil {
		return nil, err
	}
	if int64(len(b)) < (int64(n)*int64(width)+7)/8 {
		return nil, fmt.Errorf("has %d bytes for %d values of %d bits", len(b), n, width)
	}
	return memory.NewBufferBytes(b), nil
}

// validity takes the buffer that says which of n values are null.
func (l *loader) validity(n, nulls int) (*memory.Buffer, error) {
	b, err := l.buffer()
	if err != nil {
		return nil, err
	}
	if len(b) == 0 && nulls == 0 {
		return nil, nil
	}
	if len(b) < (n+7)/8 {
		return nil, fmt.Errorf("has %d bytes to say which of %d values are null", len(b), n)
	}
	if valid := countOnes(b, n); n-valid != nulls {
		return nil, fmt.Errorf("has %d nulls, and says %d", n-valid, nulls)
	}
	if nulls == 0 {
		return nil, nil
	}
	return memory.NewBufferBytes(b), nil
}

func countOnes(b []byte, n int) (ones int) {
	for _, c := range b[:n/8] {
		ones += bits.OnesCount8(c)
	}
	if n&7 != 0 {
		ones += bits.OnesCount8(b[n/8] & (1<<(n&7) - 1))
	}
	return ones
}

// data takes what a column of type t has.
func (l *loader) data(t arrow.DataType) (*array.Data, error) {
	if e, ok := t.(arrow.ExtensionType); ok {
		t = e.StorageType()
		if _, ok := t.(arrow.ExtensionType); ok {
			return nil, fmt.Errorf("is %v, which cannot be read", t)
		}
	}
	n, nulls, err := l.node()
	if err != nil {
		return nil, err
	}
	if t.ID() == arrow.NULL {
		return array.NewData(t, n, []*memory.Buffer{nil}, nil, n, 0), nil
	}
	valid, err := l.validity(n, nulls)
	if err != nil {
		return nil, err
	}
	switch t := t.(type) {
	case *arrow.DictionaryType:
		return l.dictionary(t, n, valid, nulls)
	case *arrow.StringType, *arrow.BinaryType:
		return loadText[int32](l, t, n, valid, nulls)
	case *arrow.LargeStringType, *arrow.LargeBinaryType:
		return loadText[int64](l, t, n, valid, nulls)
	case arrow.BinaryViewDataType:
		return l.views(t, n, valid, nulls)
	case *arrow.ListType, *arrow.MapType:
		return loadList[int32](l, t.(arrow.ListLikeType), n, valid, nulls)
	case *arrow.LargeListType:
		return loadList[int64](l, t, n, valid, nulls)
	case *arrow.FixedSizeListType:
		return l.fixedList(t, n, valid, nulls)
	case *arrow.StructType:
		return l.structs(t, n, valid, nulls)
	case arrow.UnionType, *arrow.RunEndEncodedType, arrow.VarLenListLikeType:
		// fall through to the error
	case arrow.FixedWidthDataType:
		values, err := l.fixed(n, t.BitWidth())
		if err != nil {
			return nil, err
		}
		return array.NewData(t, n, []*memory.Buffer{valid, values}, nil, nulls, 0), nil
	}
	return nil, fmt.Errorf("is %v, which cannot be read", t)
}

func (l *loader) child(t arrow.DataType, i int) (*array.Data, error) {
	l.path = append(l.path, i)
	d, err := l.data(t)
	l.path = l.path[:len(l.path)-1]
	return d, err
}

func (l *loader) structs(t *arrow.StructType, n int, valid *memory.Buffer, nulls int) (*array.Data, error) {
	children := make([]arrow.ArrayData, t.NumFields())
	for i, f := range t.Fields() {
		d, err := l.child(f.Type, i)
		if err != nil {
			return nil, within(f.Name, err)
		}
		if d.Len() < n {
			return nil, within(f.Name, fmt.Errorf("has %d values for %d", d.Len(), n))
		}
		children[i] = d
	}
	return array.NewData(t, n, []*memory.Buffer{valid}, children, nulls, 0), nil
}

func (l *loader) fixedList(t *arrow.FixedSizeListType, n int, valid *memory.Buffer, nulls int) (*array.Data, error) {
	items, err := l.child(t.Elem(), 0)
	if err != nil {
		return nil, err
	}
	if t.Len() < 0 || int64(items.Len()) < int64(n)*int64(t.Len()) {
		return nil, fmt.Errorf("has %d items for %d lists of %d", items.Len(), n, t.Len())
	}
	return array.NewData(t, n, []*memory.Buffer{valid}, []arrow.ArrayData{items}, nulls, 0), nil
}

// offset is a number that says where a text or a list starts.
type offset interface{ int32 | int64 }

// loadEnds takes the offsets of n values and returns the last one too.
func loadEnds[O offset](l *loader, n int) (b *memory.Buffer, last O, err error) {
	if n == 0 {
		_, err = l.buffer() // which may be empty, though the format wants one number
		return memory.NewBufferBytes(make([]byte, 8)), 0, err
	}
	width := int(unsafe.Sizeof(last))
	if b, err = l.fixed(n+1, 8*width); err != nil {
		return nil, 0, err
	}
	ends := window[O](b, 0, n+1)
	for i, end := range ends {
		if end < last {
			return nil, 0, fmt.Errorf("its value %d starts at %d, before the one in front of it ends", i+1, end)
		}
		last = end
	}
	return b, last, nil
}

func loadText[O offset](l *loader, t arrow.DataType, n int, valid *memory.Buffer, nulls int) (*array.Data, error) {
	ends, last, err := loadEnds[O](l, n)
	if err != nil {
		return nil, err
	}
	text, err := l.buffer()
	if err != nil {
		return nil, err
	}
	if int64(last) > int64(len(text)) {
		return nil, fmt.Errorf("its values end at %d of %d bytes", last, len(text))
	}
	return array.NewData(t, n, []*memory.Buffer{valid, ends, memory.NewBufferBytes(text)}, nil, nulls, 0), nil
}

func loadList[O offset](l *loader, t arrow.ListLikeType, n int, valid *memory.Buffer, nulls int) (*array.Data, error) {
	ends, last, err := loadEnds[O](l, n)
	if err != nil {
		return nil, err
	}
	items, err := l.child(t.Elem(), 0)
	if err != nil {
		return nil, err
	}
	if int64(last) > int64(items.Len()) {
		return nil, fmt.Errorf("its lists end at %d of %d items", last, items.Len())
	}
	return array.NewData(t, n, []*memory.Buffer{valid, ends}, []arrow.ArrayData{items}, nulls, 0), nil
}

// views takes a column of views: 16 bytes a value, with the text in them or in
// one of the buffers behind.
func (l *loader) views(t arrow.DataType, n int, valid *memory.Buffer, nulls int) (*array.Data, error) {
	headers, err := l.fixed(n, 8*arrow.ViewHeaderSizeBytes)
	if err != nil {
		return nil, err
	}
	buffers := []*memory.Buffer{valid, headers}
	if l.at.variadics >= len(l.meta.Variadic) {
		return nil, errors.New("has no count of buffers")
	}
	for range l.meta.Variadic[l.at.variadics] {
		b, err := l.buffer()
		if err != nil {
			return nil, err
		}
		buffers = append(buffers, memory.NewBufferBytes(b))
	}
	l.at.variadics++
	for i, h := range window[arrow.ViewHeader](headers, 0, n) {
		if h.Len() < 0 {
			return nil, fmt.Errorf("its value %d has the length %d", i+1, h.Len())
		}
		if h.IsInline() || valid != nil && !(bitsOf(valid).has(i)) {
			continue
		}
		k := int(h.BufferIndex()) + 2
		if k < 2 || k >= len(buffers) || h.BufferOffset() < 0 || int64(h.BufferOffset())+int64(h.Len()) > int64(buffers[k].Len()) {
			return nil, fmt.Errorf("its value %d is outside of its buffers", i+1)
		}
	}
	return array.NewData(t, n, buffers, nil, nulls, 0), nil
}

func bitsOf(b *memory.Buffer) *bitmap { return &bitmap{b.Bytes(), 0} }

// dictionary takes a column of places in a dictionary.
func (l *loader) dictionary(t *arrow.DictionaryType, n int, valid *memory.Buffer, nulls int) (*array.Data, error) {
	width := t.IndexType.(arrow.FixedWidthDataType).BitWidth()
	places, err := l.fixed(n, width)
	if err != nil {
		return nil, err
	}
	words, ok := l.dicts.values(l.path)
	if !ok {
		return nil, errors.New("has a dictionary that has not come yet")
	}
	d := array.NewDataWithDictionary(t, n, []*memory.Buffer{valid, places}, nulls, 0, words)
	a := array.NewDictionaryData(d)
	for i := range n {
		if a.IsValid(i) {
			if k := a.GetValueIndex(i); k < 0 || k >= words.Len() {
				return nil, fmt.Errorf("its value %d is place %d of a dictionary of %d", i+1, k, words.Len())
			}
		}
	}
	return d, nil
}

// within puts the name of a part of a column in front of an error.
func within(name string, err error) error { return fmt.Errorf("%q %w", name, err) }
