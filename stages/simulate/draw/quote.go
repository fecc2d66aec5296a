package draw

const hexDigits = "0123456789abcdef"

// AppendQuoted appends a JSON string in ASCII as Python's dump spells it: what
// is hashed must not depend on who wrote it. A byte that is not UTF-8 counts as
// U+FFFD.
func AppendQuoted(dst []byte, s string) []byte {
	dst = append(dst, '"')
	plain := 0
	for plain < len(s) && s[plain] >= ' ' && s[plain] < 0x7F && s[plain] != '"' && s[plain] != '\\' {
		plain++
	}
	dst = append(dst, s[:plain]...)
	for _, r := range s[plain:] {
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r == '\n':
			dst = append(dst, '\\', 'n')
		case r == '\r':
			dst = append(dst, '\\', 'r')
		case r == '\t':
			dst = append(dst, '\\', 't')
		case r == '\b':
			dst = append(dst, '\\', 'b')
		case r == '\f':
			dst = append(dst, '\\', 'f')
		case r >= ' ' && r < 0x7F:
			dst = append(dst, byte(r))
		case r < 0x10000:
			dst = appendUnit(dst, r)
		default:
			r -= 0x10000
			dst = appendUnit(appendUnit(dst, 0xD800+r>>10), 0xDC00+r&0x3FF)
		}
	}
	return append(dst, '"')
}

func appendUnit(dst []byte, u rune) []byte {
	return append(dst, '\\', 'u', hexDigits[u>>12&15], hexDigits[u>>8&15], hexDigits[u>>4&15], hexDigits[u&15])
}
