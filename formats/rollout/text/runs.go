package text

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"unsafe"
)

// A text is cut into runs 64 bytes at a time: a bit a byte says whether it
// belongs to one, and where a bit differs from the one before is an edge.

// AppendLetterRuns appends the edges of the runs of a-z and _ in a text in lower
// case: where the first begins, where it ends, where the second begins. The text
// must be shorter than 4 GiB.
func AppendLetterRuns(dst []uint32, lowered []byte) []uint32 {
	var e edges
	e.dst = dst
	for base := 0; base < len(lowered); base += blockSize {
		var rest [blockSize]byte
		block := blockAt(lowered, base, &rest)
		var set uint64
		for i := 0; i < blockSize; i += 8 {
			set |= bitsOf(letters8(binary.LittleEndian.Uint64(block[i:i+8]))) << i
		}
		e.add(base, set)
	}
	return e.end(len(lowered))
}

// AppendWordRuns appends the edges of the runs of ASCII letters, digits, _ and
// of whatever is beyond ASCII, as [AppendLetterRuns] does. ascii says that s
// holds nothing beyond.
func AppendWordRuns(dst []uint32, s string) (runs []uint32, ascii bool) {
	b := unsafe.Slice(unsafe.StringData(s), len(s))
	var e edges
	e.dst = dst
	var all uint64
	for base := 0; base < len(b); base += blockSize {
		var rest [blockSize]byte
		block := blockAt(b, base, &rest)
		var set uint64
		for i := 0; i < blockSize; i += 8 {
			x := binary.LittleEndian.Uint64(block[i : i+8])
			all |= x
			set |= bitsOf(word8(x)) << i
		}
		e.add(base, set)
	}
	return e.end(len(b)), all&highs == 0
}

const blockSize = 64

// blockAt is the block of b at base; what is behind the end is zero.
func blockAt(b []byte, base int, rest *[blockSize]byte) *[blockSize]byte {
	if len(b)-base >= blockSize {
		return (*[blockSize]byte)(b[base:])
	}
	copy(rest[:], b[base:])
	return rest
}

// edges collects the edges of runs.
type edges struct {
	dst  []uint32
	open uint64 // 1 within a run
}

// add appends the edges of the block at base, of which set has a bit for each
// byte of a run.
func (e *edges) add(base int, set uint64) {
	changes := set ^ (set<<1 | e.open)
	e.open = set >> (blockSize - 1)
	n := len(e.dst)
	e.dst = slices.Grow(e.dst, blockSize)
	room := (*[blockSize]uint32)(e.dst[n : n+blockSize])
	k := 0
	for ; changes != 0; changes &= changes - 1 {
		room[k&(blockSize-1)] = uint32(base + bits.TrailingZeros64(changes))
		k++
	}
	e.dst = e.dst[:n+k]
}

// end ends the text.
func (e *edges) end(at int) []uint32 {
	if e.open != 0 {
		e.dst = append(e.dst, uint32(at))
	}
	return e.dst
}

// The functions below look at eight bytes at once and answer in the high bit of
// each.

// within says which bytes of ASCII, their high bits cleared, are between two.
func within(x uint64, first, last byte) uint64 {
	return (x + ones*uint64(0x80-first)) &^ (x + ones*uint64(0x7f-last))
}

// underscores says which bytes, their high bits cleared, are _.
func underscores(x uint64) uint64 { return ^((x ^ ones*'_') + ones*0x7f) }

// letters8 says which bytes are a-z or _.
func letters8(x uint64) uint64 {
	a := x &^ highs
	return (within(a, 'a', 'z') | underscores(a)) & highs &^ x
}

// word8 says which bytes are ASCII letters, digits or _, or beyond ASCII.
func word8(x uint64) uint64 {
	a := x &^ highs
	return (within(a|ones*0x20, 'a', 'z')|within(a, '0', '9')|underscores(a))&highs | x&highs
}

// bitsOf gathers the high bits of eight bytes.
func bitsOf(x uint64) uint64 { return x * 0x0002040810204081 >> 56 }
