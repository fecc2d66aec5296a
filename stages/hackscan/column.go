package hackscan

import (
	"math"
	"math/bits"
	"slices"
)

// column is a feature over all graded rows: the rows where it is not zero, with
// its values, in the order of rows. It is cut into chunks of rows, each in the
// smallest form that holds it exactly: few rows as a list, many as a bitmap;
// values that are all 1 not at all, whole numbers in 1, 2 or 4 bytes. The form
// follows from the content, so that equal columns have equal chunks.
type column struct {
	chunks []chunk
	n      int // entries
}

const (
	chunkRows  = 1 << 14
	chunkWords = chunkRows / 64
	listRows   = chunkRows / 16 // a list of fewer entries is smaller than a bitmap
)

// chunk holds the entries of chunkRows rows; the zero chunk has none.
type chunk struct {
	bits []uint64 // a bit a row, trailing zero words cut
	list []uint16 // the rows, where they are few
	vals values   // nil: each is 1
}

// values are the values of the entries of a chunk, in the order of rows.
type values interface {
	appendTo(dst []float64) []float64
	equal(values) bool
}

type wholes[T uint8 | uint16 | uint32] []T

func (w wholes[T]) appendTo(dst []float64) []float64 {
	for _, v := range w {
		dst = append(dst, float64(v))
	}
	return dst
}

func (w wholes[T]) equal(o values) bool {
	x, ok := o.(wholes[T])
	return ok && slices.Equal(w, x)
}

type floats []float64

func (f floats) appendTo(dst []float64) []float64 { return append(dst, f...) }

func (f floats) equal(o values) bool {
	x, ok := o.(floats)
	return ok && slices.Equal(f, x)
}

func (c *chunk) equal(o *chunk) bool {
	if !slices.Equal(c.bits, o.bits) || !slices.Equal(c.list, o.list) || (c.vals == nil) != (o.vals == nil) {
		return false
	}
	return c.vals == nil || c.vals.equal(o.vals)
}

// entries appends the rows of the chunk, counted from its first, and their
// values.
func (c *chunk) entries(rows []uint16, vals []float64) ([]uint16, []float64) {
	rows = appendRows(append(rows, c.list...), c.bits)
	if c.vals != nil {
		return rows, c.vals.appendTo(vals)
	}
	for range rows {
		vals = append(vals, 1)
	}
	return rows, vals
}

// appendRows appends the rows of a bitmap.
func appendRows(rows []uint16, words []uint64) []uint16 {
	for w, word := range words {
		for ; word != 0; word &= word - 1 {
			rows = append(rows, uint16(w<<6|bits.TrailingZeros64(word)))
		}
	}
	return rows
}

// words gives the rows of the chunk as a bitmap, which dst may hold.
func (c *chunk) words(dst []uint64) []uint64 {
	if c.bits != nil {
		return append(dst[:0], c.bits...)
	}
	dst = append(dst[:0], make([]uint64, chunkWords)...)
	for _, r := range c.list {
		dst[r>>6] |= 1 << (r & 63)
	}
	return dst
}

// binary reports whether every value is 1.
func (c *column) binary() bool {
	for i := range c.chunks {
		if c.chunks[i].vals != nil {
			return false
		}
	}
	return true
}

// equal reports whether two columns have the same rows and values.
func (c *column) equal(o *column) bool {
	if c.n != o.n || len(c.chunks) != len(o.chunks) {
		return false
	}
	for i := range c.chunks {
		if !c.chunks[i].equal(&o.chunks[i]) {
			return false
		}
	}
	return true
}

// hash is the same for equal columns.
func (c *column) hash() uint64 {
	h := uint64(c.n)
	add := func(x uint64) { h = mix(h ^ x*golden) }
	for i := range c.chunks {
		k := &c.chunks[i]
		add(uint64(i))
		for _, w := range k.bits {
			add(w)
		}
		for _, r := range k.list {
			add(uint64(r))
		}
		if k.vals != nil {
			for _, v := range k.vals.appendTo(nil) {
				add(math.Float64bits(v))
			}
		}
	}
	return h
}

// at is the value in a row, 0 where there is no entry.
func (c *column) at(row int) float64 {
	if row/chunkRows >= len(c.chunks) {
		return 0
	}
	k, i := &c.chunks[row/chunkRows], row%chunkRows
	entry := 0
	if k.bits == nil {
		at, found := slices.BinarySearch(k.list, uint16(i))
		if !found {
			return 0
		}
		entry = at
	} else {
		if i>>6 >= len(k.bits) || k.bits[i>>6]>>(i&63)&1 == 0 {
			return 0
		}
		for _, word := range k.bits[:i>>6] {
			entry += bits.OnesCount64(word)
		}
		entry += bits.OnesCount64(k.bits[i>>6] & (1<<(i&63) - 1))
	}
	if k.vals == nil {
		return 1
	}
	switch v := k.vals.(type) {
	case wholes[uint8]:
		return float64(v[entry])
	case wholes[uint16]:
		return float64(v[entry])
	case wholes[uint32]:
		return float64(v[entry])
	}
	return k.vals.(floats)[entry]
}

// append appends the chunk of a number, which has n entries and is not empty.
func (c *column) append(number int, k chunk, n int) {
	for len(c.chunks) < number {
		c.chunks = append(c.chunks, chunk{})
	}
	c.chunks = append(c.chunks, k)
	c.n += n
}

// addBits appends the chunk of a number as a bitmap of ones, which is copied.
func (c *column) addBits(number int, words []uint64) {
	n := 0
	for _, word := range words {
		n += bits.OnesCount64(word)
	}
	switch {
	case n == 0:
	case n < listRows:
		c.append(number, chunk{list: appendRows(make([]uint16, 0, n), words)}, n)
	default:
		for words[len(words)-1] == 0 {
			words = words[:len(words)-1]
		}
		c.append(number, chunk{bits: slices.Clone(words)}, n)
	}
}

// columnBuilder makes a column of entries that come in the order of rows.
type columnBuilder struct {
	done column
	rows []uint16 // of the open chunk
	vals []float64
	open int  // number of the open chunk
	rest bool // a value of the open chunk is not 1
}

// add appends an entry. A value of zero and one that is no finite number is
// none.
func (b *columnBuilder) add(row int, v float64) {
	if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return
	}
	if row/chunkRows != b.open {
		b.seal()
		b.open = row / chunkRows
	}
	if v != 1 && !b.rest {
		b.rest = true
		b.vals = slices.Grow(b.vals[:0], len(b.rows)+1)
		for range b.rows {
			b.vals = append(b.vals, 1)
		}
	}
	b.rows = append(b.rows, uint16(row%chunkRows))
	if b.rest {
		b.vals = append(b.vals, v)
	}
}

// seal closes the open chunk.
func (b *columnBuilder) seal() {
	if len(b.rows) == 0 {
		return
	}
	var c chunk
	if len(b.rows) < listRows {
		c.list = slices.Clone(b.rows)
	} else {
		c.bits = make([]uint64, b.rows[len(b.rows)-1]>>6+1)
		for _, r := range b.rows {
			c.bits[r>>6] |= 1 << (r & 63)
		}
	}
	if b.rest {
		c.vals = compact(b.vals)
	}
	b.done.append(b.open, c, len(b.rows))
	b.rows, b.vals, b.rest = b.rows[:0], b.vals[:0], false
}

// column closes the builder and returns what it made.
func (b *columnBuilder) column() column {
	b.seal()
	done := b.done
	done.chunks = slices.Clip(done.chunks)
	*b = columnBuilder{}
	return done
}

// compact holds values in the smallest form that is exact.
func compact(vals []float64) values {
	top := 0.0
	for _, v := range vals {
		if v < 0 || v > math.MaxUint32 || v != math.Trunc(v) {
			return floats(slices.Clone(vals))
		}
		top = max(top, v)
	}
	switch {
	case top <= math.MaxUint8:
		return narrowed[uint8](vals)
	case top <= math.MaxUint16:
		return narrowed[uint16](vals)
	}
	return narrowed[uint32](vals)
}

func narrowed[T uint8 | uint16 | uint32](vals []float64) wholes[T] {
	w := make(wholes[T], len(vals))
	for i, v := range vals {
		w[i] = T(v)
	}
	return w
}
