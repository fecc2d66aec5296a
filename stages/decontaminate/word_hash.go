package decontaminate

import "encoding/binary"

// The hash of a word is made of its normalised bytes, eight at a time in the
// order of the text, the last ones with zeros behind them: no word holds a zero
// byte, so that words and sequences of chunks are one to one.
const (
	wordSeed = 0x243f6a8885a308d3
	chunkMul = 0x9e3779b97f4a7c15
	wordMul  = 0xd6e8feb86659fd93
)

func addChunk(h, chunk uint64) uint64 {
	h = (h ^ chunk) * chunkMul
	return h ^ h>>32
}

func finishWord(h uint64) uint64 {
	h *= wordMul
	return h ^ h>>29
}

// hashWord hashes one normalised word the plain way.
func hashWord(word []byte) uint64 {
	h := uint64(wordSeed)
	for len(word) >= 8 {
		h = addChunk(h, binary.LittleEndian.Uint64(word))
		word = word[8:]
	}
	if len(word) > 0 {
		var last [8]byte
		copy(last[:], word)
		h = addChunk(h, binary.LittleEndian.Uint64(last[:]))
	}
	return finishWord(h)
}

// A text is hashed once, into the hashes of all its beginnings: prefixes[k] is
// the polynomial of its first k words, so that the hash of the n words from i on
// is prefixes[i+n] - prefixes[i]*power(n), for any n and in any order.
const polyBase = 0x5851f42d4c957f2d

// power is polyBase to the n.
func power(n int) uint64 {
	p := uint64(1)
	for range n {
		p *= polyBase
	}
	return p
}

// gramHash is the hash of the n words from i on, given power(n).
func gramHash(prefixes []uint64, i, n int, powerN uint64) uint64 {
	return prefixes[i+n] - prefixes[i]*powerN
}

// wordHashAt recovers the hash of word i.
func wordHashAt(prefixes []uint64, i int) uint64 {
	return prefixes[i+1] - prefixes[i]*polyBase
}
