package behaviour

import (
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rollmill/rollmill/formats/internal/jsonscan"
)

// How Python spells texts and numbers (spec of gates, section 1.7).

// string appends a string, given the bytes between its quotes in JSON.
func (p *speller) string(dst, quoted []byte) []byte {
	if !p.repr {
		return appendASCII(dst, quoted)
	}
	p.text = p.text[:0]
	p.text, _ = jsonscan.AppendText(p.text, quoted)
	return appendRepr(dst, view(p.text))
}

// scalar appends a number, true, false or null.
func (p *speller) scalar(dst []byte, token string) []byte {
	switch {
	case token[0] == '-' || token[0]-'0' < 10:
		return appendNumber(dst, token, p.repr)
	case !p.repr:
		return append(dst, token...)
	}
	switch token {
	case "true":
		return append(dst, "True"...)
	case "false":
		return append(dst, "False"...)
	case "null":
		return append(dst, "None"...)
	case "NaN":
		return append(dst, "nan"...)
	}
	return append(dst, "inf"...)
}

// appendNumber appends a number: an integer with its digits, anything else as
// the shortest decimal that reads back as the same double.
func appendNumber(dst []byte, token string, repr bool) []byte {
	if strings.IndexByte(token, '.') < 0 && strings.IndexByte(token, 'e') < 0 && strings.IndexByte(token, 'E') < 0 {
		switch token {
		case "-0":
			return append(dst, '0')
		case "-Infinity":
			return appendInfinity(dst, -1, repr)
		}
		return append(dst, token...)
	}
	f, _ := strconv.ParseFloat(token, 64)
	if math.IsInf(f, 0) {
		return appendInfinity(dst, f, repr)
	}
	start := len(dst)
	if a := math.Abs(f); a != 0 && (a < 1e-4 || a >= 1e16) {
		return strconv.AppendFloat(dst, f, 'e', -1, 64)
	}
	dst = strconv.AppendFloat(dst, f, 'f', -1, 64)
	if strings.IndexByte(view(dst[start:]), '.') < 0 {
		dst = append(dst, ".0"...)
	}
	return dst
}

func appendInfinity(dst []byte, sign float64, repr bool) []byte {
	if sign < 0 {
		dst = append(dst, '-')
	}
	if repr {
		return append(dst, "inf"...)
	}
	return append(dst, "Infinity"...)
}

const hexDigits = "0123456789abcdef"

// appendASCII appends a JSON string as json.dumps writes it: all beyond ASCII
// escaped, by halves of a pair where it takes two, and nothing else that need
// not be. quoted is what stands between its quotes; lone surrogates stay.
func appendASCII(dst, quoted []byte) []byte {
	dst = append(dst, '"')
	for i := 0; i < len(quoted); {
		n := plainASCII(quoted[i:])
		dst = append(dst, quoted[i:i+n]...)
		if i += n; i == len(quoted) {
			break
		}
		if quoted[i] != '\\' {
			r, size := utf8.DecodeRune(quoted[i:])
			dst = appendEscape(dst, r)
			i += size
			continue
		}
		switch c := quoted[i+1]; c {
		case 'u':
			unit, _ := strconv.ParseUint(view(quoted[i+2:i+6]), 16, 16)
			dst = appendEscape(dst, rune(unit))
			i += 6
		case '/':
			dst = append(dst, '/')
			i += 2
		default:
			dst = append(dst, '\\', c)
			i += 2
		}
	}
	return append(dst, '"')
}

// appendQuoted appends a text as json.dumps writes it, see appendASCII.
func appendQuoted(dst []byte, s string) []byte {
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c < 0x7f && c != '"' && c != '\\' {
			i++
			continue
		}
		dst = append(dst, s[from:i]...)
		r, size := utf8.DecodeRuneInString(s[i:])
		dst = appendEscape(dst, r)
		i += size
		from = i
	}
	return append(append(dst, s[from:]...), '"')
}

// plainASCII returns how many bytes at the front of a string need no look.
func plainASCII(quoted []byte) int {
	for i, c := range quoted {
		if c == '\\' || c >= 0x7f {
			return i
		}
	}
	return len(quoted)
}

// appendEscape appends a character as it stands within a string of json.dumps.
func appendEscape(dst []byte, r rune) []byte {
	switch {
	case r == '"' || r == '\\':
		return append(dst, '\\', byte(r))
	case r >= ' ' && r < 0x7f:
		return append(dst, byte(r))
	case r > 0xffff:
		r -= 0x10000
		return appendUnit(appendUnit(dst, 0xd800+r>>10), 0xdc00+r&0x3ff)
	}
	if i := strings.IndexRune("\b\f\n\r\t", r); i >= 0 {
		return append(dst, '\\', "bfnrt"[i])
	}
	return appendUnit(dst, r)
}

func appendUnit(dst []byte, r rune) []byte {
	return append(dst, '\\', 'u', hexDigits[r>>12&15], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
}

// plainRepr reports whether a text is its own repr but for the quotes.
func plainRepr(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7f || c == '\\' || c == '\'' {
			return false
		}
	}
	return true
}

// appendRepr appends a text as Python's repr writes it.
func appendRepr(dst []byte, s string) []byte {
	if plainRepr(s) {
		return append(append(append(dst, '\''), s...), '\'')
	}
	quote := byte('\'')
	if strings.IndexByte(s, '\'') >= 0 && strings.IndexByte(s, '"') < 0 {
		quote = '"'
	}
	dst = append(dst, quote)
	for _, r := range s {
		switch {
		case r == rune(quote) || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r >= ' ' && r < 0x7f || r >= 0x7f && unicode.IsPrint(r):
			dst = utf8.AppendRune(dst, r)
		case r == '\n':
			dst = append(dst, `\n`...)
		case r == '\r':
			dst = append(dst, `\r`...)
		case r == '\t':
			dst = append(dst, `\t`...)
		case r < 0x100:
			dst = append(dst, '\\', 'x', hexDigits[r>>4], hexDigits[r&15])
		case r < 0x10000:
			dst = appendUnit(dst, r)
		default:
			dst = append(dst, '\\', 'U', '0', '0')
			dst = append(dst, hexDigits[r>>20&15], hexDigits[r>>16&15], hexDigits[r>>12&15], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
		}
	}
	return append(dst, quote)
}
