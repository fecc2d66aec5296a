package text

import (
	"iter"
	"unicode"
	"unicode/utf8"
)

// Tokens yields the tokens of a text in lower case, as the hack scan counts
// them: runs of two or more of a-z and _, runs of decimal digits of any script,
// and every other character that is neither white space nor one of those. A
// lone ASCII letter yields nothing (spec of gates, section 4.2). The tokens are
// parts of lowered.
func Tokens(lowered string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := 0; i < len(lowered); {
			kind, end := tokenAt(lowered, i)
			for kind != other && end < len(lowered) {
				next, after := tokenAt(lowered, end)
				if next != kind {
					break
				}
				end = after
			}
			if kind != blank && (kind != letters || end-i > 1) && !yield(lowered[i:end]) {
				return
			}
			i = end
		}
	}
}

type tokenKind uint8

const (
	other tokenKind = iota
	blank
	letters
	numerals
)

// tokenAt tells the kind of the character at i and where it ends.
func tokenAt(s string, i int) (kind tokenKind, end int) {
	c := s[i]
	if c < utf8.RuneSelf {
		switch {
		case c-'a' < 26 || c == '_':
			return letters, i + 1
		case c-'0' < 10:
			return numerals, i + 1
		case spaceByte(c):
			return blank, i + 1
		}
		return other, i + 1
	}
	r, size := utf8.DecodeRuneInString(s[i:])
	switch {
	case unicode.IsDigit(r):
		return numerals, i + size
	case unicode.IsSpace(r):
		return blank, i + size
	}
	return other, i + size
}
