package jsonwalk

import (
	"iter"
	"strings"
	"unsafe"

	"github.com/rollmill/rollmill/formats/internal/jsonscan"
)

// Members yields the members of the JSON object in text, in their order and
// with duplicates: the name decoded, the value as JSON text. Both may be parts of
// text, which must not change while they are in use. It yields nothing for any
// other value, and stops where the text is not JSON. A last value that the end
// of the text cuts off is yielded as far as it goes.
func Members(text []byte) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		s := jsonscan.Scanner{Buf: text}
		i := s.Space(0)
		if i >= len(text) || text[i] != '{' {
			return
		}
		for i = s.Space(i + 1); i < len(text) && text[i] == '"'; {
			nameEnd, value, plain := s.Name(i)
			if value < 0 || value >= len(text) {
				return
			}
			name := text[i+1 : nameEnd-1]
			if !plain {
				name, _ = jsonscan.AppendText(nil, name)
			}
			end, cut := valueEnd(&s, value)
			if end < 0 || !yield(view(name), text[value:end]) || cut {
				return
			}
			if i = s.Space(end); i >= len(text) || text[i] != ',' {
				return
			}
			i = s.Space(i + 1)
		}
	}
}

// Elements yields the elements of the JSON array in text. It treats other
// values and text that ends early as Members does.
func Elements(text []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		s := jsonscan.Scanner{Buf: text}
		i := s.Space(0)
		if i >= len(text) || text[i] != '[' {
			return
		}
		for i = s.Space(i + 1); i < len(text) && text[i] != ']'; {
			end, cut := valueEnd(&s, i)
			if end < 0 || !yield(text[i:end]) || cut {
				return
			}
			if i = s.Space(end); i >= len(text) || text[i] != ',' {
				return
			}
			i = s.Space(i + 1)
		}
	}
}

// StringMembers is Members of a text that is a string.
func StringMembers(text string) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for name, value := range Members(bytesOf(text)) {
			if !yield(name, view(value)) {
				return
			}
		}
	}
}

// StringElements is Elements of a text that is a string.
func StringElements(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for element := range Elements(bytesOf(text)) {
			if !yield(view(element)) {
				return
			}
		}
	}
}

// Text decodes the JSON string in quoted. ok is false, and text empty, when it
// is another value. A lone surrogate escape becomes U+FFFD.
func Text(quoted []byte) (text string, ok bool) {
	s := jsonscan.Scanner{Buf: quoted}
	i := s.Space(0)
	if i >= len(quoted) || quoted[i] != '"' {
		return "", false
	}
	end, plain := s.String(i)
	if end < 0 {
		return "", false
	}
	inner := quoted[i+1 : end-1]
	if !plain {
		inner, _ = jsonscan.AppendText(nil, inner)
	}
	return string(inner), true
}

// Truthy is Python's reading of the JSON value in text as a condition: null,
// false, 0, "", [] and {} are false, as is no text at all.
func Truthy(text string) bool {
	if text == "" {
		return false
	}
	switch c := text[0]; {
	case c == 'n' || c == 'f':
		return false
	case c == '"':
		return len(text) > len(`""`)
	case c == '[' || c == '{':
		return strings.Trim(text[1:], " \t\r\n]}") != ""
	case c == '-' || c-'0' < 10:
		for i := range len(text) {
			switch d := text[i]; {
			case d-'1' < 9 || d == 'I': // Infinity
				return true
			case d|0x20 == 'e':
				return false
			}
		}
		return false
	}
	return true
}

// IsCut reports whether text is not a whole JSON value because it ends early.
// What stands behind a whole value does not count.
func IsCut(text []byte) bool {
	s := jsonscan.Scanner{Buf: text}
	_, cut := valueEnd(&s, s.Space(0))
	return cut
}

// longestToken is the length of the longest token whose fault is noted where it
// starts: a pair of surrogate escapes.
const longestToken = len(`\ud83d\ude00`)

// valueEnd returns the end of the value at i, or -1 when it is not JSON. cut
// tells that the text ended within it.
func valueEnd(s *jsonscan.Scanner, i int) (end int, cut bool) {
	if end = s.Value(i); end >= 0 {
		return end, false
	}
	if s.Err.Offset > len(s.Buf)-longestToken {
		return len(s.Buf), true
	}
	return -1, false
}

func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

func bytesOf(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }
