package hackscan

import (
	"encoding/binary"
	"math/bits"
	"unicode"
	"unicode/utf8"
	"unsafe"

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
		i, inside = n.addASCII(s, i, inside)
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

// addASCII counts the whole eights of bytes of ASCII at i, which add would count
// one by one. inside is whether a word stands before, and then at the end.
func (n *counts) addASCII(s string, i int, inside uint8) (int, uint8) {
	b := unsafe.Slice(unsafe.StringData(s), len(s))
	before := uint64(inside) << 7 // what the byte before is, where the first byte stands
	for ; i+8 <= len(b); i += 8 {
		x := binary.LittleEndian.Uint64(b[i:])
		if x&highs != 0 {
			break
		}
		digits, capitals := between8(x, '0', '9'), between8(x, 'A', 'Z')
		newlines := between8(x, '\n', '\n')
		spaces := between8(x, '\t', '\r') | between8(x, 0x1c, ' ')
		plain := between8(x|ones*0x20, 'a', 'z') | between8(x, '_', '_') | digits | spaces
		solid := highs &^ spaces
		n.words += bits.OnesCount64(solid &^ (solid<<8 | before))
		before = solid >> 56
		n.digits += bits.OnesCount64(digits)
		n.upper += bits.OnesCount64(capitals)
		n.newlines += bits.OnesCount64(newlines)
		n.punct += 8 - bits.OnesCount64(plain)
	}
	return i, uint8(before >> 7)
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// between8 sets the high bit of those of eight bytes of ASCII that are between
// two.
func between8(x uint64, first, last byte) uint64 {
	return (x + ones*uint64(0x80-first)) &^ (x + ones*uint64(0x7f-last)) & highs
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
