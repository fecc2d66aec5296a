package behaviour

import (
	"strings"
	"unicode/utf8"

	"github.com/rollmill/rollmill/formats/internal/jsonwalk"
	"github.com/rollmill/rollmill/formats/rollout/text"
)

// LeakFloor is from how many characters on a privileged text is sought in what
// the assistant said; shorter ones may stand there by chance.
const LeakFloor = 12

// Leak is a privileged text that the assistant said.
type Leak struct {
	Field  string `json:"field"`  // where it stands in privileged: a path with dots
	Needle string `json:"needle"` // its normal form, cut to 80 characters
}

// LeakState says what the search for leaks in a row came to.
type LeakState uint8

const (
	LeakUnchecked LeakState = iota // the row has no privileged text that is long enough
	LeakClean                      // none of them was said
	LeakFound
)

// String returns the word for the state.
func (s LeakState) String() string { return [...]string{"unchecked", "clean", "leaked"}[s] }

// maxNeedle is up to how many characters of a needle are shown.
const maxNeedle = 80

// Leak looks for the texts of reference, principle and hidden_state in
// privileged, at any depth, in what the assistant said, both in normal form
// (spec of gates, section 1.11). Texts of fewer than minLen characters do not
// count, nor do numbers and the rubric. It tells the first that was said;
// what it tells may be kept.
func (b *Reader) Leak(minLen int) (Leak, LeakState) {
	privileged := b.row.Privileged
	s := leakSearch{b: b, minLen: minLen}
	values := b.privileged(privileged)
	for i, field := range secretFields {
		b.path = append(b.path[:0], field)
		if s.within(values[i]) {
			break
		}
	}
	return s.leak, s.state
}

// secretFields are the members of privileged that may leak.
var secretFields = [...]string{"reference", "principle", "hidden_state"}

// privileged returns the values of the secret fields of an object, "" for those that it does
// not have, and none of text that is no JSON.
func (b *Reader) privileged(object string) (values [len(secretFields)]string) {
	b.scan.Reset(bytesOf(object))
	start := b.scan.Space(0)
	if start >= len(object) || object[start] != '{' {
		return values
	}
	b.scan.Depth = 1
	c := membersAt(&b.scan, start)
	for c.next() {
		for i, field := range secretFields {
			if c.name == field {
				values[i] = c.value
			}
		}
	}
	if c.end < 0 || !b.scan.End(c.end) {
		return [len(secretFields)]string{}
	}
	return values
}

// leakSearch goes through the privileged texts of a row until one was said.
type leakSearch struct {
	b        *Reader
	minLen   int
	others   string // what was said but for the final text, in lower case, once it is needed
	read     bool   // it was needed
	haystack string // all of it in normal form, once the pieces of a needle are in it
	leak     Leak
	state    LeakState
}

// within looks through a value, depth first, and reports whether a text of it
// was said. The reader's path says where the value stands.
func (s *leakSearch) within(value string) bool {
	switch {
	case strings.HasPrefix(value, `"`):
		return s.said(s.b.text.norm(s.b.text.unquote(value)))
	case strings.HasPrefix(value, "["):
		for element := range jsonwalk.StringElements(value) {
			if s.within(element) {
				return true
			}
		}
	case strings.HasPrefix(value, "{"):
		for name, element := range jsonwalk.StringMembers(value) {
			s.b.path = append(s.b.path, name)
			if s.within(element) {
				return true
			}
			s.b.path = s.b.path[:len(s.b.path)-1]
		}
	}
	return false
}

// said reports whether the needle, in normal form, was said.
func (s *leakSearch) said(needle string) bool {
	if needle == "" || utf8.RuneCountInString(needle) < s.minLen {
		return false
	}
	s.state = LeakClean
	// A piece without white space is the same in both forms and spans no two
	// texts, and the normal form costs most of a search that finds nothing.
	// The longest piece is the least likely to be there by chance.
	longest := ""
	for piece := range strings.SplitSeq(needle, " ") {
		if len(piece) > len(longest) {
			longest = piece
		}
	}
	if !s.has(longest) {
		return false
	}
	for piece := range strings.SplitSeq(needle, " ") {
		if !s.has(piece) {
			return false
		}
	}
	if s.haystack == "" {
		s.haystack = s.b.spokenNorm()
	}
	if !strings.Contains(s.haystack, needle) {
		return false
	}
	s.state = LeakFound
	s.leak = Leak{strings.Join(s.b.path, "."), strings.Clone(firstRunes(needle, maxNeedle))}
	return true
}

// has reports whether a piece of a needle, in lower case, was said.
func (s *leakSearch) has(piece string) bool {
	if text.Contains(s.b.Lowered(), piece) {
		return true
	}
	if !s.read {
		s.read = true
		s.b.scratch = s.b.appendOthers(s.b.scratch[:0], 0)
		s.others = s.b.text.lower(view(s.b.scratch))
	}
	return text.Contains(s.others, piece)
}

// spokenNorm is the normal form of all that the assistant said.
func (b *Reader) spokenNorm() string {
	return b.text.norm(b.text.keep(b.appendSpoken))
}

// firstRunes returns s cut to n characters.
func firstRunes(s string, n int) string {
	for i := range s {
		if n--; n < 0 {
			return s[:i]
		}
	}
	return s
}
