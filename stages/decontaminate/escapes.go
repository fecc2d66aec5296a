package decontaminate

import (
	"sort"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// escapes reads JSON text as what it says: a word behind \n does not begin with an
// n, and \u82f9 is a character. It keeps buffers between texts.
type escapes struct {
	text   []byte
	shifts []shift
}

// shift says by how much places move, from one on in the text without escapes.
type shift struct{ from, by int }

// anyJSON is JSON with whatever names and bytes.
var anyJSON = []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}

// open returns the text of a part of a row without escapes, if it is what a
// program wrote, JSON, and has some. Else it returns the text.
// The result holds until the next text.
func (s *escapes) open(part Parts, text string) string {
	s.shifts = s.shifts[:0]
	if part != ToolArguments && part != ToolResults || !mayEscape(text) || !jsontext.Value(bytesOf(text)).IsValid(anyJSON...) {
		return text
	}
	s.text = s.text[:0]
	for i := 0; i < len(text); {
		plain := strings.IndexByte(text[i:], '\\')
		if plain < 0 {
			s.text = append(s.text, text[i:]...)
			break
		}
		s.text = append(s.text, text[i:i+plain]...)
		i += plain
		r, size := unescape(text[i:])
		s.text = utf8.AppendRune(s.text, r)
		i += size
		s.shifts = append(s.shifts, shift{len(s.text), i - len(s.text)})
	}
	return textOf(s.text)
}

// mayEscape reports whether a text looks like a JSON value with an escape.
func mayEscape(text string) bool {
	text = strings.TrimLeft(text, " \t\n\r")
	return text != "" && strings.IndexByte("{[\"", text[0]) >= 0 && strings.IndexByte(text, '\\') >= 0
}

// unescape reads the escape that valid JSON begins with, and how long it is.
func unescape(text string) (r rune, size int) {
	switch text[1] {
	case 'n', 'r', 't', 'b', 'f':
		return ' ', 2
	case 'u':
		r = hex4(text[2:])
		if utf16.IsSurrogate(r) && len(text) >= 12 && text[6] == '\\' && text[7] == 'u' {
			if both := utf16.DecodeRune(r, hex4(text[8:])); both != utf8.RuneError {
				return both, 12
			}
		}
		return r, 6 // half of a pair becomes U+FFFD
	}
	return rune(text[1]), 2
}

func hex4(text string) (r rune) {
	for _, c := range []byte(text[:4]) {
		switch {
		case c <= '9':
			c -= '0'
		default:
			c = (c | 0x20) - 'a' + 10
		}
		r = r<<4 | rune(c)
	}
	return r
}

// place is where a place of the text without escapes stands in the text.
func (s *escapes) place(at int) int {
	before := sort.Search(len(s.shifts), func(i int) bool { return s.shifts[i].from > at })
	if before == 0 {
		return at
	}
	return at + s.shifts[before-1].by
}
