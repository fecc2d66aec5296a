package text

import (
	"iter"
	"slices"
	"strings"
)

// Words yields the words of s: the runs of a-z and 0-9 of its lower case. All
// else parts words, accented letters too, so that a text without ASCII letters
// and digits has none.
func Words(s string) iter.Seq[string] {
	return strings.FieldsSeq(string(AppendWords(nil, s)))
}

// AppendWords appends the words of s, joined by single spaces; see [Words]. It
// appends nothing where s has none, and never more than len(s) bytes.
func AppendWords(dst []byte, s string) []byte {
	n := len(dst)
	start := n
	dst = slices.Grow(dst, len(s))
	dst = dst[:cap(dst)]
	inside := false
	for i := 0; i < len(s); {
		c, size := wordByte[s[i]], 1
		if c <= beyondASCII {
			if c == beyondASCII {
				c, size = beyond(s[i:])
			}
			if c == 0 {
				inside = false
				i += size
				continue
			}
		}
		if !inside && n > start {
			dst[n] = ' '
			n++
		}
		dst[n] = c
		n++
		i += size
		inside = size != len(dottedCapital) // whose lower case ends with an accent
	}
	return dst[:n]
}

// Of all characters beyond ASCII only these two have a lower case that begins
// with an ASCII letter.
const (
	dottedCapital = string(dottedI)
	kelvinSign    = string(kelvin)
)

// beyond returns the letter that the lower case of the first character of s
// begins with, 0 if it is not one of the two, and the length of the character.
func beyond(s string) (letter byte, size int) {
	switch {
	case strings.HasPrefix(s, kelvinSign):
		return 'k', len(kelvinSign)
	case strings.HasPrefix(s, dottedCapital):
		return 'i', len(dottedCapital)
	}
	return 0, 1
}

// beyondASCII marks the first bytes of the two characters in wordByte.
const beyondASCII = 1

// wordByte has the lower case of each ASCII letter and digit, else 0 or beyondASCII.
var wordByte = func() (t [256]byte) {
	for c := range t {
		switch {
		case c >= '0' && c <= '9' || c >= 'a' && c <= 'z':
			t[c] = byte(c)
		case c >= 'A' && c <= 'Z':
			t[c] = byte(c) | 0x20
		}
	}
	t[kelvinSign[0]], t[dottedCapital[0]] = beyondASCII, beyondASCII
	return
}()
