package lz4frame

import (
	"encoding/binary"
	"math/bits"
)

// Rules of the block format.
const (
	minMatch  = 4
	maxOffset = 1<<16 - 1
	lastPlain = 5  // bytes at the end of a block that no match covers
	margin    = 20 // bytes at the end of a block that no match is looked for in; the format wants 12
)

// table has the last place of six bytes, by their hash.
type table [1 << tableBits]uint32

const tableBits = 13

// hashOf hashes the first six bytes of a word.
func hashOf(w uint64) uint32 { return uint32(w << 16 * 227718039650203 >> (64 - tableBits)) }

func load32(b []byte, i int) uint32 { return binary.LittleEndian.Uint32(b[i:]) }
func load64(b []byte, i int) uint64 { return binary.LittleEndian.Uint64(b[i:]) }

// bound is how long a block of n bytes gets at most.
func bound(n int) int { return n + n/255 + 32 }

// appendBlock appends src as a block. There is room for it in dst; the table is
// empty.
func appendBlock(dst, src []byte, t *table) []byte {
	d := len(dst)
	dst = dst[:d+bound(len(src))]
	plain := 0 // what is in front of it was written
	limit := len(src) - margin
	for i := 1; i <= limit; {
		w := load64(src, i)
		at := -1
		for {
			h0, h1, h2 := hashOf(w), hashOf(w>>8), hashOf(w>>16)
			c0, c1 := int(t[h0]), int(t[h1])
			t[h0], t[h1] = uint32(i), uint32(i+1)
			if uint32(w) == load32(src, c0) && i-c0 <= maxOffset {
				at = c0
				break
			}
			c2 := int(t[h2])
			t[h2] = uint32(i + 2)
			if uint32(w>>8) == load32(src, c1) && i+1-c1 <= maxOffset {
				at = c1
				i++
				break
			}
			if uint32(w>>16) == load32(src, c2) && i+2-c2 <= maxOffset {
				at = c2
				i += 2
				break
			}
			i += (i-plain)>>6 + 4
			if i > limit {
				break
			}
			w = load64(src, i)
		}
		if at < 0 {
			break
		}
		for at > 0 && i > plain && src[at-1] == src[i-1] {
			at--
			i--
		}
		for {
			n := minMatch + same(src, at+minMatch, i+minMatch, len(src)-lastPlain)
			d = putSequence(dst, d, src, plain, i, i-at, n)
			i += n
			plain = i
			if i > limit {
				break
			}
			w = load64(src, i-2)
			t[hashOf(w)] = uint32(i - 2)
			h := hashOf(w >> 16)
			at = int(t[h])
			t[h] = uint32(i)
			if uint32(w>>16) != load32(src, at) || i-at > maxOffset {
				i++
				break
			}
		}
	}
	return dst[:putPlain(dst, d, src[plain:])]
}

// same is how many bytes from a and from b on are the same, b being in front of end.
func same(src []byte, a, b, end int) int {
	start := b
	for b+8 <= end {
		if x := load64(src, a) ^ load64(src, b); x != 0 {
			return b - start + bits.TrailingZeros64(x)>>3
		}
		a += 8
		b += 8
	}
	for b < end && src[a] == src[b] {
		a++
		b++
	}
	return b - start
}

// putSequence writes bytes of src from plain to i as they are and a match of n bytes
// behind them, and returns where it ends in dst.
func putSequence(dst []byte, d int, src []byte, plain, i, offset, n int) int {
	n -= minMatch
	token := d
	d++
	size := i - plain
	if size <= 14 { // sixteen bytes follow plain, since no match begins at the end of a block
		dst[token] = byte(size)<<4 | byte(min(n, 15))
		from, to := src[plain:plain+16], dst[d:d+18]
		binary.LittleEndian.PutUint64(to, binary.LittleEndian.Uint64(from))
		binary.LittleEndian.PutUint64(to[8:], binary.LittleEndian.Uint64(from[8:]))
		d += size
	} else {
		dst[token] = 15<<4 | byte(min(n, 15))
		d = putLength(dst, d, size-15)
		d += copy(dst[d:], src[plain:i])
	}
	binary.LittleEndian.PutUint16(dst[d:], uint16(offset))
	d += 2
	if n >= 15 {
		d = putLength(dst, d, n-15)
	}
	return d
}

// putPlain writes the last sequence, which has no match.
func putPlain(dst []byte, d int, plain []byte) int {
	dst[d] = byte(min(len(plain), 15)) << 4
	d++
	if len(plain) >= 15 {
		d = putLength(dst, d, len(plain)-15)
	}
	return d + copy(dst[d:], plain)
}

// putLength writes what the four bits of a token do not hold of a length.
func putLength(dst []byte, d, n int) int {
	for ; n >= 255; n -= 255 {
		dst[d] = 255
		d++
	}
	dst[d] = byte(n)
	return d + 1
}
