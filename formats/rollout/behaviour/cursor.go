package behaviour

import "github.com/rollmill/rollmill/formats/internal/jsonscan"

// cursor goes through the members of an object that starts in the text of a scanner, and
// checks what it passes: texts of a row are read and found valid in one pass.
type cursor struct {
	scan *jsonscan.Scanner
	at   int // behind the brace or the last member
	end  int // behind the object, once it was passed; -1 for text that is no JSON
	any  bool

	name, value string // the member: its name decoded, its value as JSON text
}

// membersAt returns a cursor at the object whose brace is at i.
func membersAt(s *jsonscan.Scanner, i int) cursor { return cursor{scan: s, at: i + 1, end: -1} }

// next goes on to the next member, if there is one.
func (c *cursor) next() bool {
	s := c.scan
	i := s.Space(c.at)
	switch {
	case i >= len(s.Buf):
		return false
	case s.Buf[i] == '}':
		c.end = i + 1
		return false
	case c.any && s.Buf[i] != ',':
		return false
	case c.any:
		i = s.Space(i + 1)
	}
	nameEnd, value, plain := s.Name(i)
	if nameEnd < 0 {
		return false
	}
	end := s.Value(value)
	if end < 0 {
		return false
	}
	name := s.Buf[i+1 : nameEnd-1]
	if !plain {
		name, _ = jsonscan.AppendText(nil, name)
	}
	c.name, c.value, c.at, c.any = view(name), view(s.Buf[value:end]), end, true
	return true
}
