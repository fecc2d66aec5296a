package text

import (
	"encoding/binary"
	"math/bits"
	"strings"
	"unsafe"
)

const (
	shortText = 64 // up to which strings.Index compares at every offset at once
	patience  = 8  // bytes of text for each pair that turns out to be no hit
)

// Index returns the offset of the first of the places in s where word stands, or -1, as
// strings.Index does. That one looks for the first byte of a word, which in a page of
// prose stands a hundred times; this one looks for the two neighbours in the word
// that are rarest in prose, 32 offsets at a time.
func Index(s, word string) int {
	if len(word) < 2 || len(s) <= shortText {
		return strings.Index(s, word)
	}
	at := rarest(word)
	first, second := ones*uint64(word[at]), ones*uint64(word[at+1])
	b := unsafe.Slice(unsafe.StringData(s), len(s))
	last := len(s) - len(word) // offset at which the word may stand at most
	i, missed := 0, 0          // i is the offset of a word, i+at that of its pair
	for i+at+33 <= len(b) {
		c := b[i+at : i+at+33]
		m := [4]uint64{
			(binary.LittleEndian.Uint64(c) ^ first) | (binary.LittleEndian.Uint64(c[1:]) ^ second),
			(binary.LittleEndian.Uint64(c[8:]) ^ first) | (binary.LittleEndian.Uint64(c[9:]) ^ second),
			(binary.LittleEndian.Uint64(c[16:]) ^ first) | (binary.LittleEndian.Uint64(c[17:]) ^ second),
			(binary.LittleEndian.Uint64(c[24:]) ^ first) | (binary.LittleEndian.Uint64(c[25:]) ^ second),
		}
		// The high bit of each byte that is zero, and of some above one that is.
		m[0], m[1], m[2], m[3] = (m[0]-ones)&^m[0], (m[1]-ones)&^m[1], (m[2]-ones)&^m[2], (m[3]-ones)&^m[3]
		if (m[0]|m[1]|m[2]|m[3])&highs == 0 {
			i += 32
			continue
		}
		for _, m := range m {
			for m &= highs; m != 0; m &= m - 1 {
				k := i + bits.TrailingZeros64(m)>>3
				if k <= last && s[k:k+len(word)] == word {
					return k
				}
				missed++
			}
			i += 8
		}
		if missed > 16 && missed*patience > i {
			break
		}
	}
	if i > last {
		return -1
	}
	if k := strings.Index(s[i:], word); k >= 0 {
		return i + k
	}
	return -1
}

// Contains reports whether word stands in s; see [Index].
func Contains(s, word string) bool { return Index(s, word) >= 0 }

// rarest returns the offset of the two bytes of a word that are rarest side by side, by how
// rare each is.
func rarest(word string) (at int) {
	most := -1
	for i := range len(word) - 1 {
		if r := int(rarity[word[i]]) + int(rarity[word[i+1]]); r > most {
			at, most = i, r
		}
	}
	return at
}

// rarity says how rare a byte is in prose: the space is the most frequent one, then come the
// letters, in either case, then all else.
var rarity = func() (t [256]uint8) {
	const frequent = " etaoinshrdlcumwfgypbvkjxqz"
	for i := range t {
		t[i] = uint8(len(frequent))
	}
	for i, c := range []byte(frequent) {
		t[c] = uint8(i)
		if c != ' ' {
			t[c&^0x20] = uint8(i)
		}
	}
	return
}()

// IndexFold is Index for a word of small letters of ASCII, which may stand in s in either case.
func IndexFold(s, word string) int {
	if len(word) < 2 {
		return plainIndexFold(s, word)
	}
	const cases = ones * 0x20
	at := rarest(word)
	first, second := ones*uint64(word[at]), ones*uint64(word[at+1])
	b := unsafe.Slice(unsafe.StringData(s), len(s))
	last := len(s) - len(word)
	i := 0
	for ; i+at+9 <= len(b); i += 8 {
		c := b[i+at : i+at+9]
		x := (binary.LittleEndian.Uint64(c) | cases ^ first) | (binary.LittleEndian.Uint64(c[1:]) | cases ^ second)
		for x = (x - ones) &^ x & highs; x != 0; x &= x - 1 {
			k := i + bits.TrailingZeros64(x)>>3
			if k <= last && equalFold(s[k:k+len(word)], word) {
				return k
			}
		}
	}
	if i > last {
		return -1
	}
	if k := plainIndexFold(s[i:], word); k >= 0 {
		return i + k
	}
	return -1
}

func plainIndexFold(s, word string) int {
	for i := 0; i+len(word) <= len(s); i++ {
		if equalFold(s[i:i+len(word)], word) {
			return i
		}
	}
	return -1
}

// equalFold compares a text with small letters of ASCII, as many as its bytes.
func equalFold(s, word string) bool {
	for i := range len(word) {
		if c := s[i]; c != word[i] && (c-'A' >= 26 || c|0x20 != word[i]) {
			return false
		}
	}
	return true
}
