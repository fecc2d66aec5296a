package hackscan

import (
	"encoding/binary"
	"math/bits"
	"slices"
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
	letter                  // a-z and _: in runs, a lone one is no token
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

// appendTerms appends the terms of lowered[from:to] that occur there, again and
// again where they do. [text.Tokens] says which tokens those are; this is its
// fast form. tail bytes must follow to.
func appendTerms(dst []term, lowered []byte, from, to int, salt uint64) []term {
	// There are no more tokens than bytes, and no more pairs than tokens.
	n := len(dst)
	most := n + 2*(to-from)
	if most > cap(dst) {
		dst = slices.Grow(dst, max(most-n, cap(dst))) // pages are large and soon as large as they get
	}
	dst = dst[:most]
	var before term // the token before
	for i := from; i < to; {
		start := i
		switch kindOf[lowered[i]] {
		case blank:
			i++
			continue
		case letter:
			for i++; i < to && kindOf[lowered[i]] == letter; i++ {
			}
			if i-start == 1 {
				continue
			}
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
		token := term{hashToken(lowered, start, i) ^ salt, uint32(start), uint32(i)}
		dst[n] = token
		n++
		if before.end != 0 {
			dst[n] = term{pairHash(before.hash, token.hash), before.start, token.end}
			n++
		}
		before = token
	}
	return dst[:n]
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
