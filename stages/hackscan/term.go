package hackscan

import (
	"encoding/binary"
	"math/bits"
	"unicode"
	"unicode/utf8"

	"github.com/rollmill/rollmill/formats/rollout/text"
)

// A term is a token or two tokens that follow each other (spec of gates, section
// 4.2). Counting knows it by a hash of 64 bits: two of a hundred million terms
// share one in 4,000 data sets, and would then be counted as one.

// term is one occurrence of a term in a text in lower case.
type term struct {
	hash       uint64
	start, end uint32 // of the piece of text that holds it
}

// tail is what must follow a text that terms are cut from, so that eight bytes
// can be read anywhere in it.
const tail = 8

// byteKind is the part that a byte of a text in lower case plays in a token.
type byteKind uint8

const (
	blank   byteKind = iota // white space
	letter                  // a-z and _: in runs, which are found otherwise; a lone one is no token
	digit                   // in runs
	single                  // a token by itself
	foreign                 // first byte of a character beyond ASCII
)

var kindOf = func() (kinds [256]byteKind) {
	for i := range kinds {
		switch c := byte(i); {
		case c >= utf8.RuneSelf:
			kinds[i] = foreign
		case c >= 'a' && c <= 'z' || c == '_':
			kinds[i] = letter
		case c >= '0' && c <= '9':
			kinds[i] = digit
		case text.IsSpace(rune(c)):
			kinds[i] = blank
		default:
			kinds[i] = single
		}
	}
	return kinds
}()

// termCutter cuts texts into terms and keeps its buffers.
type termCutter struct {
	runs  []uint32
	terms []term
}

// cut returns the terms of lowered[from:to] that occur there, again and again
// where they do, valid until the next cut. [text.Tokens] says which tokens those
// are; this is its fast form: runs of letters are found 64 bytes at a time, and
// what stands between them is a single space most often. tail bytes must follow
// to.
func (c *termCutter) cut(lowered []byte, from, to int, salt uint64) []term {
	c.runs = text.AppendLetterRuns(c.runs[:0], lowered[from:to])
	if most := 2 * (to - from); most > len(c.terms) { // no more tokens than bytes, and no more pairs than tokens
		c.terms = make([]term, max(most, 2*len(c.terms)))
	}
	dst, n := c.terms, 0
	var before term // the token before
	at := from
	for i := 0; i < len(c.runs); i += 2 {
		start, end := from+int(c.runs[i]), from+int(c.runs[i+1])
		if start-at != 1 || lowered[at] != ' ' {
			n, before = between(dst, n, before, lowered, at, start, salt)
		}
		at = end
		if end-start > 1 {
			n, before = put(dst, n, before, term{hashToken(lowered, start, end) ^ salt, uint32(start), uint32(end)})
		}
	}
	n, _ = between(dst, n, before, lowered, at, to, salt)
	return dst[:n]
}

// put appends a token, and the pair that it makes with the one before.
func put(dst []term, n int, before, token term) (int, term) {
	dst[n] = token
	n++
	if before.end != 0 {
		dst[n] = term{pairHash(before.hash, token.hash), before.start, token.end}
		n++
	}
	return n, token
}

// between appends the terms of a piece of text without letters, which ends
// where letters or the end follow.
func between(dst []term, n int, before term, lowered []byte, i, to int, salt uint64) (int, term) {
	for i < to {
		start := i
		switch kindOf[lowered[i]] {
		case blank:
			i++
			continue
		case digit:
			i = digitsFrom(lowered, i+1, to)
		case single:
			i++
		default:
			var blank bool
			if i, blank = beyondASCII(lowered, i, to); blank {
				continue
			}
		}
		n, before = put(dst, n, before, term{hashToken(lowered, start, i) ^ salt, uint32(start), uint32(i)})
	}
	return n, before
}

// digitsFrom is where the run of decimal digits ends that goes on at i.
func digitsFrom(lowered []byte, i, to int) int {
	for i < to {
		switch kindOf[lowered[i]] {
		case digit:
			i++
		case foreign:
			r, size := utf8.DecodeRune(lowered[i:to])
			if !unicode.IsDigit(r) {
				return i
			}
			i += size
		default:
			return i
		}
	}
	return i
}

// beyondASCII is where the token ends that begins with a character beyond ASCII.
func beyondASCII(lowered []byte, i, to int) (end int, blank bool) {
	r, size := utf8.DecodeRune(lowered[i:to])
	switch {
	case unicode.IsDigit(r):
		return digitsFrom(lowered, i+size, to), false
	case unicode.IsSpace(r):
		return i + size, true
	}
	return i + size, false
}

// hashToken reads eight bytes at a time.
func hashToken(b []byte, from, to int) uint64 {
	h := uint64(to-from) * golden
	for ; to-from > 8; from += 8 {
		h = fold(h^binary.LittleEndian.Uint64(b[from:]), golden)
	}
	return fold(h^binary.LittleEndian.Uint64(b[from:])<<(8*(8-(to-from))), silver)
}

func pairHash(first, second uint64) uint64 { return fold(first^golden, second^silver) }

// fold multiplies to 128 bits and joins the halves (as wyhash does; Wang Yi
// 2019): one multiplication for each eight bytes.
func fold(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	return high ^ low
}

// termText is the term in a piece of text: its one or two tokens, with a space
// between them.
func termText(dst []byte, piece []byte) []byte {
	n := len(dst)
	for token := range text.Tokens(string(piece)) {
		if len(dst) > n {
			dst = append(dst, ' ')
		}
		dst = append(dst, token...)
	}
	return dst
}
