package text

import (
	"encoding/binary"
	"slices"
	"unicode"
	"unicode/utf8"
	"unsafe"
)

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

const (
	dottedI    = '\u0130' // in lower case i and a combining dot
	sigma      = '\u03a3'
	smallSigma = '\u03c3'
	finalSigma = '\u03c2'
	kelvin     = '\u212a' // in lower case k
	longS      = '\u017f' // a small letter; without case it is s
)

// Lower returns s in lower case as Python's str.lower does: by code point, but
// for the dotted capital I, which becomes two, and the capital sigma, which has
// another small form at the end of a word. It returns s itself where there is
// nothing to change.
func Lower(s string) string {
	if isLower(s) {
		return s
	}
	return string(AppendLower(make([]byte, 0, len(s)+8), s))
}

// isLower reports whether Lower would change nothing.
func isLower(s string) bool {
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			if c-'A' < 26 {
				return false
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == dottedI || lowerRune(r) != r {
			return false
		}
		i += size
	}
	return true
}

// AppendLower appends s in lower case; see [Lower].
func AppendLower(dst []byte, s string) []byte {
	for i := 0; i < len(s); {
		dst, i = appendLowerASCII(dst, s, i)
		for i < len(s) && s[i] >= utf8.RuneSelf {
			var size int
			dst, size = appendLowerRune(dst, s, i)
			i += size
		}
	}
	return dst
}

// appendLowerASCII appends the run of ASCII at i, sixteen bytes at a time, and
// returns the offset behind it.
func appendLowerASCII(dst []byte, s string, i int) ([]byte, int) {
	n := len(dst)
	dst = slices.Grow(dst, len(s)-i)
	dst = dst[:cap(dst)]
	b := unsafe.Slice(unsafe.StringData(s), len(s))
	for i+16 <= len(b) {
		in, out := b[i:i+16], dst[n:n+16]
		w, x := binary.LittleEndian.Uint64(in), binary.LittleEndian.Uint64(in[8:])
		if (w|x)&highs != 0 {
			break
		}
		binary.LittleEndian.PutUint64(out, w|capitalsOf(w)>>2)
		binary.LittleEndian.PutUint64(out[8:], x|capitalsOf(x)>>2)
		i, n = i+16, n+16
	}
	for i+8 <= len(b) {
		w := binary.LittleEndian.Uint64(b[i:])
		if w&highs != 0 {
			break
		}
		binary.LittleEndian.PutUint64(dst[n:], w|capitalsOf(w)>>2)
		i, n = i+8, n+8
	}
	for i < len(b) && b[i] < utf8.RuneSelf {
		c := b[i]
		if c-'A' < 26 {
			c |= 0x20
		}
		dst[n] = c
		i, n = i+1, n+1
	}
	return dst[:n], i
}

// capitalsOf has the high bit of each of eight bytes of ASCII that is a capital letter.
func capitalsOf(w uint64) uint64 {
	// A sum has the high bit where the byte is at least 'A', and where it is beyond
	// 'Z'; a letter is one and not the other.
	return (w + ones*(0x80-'A')) &^ (w + ones*(0x80-'Z'-1)) & highs
}

// appendLowerRune appends the character beyond ASCII at i, and tells its length
// in s. A byte that is no UTF-8 is appended as it is.
func appendLowerRune(dst []byte, s string, i int) ([]byte, int) {
	r, size := utf8.DecodeRuneInString(s[i:])
	switch {
	case size == 1:
		return append(dst, s[i]), 1
	case r == dottedI:
		return append(dst, "i\u0307"...), size
	case r == sigma && endsWord(s, i, i+size):
		return utf8.AppendRune(dst, finalSigma), size
	}
	if l := lowerRune(r); l != r {
		return utf8.AppendRune(dst, l), size
	}
	return append(dst, s[i:i+size]...), size
}

// lowerRune is unicode.ToLower without its search for the scripts of East Asia,
// which have no case.
func lowerRune(r rune) rune {
	if r >= 0x2e80 && r < 0xa640 || r >= 0xac00 && r < 0xfb00 {
		return r
	}
	return unicode.ToLower(r)
}
