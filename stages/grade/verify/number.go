package verify

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// lastNumber reads the last number of a text, by a scan by hand: it is where
// most of the time of a numeric verifier goes.
//
// Thousands are grouped by commas, or by what LaTeX and typesetters write in
// their place, in groups of exactly three digits: 1,234 is one number, 12,34 are
// two. A fraction, as a/b or \frac{a}{b}, is divided; 1 1/2 is 1.5. Powers of ten
// are taken along. Digits within a word (H2O) and exponents of units (m^2) are no
// numbers, unless there is no other. Percent and currency signs carry no value.
func lastNumber(text string) (f float64, ok bool) {
	end := len(text)
	for end > 0 && text[end-1]-'0' > 9 {
		end--
	}
	if end == 0 {
		return 0, false
	}
	start := wordsBefore(text, end, lookBack)
	if f, ok = lastNumberFrom(text, start, false); !ok && start > 0 {
		f, ok = lastNumberFrom(text, 0, false)
	}
	if !ok {
		f, ok = lastNumberFrom(text, 0, true)
	}
	return f, ok
}

// lookBack is how many words before its last digit a number may begin: numbers
// are read forward, and what makes one, such as 1 1 / 2, may hold spaces.
const lookBack = 8

// wordsBefore is where so many words before a place begin.
func wordsBefore(text string, i, words int) int {
	for ; words > 0 && i > 0; words-- {
		for i > 0 && text[i-1] <= ' ' {
			i--
		}
		for i > 0 && text[i-1] > ' ' {
			i--
		}
	}
	return i
}

// lastNumberFrom reads forward and keeps the last number; inWords takes digits
// within words too.
func lastNumberFrom(text string, i int, inWords bool) (f float64, ok bool) {
	for i < len(text) {
		switch c := text[i]; {
		case c-'0' <= 9 || c == '.' && i+1 < len(text) && text[i+1]-'0' <= 9:
			n := numeral{text: text, at: i}
			n.read()
			f, ok, i = n.value, true, n.end
		case c == '\\' && isFraction(text[i:]):
			if n, end := readFraction(text, i); end > 0 {
				f, ok, i = n, true, end
			} else {
				i++
			}
		case c == '^' || c == '_':
			if i++; !inWords {
				i = skipExponent(text, i)
			}
		case asciiLower(c)-'a' <= 'z'-'a' && !inWords:
			for i < len(text) && isAlnum(text[i]) {
				i++
			}
		default:
			i++
		}
	}
	return f, ok
}

// skipExponent is where an index or exponent at i ends.
func skipExponent(text string, i int) int {
	if i < len(text) && text[i] == '{' {
		if end := closingBrace(text, i); end >= 0 {
			return end + 1
		}
	}
	if i < len(text) && (text[i] == '-' || text[i] == '+') {
		i++
	}
	for i < len(text) && text[i]-'0' <= 9 {
		i++
	}
	return i
}

// numeral reads the number that begins at a digit or a point.
type numeral struct {
	text  string
	at    int // of its first digit or point
	end   int // behind it
	value float64

	mantissa uint64
	digits   int // of the mantissa, without leading zeros
	scale    int // power of ten of the mantissa
	exact    bool
	plain    bool // digits alone
}

// read reads sign, digits, power of ten, and what makes it a fraction.
func (n *numeral) read() {
	n.decimal()
	n.power()
	n.value = n.number()
	if whole, plain := n.value, n.plain; plain && n.end+1 < len(n.text) && n.text[n.end] == ' ' && n.text[n.end+1]-'0' <= 9 {
		part := numeral{text: n.text, at: n.end + 1}
		part.decimal()
		if over, divided := part.divided(part.number()); part.plain && divided && over < 1 {
			n.value, n.end = whole+over, part.end
		}
	} else if over, divided := n.divided(n.value); divided {
		n.value = over
	}
	if isNegative(n.text, n.at) {
		n.value = -n.value
	}
}

// decimal reads the digits.
func (n *numeral) decimal() {
	i, text := n.at, n.text
	n.exact, n.plain = true, true
	for ; i < len(text) && text[i]-'0' <= 9; i++ {
		n.digit(text[i])
	}
	if whole := i - n.at; whole >= 1 && whole <= 3 && text[n.at] != '0' {
		for {
			size := separator(text[i:])
			if size == 0 || !threeDigits(text[i+size:]) {
				break
			}
			for i += size; i < len(text) && text[i]-'0' <= 9; i++ {
				n.digit(text[i])
			}
			n.plain = false
		}
	}
	if i+1 < len(text) && text[i] == '.' && text[i+1]-'0' <= 9 {
		for i++; i < len(text) && text[i]-'0' <= 9; i++ {
			n.digit(text[i])
			n.scale--
		}
		n.plain = false
	}
	n.end = i
}

// digit takes one more digit.
func (n *numeral) digit(c byte) {
	switch {
	case n.mantissa == 0 && c == '0':
	case n.digits < 19:
		n.digits++
	default: // beyond what 64 bits hold
		n.exact = false
		n.scale++
		return
	}
	n.mantissa = 10*n.mantissa + uint64(c-'0')
}

// power reads a power of ten behind the digits: e5, \times 10^{5}, × 10^5, x 10^5.
func (n *numeral) power() {
	text, i := n.text, n.end
	if i < len(text) && asciiLower(text[i]) == 'e' {
		if e, end := signedInt(text, i+1); end > 0 && (end == len(text) || !isAlnum(text[end])) {
			n.scale, n.end, n.plain = n.scale+e, end, false
		}
		return
	}
	i = skipSpaces(text, i)
	for _, times := range [...]string{`\times`, `\cdot`, "×", "·", "*", "x", "X"} {
		if !strings.HasPrefix(text[i:], times) {
			continue
		}
		if i = skipSpaces(text, i+len(times)); !strings.HasPrefix(text[i:], "10^") {
			return
		}
		i += len("10^")
		braced := i < len(text) && text[i] == '{'
		if braced {
			i++
		}
		e, end := signedInt(text, i)
		if end == 0 || braced && (end == len(text) || text[end] != '}') {
			return
		}
		if braced {
			end++
		}
		n.scale, n.end, n.plain = n.scale+e, end, false
		return
	}
}

// maxPower bounds powers of ten; what is beyond is an infinity, or zero.
const maxPower = 10_000

// signedInt reads an integer; end is 0 where there is none.
func signedInt(text string, i int) (value, end int) {
	negative := i < len(text) && text[i] == '-'
	if i < len(text) && (text[i] == '-' || text[i] == '+') {
		i++
	}
	first := i
	for ; i < len(text) && text[i]-'0' <= 9; i++ {
		value = min(10*value+int(text[i]-'0'), maxPower)
	}
	if i == first {
		return 0, 0
	}
	if negative {
		value = -value
	}
	return value, i
}

// divided divides by what stands behind a stroke. A second stroke makes it a
// date or the like, of which nothing is divided.
func (n *numeral) divided(value float64) (quotient float64, ok bool) {
	text := n.text
	i := skipSpaces(text, n.end)
	if i >= len(text) || text[i] != '/' || n.at > 0 && text[n.at-1] == '/' {
		return 0, false
	}
	if i = skipSpaces(text, i+1); i >= len(text) || text[i]-'0' > 9 {
		return 0, false
	}
	under := numeral{text: text, at: i}
	under.decimal()
	if by := under.number(); by != 0 && (under.end == len(text) || text[under.end] != '/') {
		n.end = under.end
		return value / by, true
	}
	return 0, false
}

// tens are the powers of ten that a float64 holds exactly.
var tens = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// number is the value of the digits and the power, rounded once.
func (n *numeral) number() float64 {
	if n.exact && n.mantissa < 1<<53 && n.scale > -len(tens) && n.scale < len(tens) {
		if n.scale < 0 {
			return float64(n.mantissa) / tens[-n.scale]
		}
		return float64(n.mantissa) * tens[n.scale]
	}
	var buf [32]byte
	text := strconv.AppendUint(buf[:0], n.mantissa, 10)
	text = strconv.AppendInt(append(text, 'e'), int64(n.scale), 10)
	f, _ := strconv.ParseFloat(string(text), 64) // beyond the range it is an infinity
	return f
}

// separators stand between groups of three digits. A narrow space is one, a
// plain space is not: it may stand between two numbers.
var separators = [...]string{",", "{,}", `\,`, `\!`, `,\!`, "\u00a0", "\u202f", "\u2009", "'", "\u2019"}

// separator is the length of the separator that a text begins with, 0 for none.
func separator(text string) int {
	if text == "" {
		return 0
	}
	switch c := text[0]; {
	case c == ',' && !strings.HasPrefix(text, `,\!`):
		return 1
	case c == ',', c == '{', c == '\\', c == '\'', c >= utf8.RuneSelf:
		for _, s := range separators[1:] {
			if strings.HasPrefix(text, s) {
				return len(s)
			}
		}
	}
	return 0
}

// threeDigits reports whether a text begins with exactly three digits.
func threeDigits(text string) bool {
	return len(text) >= 3 && text[0]-'0' <= 9 && text[1]-'0' <= 9 && text[2]-'0' <= 9 && (len(text) == 3 || text[3]-'0' > 9)
}

func skipSpaces(text string, i int) int {
	for i < len(text) && text[i] == ' ' {
		i++
	}
	return i
}

// isNegative reports whether a minus sign belongs to the number at i: one right
// before it, or before its currency sign, that does not join it to what is before.
func isNegative(text string, i int) bool {
	if i > 0 && text[i-1] == '$' {
		if i--; i > 0 && text[i-1] == '\\' {
			i--
		}
	}
	before := text[:i]
	switch {
	case strings.HasSuffix(before, "-"):
		before = before[:len(before)-1]
	case strings.HasSuffix(before, "\u2212"):
		before = before[:len(before)-len("\u2212")]
	default:
		return false
	}
	if before == "" {
		return true
	}
	c := before[len(before)-1]
	return !isAlnum(c) && c != ')' && c != '}' && c != ']' && c != '%' && c < utf8.RuneSelf
}

// isFraction reports whether a text begins with a fraction of LaTeX.
func isFraction(text string) bool {
	return strings.HasPrefix(text, `\frac`) || strings.HasPrefix(text, `\dfrac`) || strings.HasPrefix(text, `\tfrac`)
}

// readFraction reads \frac{a}{b} or \frac12; end is 0 where it is none of
// numbers.
func readFraction(text string, at int) (value float64, end int) {
	i := at + strings.Index(text[at:], "frac") + len("frac")
	over, i := fractionPart(text, i)
	if i == 0 {
		return 0, 0
	}
	under, i := fractionPart(text, i)
	if i == 0 || under == 0 {
		return 0, 0
	}
	value = over / under
	if isNegative(text, at) {
		value = -value
	}
	return value, i
}

// fractionPart reads one part: a number in braces, or a single digit.
func fractionPart(text string, i int) (value float64, end int) {
	if i = skipSpaces(text, i); i >= len(text) {
		return 0, 0
	}
	if text[i]-'0' <= 9 {
		return float64(text[i] - '0'), i + 1
	}
	if text[i] != '{' {
		return 0, 0
	}
	brace := closingBrace(text, i)
	if brace < 0 {
		return 0, 0
	}
	inner := text[i+1 : brace]
	if strings.ContainsRune(inner, '\\') && isFractionWithin(inner) {
		return 0, 0 // nothing nested: so that the work is bounded
	}
	value, ok := lastNumberFrom(inner, 0, true)
	if !ok {
		return 0, 0
	}
	return value, brace + 1
}

func isFractionWithin(text string) bool { return strings.Contains(text, "frac") }
