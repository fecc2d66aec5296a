package conduct

import (
	"strings"
	"unicode/utf8"

	"github.com/rollmill/rollmill/formats/rollout/text"
)

// pattern is a text that is looked for: a head that is found quickly, and what
// must stand before and behind it. In patterns that hold in any case all is
// lower-case and so is the text that they are held against.
type pattern struct {
	before matcher // takes the end of what stands before the head; nil: anything may
	head   string
	tail   matcher // takes the front of what stands behind the head; nil: anything may
}

// matcher returns how many bytes it takes of s, or -1 when it does not match. It
// takes as much as it can and is not asked again for less.
type matcher func(s string) int

// match finds the first text that the pattern matches.
func (p *pattern) match(s string) (start, end int, ok bool) {
	for from := 0; ; from = start + 1 {
		i := strings.Index(s[from:], p.head)
		if i < 0 {
			return 0, 0, false
		}
		start, end = from+i, from+i+len(p.head)
		before, behind := 0, 0
		if p.before != nil {
			before = p.before(s[:start])
		}
		if before >= 0 && p.tail != nil {
			behind = p.tail(s[end:])
		}
		if before >= 0 && behind >= 0 {
			return start - before, end + behind, true
		}
	}
}

// find finds a text for the first of the patterns that there is one for.
func find(patterns []pattern, s string) (start, end int, ok bool) {
	for i := range patterns {
		if start, end, ok = patterns[i].match(s); ok {
			break
		}
	}
	return start, end, ok
}

// The matchers that patterns are made of.

// seq matches one matcher behind the other.
func seq(parts ...matcher) matcher {
	return func(s string) int {
		n := 0
		for _, part := range parts {
			took := part(s[n:])
			if took < 0 {
				return -1
			}
			n += took
		}
		return n
	}
}

// oneOf matches the first of the matchers that does.
func oneOf(choices ...matcher) matcher {
	return func(s string) int {
		for _, choice := range choices {
			if n := choice(s); n >= 0 {
				return n
			}
		}
		return -1
	}
}

// lit matches a text.
func lit(want string) matcher {
	return func(s string) int {
		if strings.HasPrefix(s, want) {
			return len(want)
		}
		return -1
	}
}

// blanks matches white space, or nothing.
func blanks(s string) int {
	return len(s) - len(strings.TrimLeftFunc(s, text.IsSpace))
}

// spaces matches white space.
func spaces(s string) int {
	if n := blanks(s); n > 0 {
		return n
	}
	return -1
}

// blanksBefore matches the white space at the end.
func blanksBefore(s string) int { return len(s) - len(text.TrimRight(s)) }

// wordEnd matches nothing where no letter, number or underscore follows.
func wordEnd(s string) int {
	if startsWord(s) {
		return -1
	}
	return 0
}

// wordStart matches nothing where none of them stands before.
func wordStart(s string) int {
	if r, _ := utf8.DecodeLastRuneInString(s); text.IsWord(r) {
		return -1
	}
	return 0
}

// end matches nothing at the end of the text.
func end(s string) int {
	if s == "" {
		return 0
	}
	return -1
}

func startsWord(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return text.IsWord(r)
}

// afterBlanks matches, before the head, a text and white space behind it.
func afterBlanks(want string, least int) matcher {
	return func(s string) int {
		n := blanksBefore(s)
		if n < least || !strings.HasSuffix(s[:len(s)-n], want) {
			return -1
		}
		return n + len(want)
	}
}
