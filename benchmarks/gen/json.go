package gen

import (
	"unicode/utf16"
	"unicode/utf8"
)

// appendString appends s as a JSON string; with ascii, everything else is escaped.
func appendString(dst []byte, s string, ascii bool) []byte {
	return appendBytes(dst, []byte(s), ascii)
}

// appendBytes is appendString for a text that is a byte slice.
func appendBytes(dst, s []byte, ascii bool) []byte {
	dst = append(dst, '"')
	start := 0 // of what is not yet copied
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if c >= ' ' && c != '"' && c != '\\' {
				i++
				continue
			}
			dst = appendControl(append(dst, s[start:i]...), c)
			i++
			start = i
			continue
		}
		if !ascii {
			i++
			continue
		}
		r, size := utf8.DecodeRune(s[i:])
		dst = append(dst, s[start:i]...)
		if hi, lo := utf16.EncodeRune(r); hi != utf8.RuneError {
			dst = appendUnit(appendUnit(dst, hi), lo)
		} else {
			dst = appendUnit(dst, r)
		}
		i += size
		start = i
	}
	return append(append(dst, s[start:]...), '"')
}

func appendControl(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\n':
		return append(dst, '\\', 'n')
	case '\t':
		return append(dst, '\\', 't')
	}
	return appendUnit(dst, rune(c))
}

// appendUnit appends one UTF-16 code unit as an escape.
func appendUnit(dst []byte, u rune) []byte {
	const hex = "0123456789abcdef"
	return append(dst, '\\', 'u', hex[u>>12&15], hex[u>>8&15], hex[u>>4&15], hex[u&15])
}
