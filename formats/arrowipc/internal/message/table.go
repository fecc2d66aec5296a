package message

import "encoding/binary"

// flat is a flatbuffer that is being read. Reading beyond it gives zeros and
// makes it bad, so that one look at the end tells whether all was well.
type flat struct {
	b   []byte
	bad bool
}

// table is one table of a flatbuffer.
type table struct {
	f   *flat
	pos int
}

// rootOf returns the table that the flatbuffer is about.
func rootOf(f *flat) table { return table{f, f.at32(0)} }

func (f *flat) bytes(i, n int) []byte {
	if i < 0 || n < 0 || i > len(f.b)-n {
		f.bad = true
		return nil
	}
	return f.b[i : i+n]
}

func (f *flat) u8(i int) byte {
	if b := f.bytes(i, 1); b != nil {
		return b[0]
	}
	return 0
}

func (f *flat) u16(i int) int {
	if b := f.bytes(i, 2); b != nil {
		return int(binary.LittleEndian.Uint16(b))
	}
	return 0
}

func (f *flat) i32(i int) int32 {
	if b := f.bytes(i, 4); b != nil {
		return int32(binary.LittleEndian.Uint32(b))
	}
	return 0
}

func (f *flat) i64(i int) int64 {
	if b := f.bytes(i, 8); b != nil {
		return int64(binary.LittleEndian.Uint64(b))
	}
	return 0
}

// at32 follows the offset at i.
func (f *flat) at32(i int) int {
	b := f.bytes(i, 4)
	if b == nil {
		return len(f.b)
	}
	return i + int(binary.LittleEndian.Uint32(b))
}

// slot returns where the value of a field stands, and 0 when the table does not
// have it.
func (t table) slot(field int) int {
	f := t.f
	vtable := t.pos - int(f.i32(t.pos))
	size := f.u16(vtable)
	if at := 4 + 2*field; at < size {
		if offset := f.u16(vtable + at); offset != 0 {
			return t.pos + offset
		}
	}
	return 0
}

func (t table) u8(field int) byte {
	if i := t.slot(field); i != 0 {
		return t.f.u8(i)
	}
	return 0
}

func (t table) i16(field int) int {
	if i := t.slot(field); i != 0 {
		return int(int16(t.f.u16(i)))
	}
	return 0
}

func (t table) i64(field int) int64 {
	if i := t.slot(field); i != 0 {
		return t.f.i64(i)
	}
	return 0
}

// table returns the table a field holds.
func (t table) table(field int) (sub table, ok bool) {
	i := t.slot(field)
	if i == 0 {
		return table{}, false
	}
	return table{t.f, t.f.at32(i)}, true
}

// vector returns where the elements of a field stand and how many there are. It
// has none when they would not fit into the flatbuffer.
func (t table) vector(field, elementSize int) (start, n int) {
	i := t.slot(field)
	if i == 0 {
		return 0, 0
	}
	i = t.f.at32(i)
	n = int(uint32(t.f.i32(i)))
	if t.f.bytes(i+4, n*elementSize) == nil {
		return 0, 0
	}
	return i + 4, n
}

// tables calls do with each table of a vector, until the flatbuffer is bad.
func (t table) tables(field int, do func(table)) {
	start, n := t.vector(field, 4)
	for i := 0; i < n && !t.f.bad; i++ {
		do(table{t.f, t.f.at32(start + 4*i)})
	}
}

func (t table) text(field int) string {
	start, n := t.vector(field, 1)
	return string(t.f.bytes(start, n))
}
