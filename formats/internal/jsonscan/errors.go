package jsonscan

import (
	"fmt"
	"unicode/utf8"
)

// Error says where and why a text is not JSON.
type Error struct {
	Offset int    // bytes from the start of the text
	Found  string // what stands there
	Want   string // what should
	UTF8   bool   // the text is not valid UTF-8
}

// Error gives the offset, what was found and what is wanted.
func (e *Error) Error() string {
	return fmt.Sprintf("byte %d: found %s, want %s", e.Offset, e.Found, e.Want)
}

// Want sets Err to what stands at i against what should, and returns -1.
func (s *Scanner) Want(i int, want string) int { return s.fail(i, want) }

func (s *Scanner) fail(i int, want string) int {
	s.Err = Error{Offset: i, Found: found(s.Buf, i), Want: want}
	return -1
}

func (s *Scanner) badUTF8(start, end int) int {
	i := start
	for i < end {
		r, n := utf8.DecodeRune(s.Buf[i:end])
		if r == utf8.RuneError && n <= 1 {
			break
		}
		i += n
	}
	s.Err = Error{Offset: i, Found: fmt.Sprintf("byte 0x%02x", s.Buf[i]), Want: "UTF-8", UTF8: true}
	return -1
}

func found(b []byte, i int) string {
	if i >= len(b) {
		return "the end of the record"
	}
	r, n := utf8.DecodeRune(b[i:])
	if r == utf8.RuneError && n <= 1 {
		return fmt.Sprintf("byte 0x%02x", b[i])
	}
	return fmt.Sprintf("%q", r)
}
