package jsonscan

import (
	"bytes"
	"slices"
)

// AppendCanonical appends the canonical form of the valid JSON text src:
// names sorted by their bytes, of duplicate names the last, no white space,
// strings with as few escapes as can be. Number tokens stay as they are, and
// so do lone surrogate escapes, in lower case.
func AppendCanonical(dst, src []byte) []byte {
	s := Scanner{Buf: src}
	dst, _ = s.canonical(dst, s.Space(0))
	return dst
}

type canonicalMember struct {
	name  []byte // as canonical JSON
	value int    // where it starts
}

// canonical appends the value at i and returns the offset behind it.
func (s *Scanner) canonical(dst []byte, i int) ([]byte, int) {
	switch s.Buf[i] {
	case '"':
		end := stringEnd(s.Buf, i)
		return appendCanonicalString(dst, s.Buf[i+1:end-1]), end
	case '[':
		return s.canonicalArray(dst, i)
	case '{':
		return s.canonicalObject(dst, i)
	}
	end := s.Scalar(i)
	return append(dst, s.Buf[i:end]...), end
}

func (s *Scanner) canonicalArray(dst []byte, i int) ([]byte, int) {
	dst = append(dst, '[')
	i = s.Space(i + 1)
	for first := true; s.Buf[i] != ']'; first = false {
		if s.Buf[i] == ',' {
			i = s.Space(i + 1)
		}
		if !first {
			dst = append(dst, ',')
		}
		dst, i = s.canonical(dst, i)
		i = s.Space(i)
	}
	return append(dst, ']'), i + 1
}

func (s *Scanner) canonicalObject(dst []byte, i int) ([]byte, int) {
	var members []canonicalMember
	i = s.Space(i + 1)
	for s.Buf[i] != '}' {
		if s.Buf[i] == ',' {
			i = s.Space(i + 1)
		}
		nameEnd, value, _ := s.Name(i)
		name := appendCanonicalString(nil, s.Buf[i+1:nameEnd-1])
		members = append(members, canonicalMember{name, value})
		i = s.Space(s.Value(value))
	}
	slices.SortStableFunc(members, func(a, b canonicalMember) int { return bytes.Compare(a.name, b.name) })
	dst = append(dst, '{')
	first := true
	for n, m := range members {
		if n+1 < len(members) && bytes.Equal(m.name, members[n+1].name) {
			continue // a later member of the same name wins
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(append(dst, m.name...), ':')
		dst, _ = s.canonical(dst, m.value)
	}
	return append(dst, '}'), i + 1
}

func appendCanonicalString(dst, quoted []byte) []byte {
	dst = append(dst, '"')
	for {
		n := indexBackslash(quoted)
		dst = append(dst, quoted[:n]...)
		if n == len(quoted) {
			return append(dst, '"')
		}
		r, size := unescape(quoted, n)
		if r >= 0xd800 && r < 0xe000 {
			dst = append(dst, '\\', 'u', 'd', hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
		} else {
			dst = appendEscaped(dst, string(r))
		}
		quoted = quoted[n+size:]
	}
}
