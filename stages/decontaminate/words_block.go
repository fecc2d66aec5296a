package decontaminate

import (
	"encoding/binary"
	"math/bits"
)

// blockLen is how many bytes are sorted into those of words and others at a time.
// What makes words costly is that nobody can foretell where the next one ends; in
// a block that is known of all before the first is hashed.
const blockLen = 64

// blocks appends the hashes behind the words from i on, which stands in no word,
// as long as whole blocks of ASCII follow, and returns where to go on: at the
// start of a word, or in none.
func (s *splitter) blocks(dst []uint64, b []byte, i int) ([]uint64, int) {
	p := dst[len(dst)-1]
	open, start := false, i // a word that began in the block before
	for ; i+blockLen+8 <= len(b); i += blockLen {
		block := (*[blockLen]byte)(b[i:])
		mask, other := sortBytes(block)
		if other != 0 && s.foreign(b, i, i+blockLen) >= 0 {
			break
		}
		before := mask << 1 // has the bits behind those of words
		if open {
			before |= 1
		}
		starts, ends := mask&^before, before&^mask
		if open && ends != 0 {
			p = p*polyBase + hashAt(b, start, i+bits.TrailingZeros64(ends))
			dst = append(dst, p)
			ends &= ends - 1
			open = false
		}
		for ; ends != 0; ends, starts = ends&(ends-1), starts&(starts-1) {
			p = p*polyBase + hashAt(b, i+bits.TrailingZeros64(starts), i+bits.TrailingZeros64(ends))
			dst = append(dst, p)
		}
		if starts != 0 {
			open, start = true, i+bits.TrailingZeros64(starts)
		}
	}
	if open {
		return dst, start
	}
	return dst, i
}

// sortBytes has a bit for each byte of a block that is an ASCII letter or digit,
// and some bit where one is not ASCII.
func sortBytes(block *[blockLen]byte) (words, other uint64) {
	for k := 0; k < blockLen; k += 8 {
		w := binary.LittleEndian.Uint64(block[k:])
		other |= w & highBits
		words |= wordBytes(w) >> 7 * 0x0102040810204080 >> 56 << k
	}
	return words, other
}

// hashAt hashes the word in ASCII from start to end. At least eight bytes follow
// its start.
func hashAt(b []byte, start, end int) uint64 {
	w := binary.LittleEndian.Uint64(b[start:]) | caseBits
	if n := end - start; n < 8 {
		return finishWord(addChunk(wordSeed, w&(1<<(8*n&63)-1)))
	}
	h := addChunk(wordSeed, w)
	for start += 8; start+8 <= end; start += 8 {
		h = addChunk(h, binary.LittleEndian.Uint64(b[start:])|caseBits)
	}
	if start < end {
		h = addChunk(h, (load(b, start)|caseBits)&(1<<(8*(end-start)&63)-1))
	}
	return finishWord(h)
}
