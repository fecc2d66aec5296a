package jsonscan

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode/utf8"
)

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// special marks, by their high bits, the bytes of w that end a run of plain
// text: quotes, backslashes and control characters. The lowest mark is exact;
// those above it may be wrong.
func special(w uint64) uint64 {
	// A quote is 0x22: with that bit flipped it falls in with the controls,
	// and the space takes its place.
	quoteOrControl := (w ^ ones*0x02) - ones*0x21
	backslash := (w ^ ones*'\\') - ones
	return (quoteOrControl | backslash) &^ w & highs
}

func load(b []byte, i int) uint64 { return binary.LittleEndian.Uint64(b[i : i+8]) }

// String passes over the string whose opening quote is at i. plain tells that
// it holds no escapes, so that its text is the bytes between the quotes.
func (s *Scanner) String(i int) (end int, plain bool) {
	b := s.Buf
	i++
	start := i
	plain = true
	var seen uint64 // high bits of all bytes: anything beyond ASCII?
	for {
		var found uint64
		i, found = plainRun(b, i)
		seen |= found
		if i >= len(b) {
			return s.fail(i, "a closing quote"), false
		}
		switch b[i] {
		case '"':
			if seen&highs != 0 && !utf8.Valid(b[start:i]) {
				return s.badUTF8(start, i), false
			}
			return i + 1, plain
		case '\\':
			plain = false
			if i = s.escape(i); i < 0 {
				return -1, false
			}
		default:
			return s.fail(i, `\n, \t or another escape for the control character`), false
		}
	}
}

// Text passes over the string whose opening quote is at i and returns its
// text: the bytes of Buf themselves when it holds no escapes, else bytes that
// it wrote to what room returns, which must have capacity for n. end is -1
// after an error. A lone surrogate escape becomes U+FFFD, and exact is false.
func (s *Scanner) Text(i int, room func(n int) []byte) (text []byte, end int, copied, exact bool) {
	start := i + 1
	i, seen := plainRun(s.Buf, start)
	if i < len(s.Buf) && s.Buf[i] == '"' {
		if seen&highs != 0 && !utf8.Valid(s.Buf[start:i]) {
			return nil, s.badUTF8(start, i), false, false
		}
		return s.Buf[start:i], i + 1, false, true
	}
	text, end, exact = s.escaped(start, i, seen, room(len(s.Buf)-start+Slack))
	return text, end, true, exact
}

// escaped goes on with a string whose first special byte is at i, copying its
// text and checking it in one pass.
func (s *Scanner) escaped(start, i int, seen uint64, dst []byte) (text []byte, end int, exact bool) {
	b := s.Buf
	dst = dst[:cap(dst)]
	n := copy(dst, b[start:i])
	exact = true
	for {
		if i >= len(b) {
			return nil, s.fail(i, "a closing quote"), false
		}
		switch b[i] {
		case '"':
			if seen&highs != 0 && !utf8.Valid(b[start:i]) {
				return nil, s.badUTF8(start, i), false
			}
			return dst[:n], i + 1, exact
		case '\\':
			next := s.escape(i)
			if next < 0 {
				return nil, -1, false
			}
			r, _ := unescape(b, i)
			i = next
			exact = exact && !isSurrogate(r)
			n += utf8.EncodeRune(dst[n:], r)
		default:
			return nil, s.fail(i, `\n, \t or another escape for the control character`), false
		}
		for i+8 <= len(b) { // copy eight bytes, and keep those before a special one
			w := load(b, i)
			binary.LittleEndian.PutUint64(dst[n:n+8], w)
			m := special(w)
			if m == 0 {
				seen |= w
				i, n = i+8, n+8
				continue
			}
			k := bits.TrailingZeros64(m) &^ 7
			seen |= w & (1<<k - 1)
			i, n = i+k>>3, n+k>>3
			break
		}
		for i < len(b) && b[i] != '"' && b[i] != '\\' && b[i] >= 0x20 {
			seen |= uint64(b[i])
			dst[n] = b[i]
			i, n = i+1, n+1
		}
	}
}

// SkipPlain returns the offset of the first quote, backslash or control
// character at or after i, or the length of b.
func SkipPlain(b []byte, i int) int {
	i, _ = plainRun(b, i)
	return i
}

// plainRun returns the offset of the first special byte at or after i, sixteen
// bytes at a time, and the bits of the bytes before it.
func plainRun(b []byte, i int) (end int, seen uint64) {
	for i+16 <= len(b) {
		w, x := load(b, i), load(b, i+8)
		if m := special(w); m != 0 {
			n := bits.TrailingZeros64(m) &^ 7
			return i + n>>3, seen | w&(1<<n-1)
		}
		if m := special(x); m != 0 {
			n := bits.TrailingZeros64(m) &^ 7
			return i + 8 + n>>3, seen | w | x&(1<<n-1)
		}
		seen |= w | x
		i += 16
	}
	for i < len(b) && b[i] != '"' && b[i] != '\\' && b[i] >= 0x20 {
		seen |= uint64(b[i])
		i++
	}
	return i, seen
}

// escape passes over the escape whose backslash is at i.
func (s *Scanner) escape(i int) int {
	b := s.Buf
	if i+1 >= len(b) {
		return s.fail(i+1, "the rest of an escape")
	}
	switch b[i+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i + 2
	case 'u':
		r := hex4(b, i+2)
		switch {
		case r < 0:
			return s.fail(min(i+2, len(b)), "four hexadecimal digits")
		case r&^0x7ff != 0xd800: // no surrogate
			return i + 6
		case r < 0xdc00 && lowSurrogate(b, i+6) >= 0:
			return i + 12
		}
		s.Lone++
		return i + 6
	}
	return s.fail(i+1, `one of "\/bfnrtu after a backslash`)
}

// lowSurrogate returns the low half of a surrogate pair escaped at i, or -1.
func lowSurrogate(b []byte, i int) rune {
	if i+6 > len(b) || b[i] != '\\' || b[i+1] != 'u' {
		return -1
	}
	if r := hex4(b, i+2); r&^0x3ff == 0xdc00 {
		return r
	}
	return -1
}

func hex4(b []byte, i int) rune {
	if i+4 > len(b) {
		return -1
	}
	var r rune
	for _, c := range b[i : i+4] {
		d := rune(hexDigit[c])
		if d > 15 {
			return -1
		}
		r = r<<4 | d
	}
	return r
}

var hexDigit = func() (t [256]byte) {
	for i := range t {
		t[i] = 0xff
	}
	for i, c := range "0123456789abcdef" {
		t[c] = byte(i)
	}
	for i, c := range "ABCDEF" {
		t[c] = byte(10 + i)
	}
	return
}()

// AppendText appends the text of a string, given the bytes between its quotes
// as String passed over them. A lone surrogate escape becomes U+FFFD, and
// exact is false then. The text is never longer than quoted; Slack more bytes
// of room in dst let it be written without growing.
func AppendText(dst, quoted []byte) (text []byte, exact bool) {
	exact = true
	n := len(dst)
	dst = slices.Grow(dst, len(quoted)+Slack)
	dst = dst[:cap(dst)]
	for i := 0; i < len(quoted); {
		if i+8 <= len(quoted) { // copy eight bytes, and keep those before a backslash
			w := load(quoted, i)
			binary.LittleEndian.PutUint64(dst[n:n+8], w)
			w ^= ones * '\\'
			m := (w - ones) &^ w & highs
			if m == 0 {
				i, n = i+8, n+8
				continue
			}
			k := bits.TrailingZeros64(m) >> 3
			i, n = i+k, n+k
		}
		if quoted[i] != '\\' {
			dst[n] = quoted[i]
			i, n = i+1, n+1
			continue
		}
		r, size := unescape(quoted, i)
		i += size
		exact = exact && !isSurrogate(r)
		n += utf8.EncodeRune(dst[n:], r) // U+FFFD for a surrogate
	}
	return dst[:n], exact
}

// Slack is how much longer than its input a buffer for AppendText should be.
const Slack = 8

func isSurrogate(r rune) bool { return r&^0x7ff == 0xd800 }

// unescape decodes the valid escape at i and tells its length. A lone
// surrogate comes back as it is.
func unescape(b []byte, i int) (r rune, size int) {
	switch c := b[i+1]; c {
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	case 'u':
		r = hex4(b, i+2)
		if r&^0x3ff == 0xd800 {
			if low := lowSurrogate(b, i+6); low >= 0 {
				return (r-0xd800)<<10 | (low - 0xdc00) + 0x10000, 12
			}
		}
		return r, 6
	default:
		return rune(c), 2
	}
}

// indexBackslash is bytes.IndexByte for strings in which the next backslash is
// most often near, where the call would cost more than the search.
func indexBackslash(b []byte) int {
	i := 0
	for ; i+8 <= len(b); i += 8 {
		w := load(b, i) ^ ones*'\\'
		if m := (w - ones) &^ w & highs; m != 0 {
			return i + bits.TrailingZeros64(m)>>3
		}
	}
	for ; i < len(b) && b[i] != '\\'; i++ {
	}
	return i
}
