package text

import (
	"encoding/binary"
	"slices"
	"unicode/utf8"
	"unsafe"
)

// Norm returns s in lower case, cut at white space and joined by single spaces.
// Punctuation stays. It is what texts are compared by.
func Norm(s string) string {
	if isNorm(s) {
		return s
	}
	return string(AppendNorm(make([]byte, 0, len(s)+8), s))
}

// isNorm reports whether s is ASCII and Norm would change nothing.
func isNorm(s string) bool {
	space := true // two in a row, or one at an end, are too many
	for i := range len(s) {
		c := s[i]
		if c-'A' < 26 || c >= utf8.RuneSelf || spaceByte(c) && (space || c != ' ') {
			return false
		}
		space = c == ' '
	}
	return s == "" || !space
}

// AppendNorm appends the normalised text; see [Norm].
func AppendNorm(dst []byte, s string) []byte {
	start := len(dst)
	space := false // white space is due before the next character
	for i := 0; i < len(s); {
		dst, i, space = appendNormASCII(dst, s, i, start, space)
		for i < len(s) && s[i] >= utf8.RuneSelf {
			if size := spaceAt(s, i); size > 0 {
				space = len(dst) > start
				i += size
				continue
			}
			if space {
				dst = append(dst, ' ')
				space = false
			}
			var size int
			dst, size = appendLowerRune(dst, s, i)
			i += size
		}
	}
	return dst
}

// appendNormASCII appends the run of ASCII at i and returns the offset behind
// it, and whether white space is due.
func appendNormASCII(dst []byte, s string, i, start int, space bool) ([]byte, int, bool) {
	n := len(dst)
	dst = slices.Grow(dst, len(s)-i+1)
	dst = dst[:cap(dst)]
	b := unsafe.Slice(unsafe.StringData(s), len(s))
	for apart := i; i < len(s); i++ { // bytes before apart are taken one by one
		for !space && i >= apart && i+16 < len(b) {
			in, out := b[i:i+17], dst[n:n+16]
			w, x := binary.LittleEndian.Uint64(in), binary.LittleEndian.Uint64(in[8:])
			if !joined(w, x, uint64(in[16])) || n == start && in[0] == ' ' {
				apart = i + 8
				break
			}
			binary.LittleEndian.PutUint64(out, w|capitalsOf(w)>>2)
			binary.LittleEndian.PutUint64(out[8:], x|capitalsOf(x)>>2)
			i, n = i+16, n+16
		}
		if i == len(s) {
			break
		}
		switch c := normByte[s[i]]; c {
		case ' ':
			space = n > start
		case utf8.RuneSelf:
			return dst[:n], i, space
		default:
			if space {
				dst[n] = ' '
				n++
				space = false
			}
			dst[n] = c
			n++
		}
	}
	return dst[:n], i, space
}

// joined reports whether of sixteen bytes all are ASCII, and white space stands among them only
// as single spaces, none before a next byte that may be one: the normal form joins them as
// they are.
func joined(w, x, next uint64) bool {
	least := (w + ones*(0x80-' ')) & (x + ones*(0x80-' ')) // at least a space, of ASCII
	inW, inX := ^(w+ones*(0x80-' '-1))&highs, ^(x+ones*(0x80-' '-1))&highs
	pairs := inW&(inW<<8) | inX&(inX<<8|inW>>63<<7)
	mayBeSpace := (next-' '-1)>>63 | next>>7 // 1 for what is no more than a space, or beyond ASCII
	return (w|x|pairs|^least)&highs|inX>>63&mayBeSpace == 0
}

// normByte has the lower case of each ASCII character, ' ' for white space, and
// utf8.RuneSelf for what is beyond ASCII.
var normByte = func() (t [256]byte) {
	for i := range t {
		switch c := byte(i); {
		case c >= utf8.RuneSelf:
			t[i] = utf8.RuneSelf
		case spaceByte(c):
			t[i] = ' '
		case c-'A' < 26:
			t[i] = c | 0x20
		default:
			t[i] = c
		}
	}
	return
}()
