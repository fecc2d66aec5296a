package arrowipc

import (
	"encoding/binary"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/zeebo/xxh3"
)

// sumOf returns the checksum of a column, however it is stored: of the lengths,
// nulls and buffers of all its levels, and of its dictionary.
func sumOf(d arrow.ArrayData) uint64 {
	var room [1 << 9]byte
	return xxh3.Hash(appendSums(room[:0], d))
}

func appendSums(dst []byte, d arrow.ArrayData) []byte {
	dst = binary.LittleEndian.AppendUint64(dst, uint64(d.Len()))
	dst = binary.LittleEndian.AppendUint64(dst, uint64(d.NullN()))
	if d.Len() == 0 {
		return appendInner(dst, d) // there may be offsets or not
	}
	buffers := d.Buffers()
	if n := d.NullN(); n > 0 && n < d.Len() { // else there may be a bitmap or not
		dst = appendSum(dst, bytesIn(buffers[0])[:(d.Len()+7)/8])
	}
	for _, b := range buffers[1:] {
		dst = appendSum(dst, bytesIn(b))
	}
	return appendInner(dst, d)
}

// appendInner appends the sums of what is within a column.
func appendInner(dst []byte, d arrow.ArrayData) []byte {
	for _, c := range d.Children() {
		dst = appendSums(dst, c)
	}
	if d.DataType().ID() == arrow.DICTIONARY {
		dst = appendSums(dst, d.Dictionary())
	}
	return dst
}

func appendSum(dst, data []byte) []byte {
	return binary.LittleEndian.AppendUint64(dst, xxh3.Hash(data))
}
