package arrowipc

import (
	"unicode/utf8"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// bitmap says which values of a column are there; the zero bitmap, all of them.
type bitmap struct {
	b  []byte
	at int // of the first value
}

func validOf(a arrow.Array) bitmap {
	d := a.Data()
	if a.NullN() == 0 || d.Buffers()[0] == nil {
		return bitmap{}
	}
	return bitmap{d.Buffers()[0].Bytes(), d.Offset()}
}

func (v bitmap) has(i int) bool {
	if v.b == nil {
		return true
	}
	i += v.at
	return v.b[i>>3]>>(i&7)&1 == 1
}

// texts are the values of a column of texts, without copies.
type texts struct {
	bitmap
	ends []int32 // the first is where the first value starts
	all  string
}

func textsOf(a arrow.Array) texts {
	d := a.Data()
	b := d.Buffers()
	return texts{validOf(a), window[int32](b[1], d.Offset(), d.Len()+1), view(bytesIn(b[2]))}
}

// get returns a value, "" for null.
func (t *texts) get(i int) string {
	if !t.has(i) {
		return ""
	}
	return t.all[t.ends[i]:t.ends[i+1]]
}

// areUTF8 reports whether all values are UTF-8, each by itself.
func (t *texts) areUTF8() bool {
	if len(t.ends) == 0 {
		return true
	}
	all := t.all[t.ends[0]:t.ends[len(t.ends)-1]]
	if !utf8.ValidString(all) {
		return false
	}
	for _, end := range t.ends {
		if int(end) < len(t.all) && !utf8.RuneStart(t.all[end]) {
			return false
		}
	}
	return true
}

// numbers are the values of a column of fixed width.
type numbers[T int8 | int64 | float64] struct {
	bitmap
	values []T
}

func numbersOf[T int8 | int64 | float64](a arrow.Array) numbers[T] {
	d := a.Data()
	return numbers[T]{validOf(a), window[T](d.Buffers()[1], d.Offset(), d.Len())}
}

// lists are the places of the items of a column of lists.
type lists struct {
	bitmap
	ends []int32
}

func listsOf(a arrow.Array) lists {
	d := a.Data()
	return lists{validOf(a), window[int32](d.Buffers()[1], d.Offset(), d.Len()+1)}
}

// items returns the place of the items of a list, which has none when it is null.
func (l *lists) items(i int) (from, to int) {
	if !l.has(i) {
		return 0, 0
	}
	return int(l.ends[i]), int(l.ends[i+1])
}

// count returns how many items the lists from one to another have.
func (l *lists) count(from, to int) (n int) {
	if l.b == nil {
		return int(l.ends[to] - l.ends[from])
	}
	for i := from; i < to; i++ {
		a, b := l.items(i)
		n += b - a
	}
	return n
}

// window returns n numbers of a buffer, from the one at offset.
func window[T any](b *memory.Buffer, offset, n int) []T {
	var zero T
	size := int(unsafe.Sizeof(zero))
	raw := bytesIn(b)
	if len(raw) < size { // a column without values may have no buffer
		return make([]T, n)
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(raw))), len(raw)/size)[offset : offset+n]
}

func bytesIn(b *memory.Buffer) []byte {
	if b == nil {
		return nil
	}
	return b.Bytes()
}

// view returns b as a string without copying it. b is never changed again.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// bytesOfText is the inverse of view, for reading only.
func bytesOfText(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }
