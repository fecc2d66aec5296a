package jsonscan

import (
	"math/bits"
	"unicode/utf8"
)

const hexDigits = "0123456789abcdef"

// AppendString appends text as a JSON string with as few escapes as can be.
// Bytes that are not UTF-8 become U+FFFD, so that what is written always is.
func AppendString(dst []byte, text string) []byte {
	dst = append(dst, '"')
	dst = appendEscaped(dst, text)
	return append(dst, '"')
}

func appendEscaped(dst []byte, text string) []byte {
	if !utf8.ValidString(text) {
		text = string([]rune(text))
	}
	from := 0
	for i := 0; ; {
		if i = nextEscaped(text, i); i == len(text) {
			return append(dst, text[from:]...)
		}
		dst = append(dst, text[from:i]...)
		switch c := text[i]; c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\t':
			dst = append(dst, '\\', 't')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\b':
			dst = append(dst, '\\', 'b')
		case '\f':
			dst = append(dst, '\\', 'f')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
		i++
		from = i
	}
}

// nextEscaped finds the next byte at or after i that must be escaped.
func nextEscaped(text string, i int) int {
	for ; i+8 <= len(text); i += 8 {
		if m := special(loadString(text, i)); m != 0 {
			return i + bits.TrailingZeros64(m)>>3
		}
	}
	for ; i < len(text); i++ {
		if c := text[i]; c == '"' || c == '\\' || c < 0x20 {
			break
		}
	}
	return i
}

func loadString(s string, i int) uint64 {
	s = s[i : i+8]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// AppendCompact appends the valid JSON text src without the white space
// between its tokens. Tokens stay as they are.
func AppendCompact(dst, src []byte) []byte {
	for i := 0; i < len(src); {
		switch c := src[i]; {
		case c == '"':
			end := stringEnd(src, i)
			dst = append(dst, src[i:end]...)
			i = end
		case isSpace(c):
			i++
		default:
			dst = append(dst, c)
			i++
		}
	}
	return dst
}

// stringEnd returns the offset behind the valid string that starts at i.
func stringEnd(b []byte, i int) int {
	for i++; b[i] != '"'; {
		if i+8 <= len(b) {
			if special(load(b, i)) == 0 {
				i += 8
				continue
			}
		}
		if b[i] == '\\' {
			i++
		}
		i++
	}
	return i + 1
}
