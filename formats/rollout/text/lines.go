package text

import (
	"iter"
	"unicode/utf8"
)

// Lines yields the lines of s without their ends, which are \n, \r, \r\n, \v,
// \f, U+001C to U+001E, U+0085, U+2028 and U+2029. A line end at the end of s
// begins no further line.
func Lines(s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for s != "" {
			i, size := 0, 0
			for i < len(s) {
				if size = lineEnd(s, i); size > 0 {
					break
				}
				i++
			}
			if !yield(s[:i]) {
				return
			}
			s = s[i+size:]
		}
	}
}

// lineEnd returns the length in bytes of the line end at i, 0 when there is none.
func lineEnd(s string, i int) int {
	switch c := s[i]; {
	case c >= ' ' && c < utf8.RuneSelf:
		return 0
	case c == '\r' && i+1 < len(s) && s[i+1] == '\n':
		return 2
	case c-'\n' < 4 || c-0x1c < 3:
		return 1
	case c == 0xc2 && i+1 < len(s) && s[i+1] == 0x85:
		return 2
	case c == 0xe2 && i+2 < len(s) && s[i+1] == 0x80 && s[i+2]&^1 == 0xa8:
		return 3
	}
	return 0
}

// cutLastLine returns the last line of s that is not blank, trimmed, and what
// stands before it.
func cutLastLine(s string) (before, line string) {
	s = TrimRight(s)
	for i := len(s) - 1; i >= 0; i-- {
		if lineEnd(s, i) > 0 {
			return s[:i], Trim(s[i:])
		}
	}
	return "", Trim(s)
}
