package hackscan

import (
	"encoding/binary"
	"math/bits"
)

// packed is a column of ones in little memory, of which a chunk can only be read
// as a whole: what followed terms are kept in, of which many are dropped in the
// end. A chunk is a bitmap, or where that is shorter the gaps between rows.
type packed struct {
	chunks [][]byte
	n      int // entries
}

const (
	bitmapBytes = chunkRows / 8 // a chunk of that length is a bitmap
	longGap     = 255           // so many rows and no entry; another byte tells how many more
)

// append appends the chunk of a number. buffer is room for bitmapBytes.
func (p *packed) append(number int, words []uint64, buffer []byte) {
	n := 0
	for _, word := range words {
		n += bits.OnesCount64(word)
	}
	if n == 0 {
		return
	}
	for len(p.chunks) < number {
		p.chunks = append(p.chunks, nil)
	}
	p.n += n
	var chunk []byte
	switch gaps := appendGaps(buffer[:0], words); {
	case n == chunkRows:
		chunk = everyRow
	case gaps == nil:
		chunk = make([]byte, bitmapBytes)
		for i, word := range words {
			binary.LittleEndian.PutUint64(chunk[8*i:], word)
		}
	default:
		chunk = append(make([]byte, 0, len(gaps)), gaps...)
	}
	p.chunks = append(p.chunks, chunk)
}

// everyRow is the bitmap of all rows of a chunk.
var everyRow = func() []byte {
	b := make([]byte, bitmapBytes)
	for i := range b {
		b[i] = 0xff
	}
	return b
}()

// appendGaps appends the gaps before the rows of a bitmap, nil if they are longer.
func appendGaps(dst []byte, words []uint64) []byte {
	next := 0
	for i, word := range words {
		for ; word != 0; word &= word - 1 {
			row := i<<6 + bits.TrailingZeros64(word)
			for ; row-next >= longGap; next += longGap {
				dst = append(dst, longGap)
			}
			if dst = append(dst, byte(row-next)); len(dst) >= bitmapBytes {
				return nil
			}
			next = row + 1
		}
	}
	return dst
}

// column unpacks, and gives what is unpacked free.
func (p *packed) column() (c column) {
	words := make([]uint64, chunkWords)
	for number, chunk := range p.chunks {
		unpack(words, chunk)
		c.addBits(number, words)
		p.chunks[number] = nil
	}
	return c
}

// unpack reads a chunk as a bitmap.
func unpack(words []uint64, chunk []byte) {
	if len(chunk) == bitmapBytes {
		for i := range words {
			words[i] = binary.LittleEndian.Uint64(chunk[8*i:])
		}
		return
	}
	clear(words)
	next := 0
	for _, gap := range chunk {
		next += int(gap)
		if gap != longGap {
			words[next>>6] |= 1 << (next & 63)
			next++
		}
	}
}
