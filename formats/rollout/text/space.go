package text

import (
	"encoding/binary"
	"math/bits"
	"unicode"
	"unicode/utf8"
	"unsafe"
)

// IsSpace reports whether Python's text methods take r for white space:
// Unicode's and the four separators U+001C to U+001F.
func IsSpace(r rune) bool {
	if r < utf8.RuneSelf {
		return spaceByte(byte(r))
	}
	return unicode.IsSpace(r)
}

func spaceByte(c byte) bool { return c == ' ' || c-'\t' < 5 || c-0x1c < 4 }

// spaceAt returns the length in bytes of the white space character at i, 0 when
// there is another one.
func spaceAt(s string, i int) int {
	if c := s[i]; c < utf8.RuneSelf {
		if spaceByte(c) {
			return 1
		}
		return 0
	}
	if r, size := utf8.DecodeRuneInString(s[i:]); unicode.IsSpace(r) {
		return size
	}
	return 0
}

// TrimRight returns s without the white space at its end.
func TrimRight(s string) string {
	for s != "" {
		r, size := rune(s[len(s)-1]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeLastRuneInString(s)
		}
		if !IsSpace(r) {
			break
		}
		s = s[:len(s)-size]
	}
	return s
}

// Trim returns s without the white space at its ends.
func Trim(s string) string {
	for s != "" {
		n := spaceAt(s, 0)
		if n == 0 {
			break
		}
		s = s[n:]
	}
	return TrimRight(s)
}

// CountFields returns the number of pieces that white space cuts s into.
func CountFields(s string) int { return CountFieldsUpTo(s, len(s)) }

// CountFieldsUpTo is CountFields of a text of which more than most pieces need not be told
// from most: where there are more it returns one of the numbers from most on. ASCII is read
// eight bytes at a time.
func CountFieldsUpTo(s string, most int) (n int) {
	before := uint8(1) // white space stands, or the text begins, before
	b := unsafe.Slice(unsafe.StringData(s), len(s))
	apart := 0 // bytes before it are taken one by one
	for i := 0; i < len(s) && n < most; {
		for i >= apart && i+8 <= len(b) && n < most {
			w := binary.LittleEndian.Uint64(b[i:])
			if w&highs != 0 {
				apart = i + 8
				break
			}
			spaces := spacesOf(w)
			n += bits.OnesCount64(^spaces & (spaces<<8 | uint64(before)<<7) & highs)
			before = uint8(spaces >> 63)
			i += 8
		}
		if i == len(s) || n >= most {
			break
		}
		space := fieldByte[s[i]]
		if space == maybeSpace {
			if size := spaceAt(s, i); size > 0 {
				before = 1
				i += size
				continue
			}
			space = 0
		}
		n += int(before &^ space)
		before = space
		i++
	}
	return n
}

// spacesOf has the high bit of each of eight bytes of ASCII that is white space.
func spacesOf(w uint64) uint64 {
	// A sum has the high bit where the byte is at least so large.
	blanks := (w + ones*(0x80-0x1c)) &^ (w + ones*(0x80-' '-1))
	return (blanks | (w+ones*(0x80-'\t'))&^(w+ones*(0x80-'\r'-1))) & highs
}

// maybeSpace marks the bytes that white space beyond ASCII begins with.
const maybeSpace = 2

// fieldByte has 1 for ASCII white space, 0 for what is none.
var fieldByte = func() (t [256]uint8) {
	for c := range t {
		if c < utf8.RuneSelf && spaceByte(byte(c)) {
			t[c] = 1
		}
	}
	for r := rune(utf8.RuneSelf); r <= 0xffff; r++ {
		if unicode.IsSpace(r) {
			t[string(r)[0]] = maybeSpace
		}
	}
	return
}()
