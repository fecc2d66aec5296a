package arrowipc

import (
	"math"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// The columns below are filled value by value and handed to arrow-go without a
// copy. Its builders do the same at half the speed: they check and reserve for
// each value.

// validity says which values are null. As long as none is it holds nothing.
type validity struct {
	bits  []byte
	nulls int
}

func (v *validity) reset() { v.bits, v.nulls = v.bits[:0], 0 }

// null says that value i, behind all that were null so far, is null.
func (v *validity) null(i int) {
	v.grow(i + 1)
	v.bits[i>>3] &^= 1 << (i & 7)
	v.nulls++
}

// there takes back that value i, the last one, is null.
func (v *validity) there(i int) {
	if len(v.bits) > i>>3 && v.bits[i>>3]>>(i&7)&1 == 0 {
		v.bits[i>>3] |= 1 << (i & 7)
		v.nulls--
	}
}

// grow makes room for n values, those added not being null.
func (v *validity) grow(n int) {
	for len(v.bits) < (n+7)>>3 {
		v.bits = append(v.bits, 0xff)
	}
}

// bitmap returns the buffer for n values, nil when none is null.
func (v *validity) bitmap(n int) *memory.Buffer {
	if v.nulls == 0 {
		return nil
	}
	v.grow(n)
	if n&7 != 0 {
		v.bits[n>>3] &= 1<<(n&7) - 1
	}
	return memory.NewBufferBytes(v.bits)
}

// textColumn holds texts.
type textColumn struct {
	validity
	text []byte
	ends []int32 // the first is 0
	long bool    // a text was left out, since it would have led beyond what ends can reach
}

func (c *textColumn) reset() {
	c.validity.reset()
	c.text, c.long = c.text[:0], false
	c.ends = append(c.ends[:0], 0)
}

// add adds a text.
func (c *textColumn) add(s string) {
	if len(s) > math.MaxInt32-len(c.text) {
		c.long, s = true, ""
	}
	c.text = append(c.text, s...)
	c.ends = append(c.ends, int32(len(c.text)))
}

// end adds what was appended to text since the last value.
func (c *textColumn) end() {
	if len(c.text) > math.MaxInt32 {
		c.long, c.text = true, c.text[:c.ends[len(c.ends)-1]]
	}
	c.ends = append(c.ends, int32(len(c.text)))
}

func (c *textColumn) addNull() {
	c.null(c.len())
	c.ends = append(c.ends, int32(len(c.text)))
}

// addSome adds a text, and null for none.
func (c *textColumn) addSome(s string) {
	if s == "" {
		c.addNull()
		return
	}
	c.add(s)
}

// takeBack puts value i of another column in the place of the last one.
func (c *textColumn) takeBack(from *texts, i int) {
	last := c.len() - 1
	c.ends = c.ends[:last+1]
	c.text = c.text[:c.ends[last]]
	c.there(last)
	if from.has(i) {
		c.add(from.get(i))
	} else {
		c.addNull()
	}
}

func (c *textColumn) len() int { return len(c.ends) - 1 }

func (c *textColumn) data() *array.Data {
	return array.NewData(textType, c.len(), []*memory.Buffer{c.bitmap(c.len()), memory.NewBufferBytes(bytesOf(c.ends)), memory.NewBufferBytes(c.text)}, nil, c.nulls, 0)
}

// numberColumn holds values of fixed width.
type numberColumn[T int8 | int64 | float64] struct {
	validity
	values []T
}

func (c *numberColumn[T]) reset() {
	c.validity.reset()
	c.values = c.values[:0]
}

func (c *numberColumn[T]) add(v T) { c.values = append(c.values, v) }

func (c *numberColumn[T]) addNull() {
	c.null(len(c.values))
	c.values = append(c.values, 0)
}

func (c *numberColumn[T]) data(t arrow.DataType) *array.Data {
	return array.NewData(t, len(c.values), []*memory.Buffer{c.bitmap(len(c.values)), memory.NewBufferBytes(bytesOf(c.values))}, nil, c.nulls, 0)
}

// listColumn says where the lists of a column end among their items, which
// stand elsewhere.
type listColumn struct {
	validity
	ends []int32
}

func (c *listColumn) reset() {
	c.validity.reset()
	c.ends = append(c.ends[:0], 0)
}

// add adds a list that ends before item end.
func (c *listColumn) add(end int) { c.ends = append(c.ends, int32(end)) }

func (c *listColumn) addNull() {
	c.null(c.len())
	c.ends = append(c.ends, c.ends[len(c.ends)-1])
}

func (c *listColumn) len() int { return len(c.ends) - 1 }

func (c *listColumn) data(t arrow.DataType, items *array.Data) *array.Data {
	return array.NewData(t, c.len(), []*memory.Buffer{c.bitmap(c.len()), memory.NewBufferBytes(bytesOf(c.ends))}, []arrow.ArrayData{items}, c.nulls, 0)
}

// structData wraps columns of equal length as one of structs, none of them null.
func structData(t arrow.DataType, n int, children ...arrow.ArrayData) *array.Data {
	return array.NewData(t, n, []*memory.Buffer{nil}, children, 0, 0)
}

// bytesOf returns the bytes of numbers as they are in memory. Arrow's buffers
// are in the byte order of the machine, which the schema names.
func bytesOf[T any](s []T) []byte {
	if len(s) == 0 {
		return []byte{}
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(s[0])))
}
