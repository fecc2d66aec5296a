package hackscan

import (
	"unicode"
	"unicode/utf8"

	"github.com/rollmill/rollmill/formats/rollout/text"
)

// counts are what the hand features count in a text (spec of gates, section
// 4.2).
type counts struct {
	length   int // code points
	words    int // pieces between white space
	digits   int // Python's digits, superscripts too
	newlines int
	punct    int // neither letters, digits and underscores nor white space
	upper    int // ASCII capitals
}

// Traits of a byte, packed so that one addition counts them all.
const (
	isNewline = 1 << (16 * iota)
	isDigit
	isPunct
	isUpper
)

var traits = func() (t [256]uint64) {
	for i := range utf8.RuneSelf {
		switch c := byte(i); {
		case c == '\n':
			t[i] = isNewline
		case c >= '0' && c <= '9':
			t[i] = isDigit
		case c >= 'A' && c <= 'Z':
			t[i] = isUpper
		case c >= 'a' && c <= 'z' || c == '_' || text.IsSpace(rune(c)):
		default:
			t[i] = isPunct
		}
	}
	return t
}()

// solid is 1 for ASCII that is no white space.
var solid = func() (t [256]uint8) {
	for i := range utf8.RuneSelf {
		if !text.IsSpace(rune(i)) {
			t[i] = 1
		}
	}
	return t
}()

// add counts a text.
func (n *counts) add(s string) {
	n.length += len(s)
	inside := uint8(0) // a word
	for i := 0; i < len(s); {
		var packed uint64
		start, words := i, 0
		for end := min(len(s), start+1<<15); i < end && s[i] < utf8.RuneSelf; i++ { // no trait counts beyond 16 bits
			c := s[i]
			packed += traits[c]
			now := solid[c]
			words += int(now &^ inside)
			inside = now
		}
		n.words += words
		n.newlines += int(packed & 0xffff)
		n.digits += int(packed / isDigit & 0xffff)
		n.punct += int(packed / isPunct & 0xffff)
		n.upper += int(packed / isUpper)
		for i < len(s) && s[i] >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(s[i:])
			i += size
			n.length -= size - 1
			if unicode.IsSpace(r) {
				inside = 0
				continue
			}
			n.words += int(1 &^ inside)
			inside = 1
			switch {
			case unicode.IsDigit(r) || unicode.Is(digitForms, r):
				n.digits++
			case !unicode.IsLetter(r) && !unicode.IsNumber(r):
				n.punct++
			}
		}
	}
}

// digitForms are the characters that Unicode calls digits though they are no
// decimal ones: superscripts, circled digits and their like.
var digitForms = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0xb2, Hi: 0xb3, Stride: 1}, {Lo: 0xb9, Hi: 0xb9, Stride: 1}, {Lo: 0x1369, Hi: 0x1371, Stride: 1},
		{Lo: 0x19da, Hi: 0x19da, Stride: 1}, {Lo: 0x2070, Hi: 0x2070, Stride: 1}, {Lo: 0x2074, Hi: 0x2079, Stride: 1},
		{Lo: 0x2080, Hi: 0x2089, Stride: 1}, {Lo: 0x2460, Hi: 0x2468, Stride: 1}, {Lo: 0x2474, Hi: 0x247c, Stride: 1},
		{Lo: 0x2488, Hi: 0x2490, Stride: 1}, {Lo: 0x24ea, Hi: 0x24ea, Stride: 1}, {Lo: 0x24f5, Hi: 0x24fd, Stride: 1},
		{Lo: 0x24ff, Hi: 0x24ff, Stride: 1}, {Lo: 0x2776, Hi: 0x277e, Stride: 1}, {Lo: 0x2780, Hi: 0x2788, Stride: 1},
		{Lo: 0x278a, Hi: 0x2792, Stride: 1},
	},
	R32: []unicode.Range32{
		{Lo: 0x10a40, Hi: 0x10a43, Stride: 1}, {Lo: 0x10e60, Hi: 0x10e68, Stride: 1},
		{Lo: 0x11052, Hi: 0x1105a, Stride: 1}, {Lo: 0x1f100, Hi: 0x1f10a, Stride: 1},
	},
	LatinOffset: 2,
}
