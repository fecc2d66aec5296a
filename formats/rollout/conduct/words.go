package conduct

import (
	"unicode/utf8"

	"github.com/rollmill/rollmill/formats/rollout/text"
)

// role is what a word of a reply can do, a bit each.
type role uint32

const (
	subject role = 1 << iota // what passes: tests and other checks
	outcome                  // that it passes
	all                      // of "all good"
	good
	hedge // takes back what the sentence says
	self  // I
	checking
	changing
	trouble // admits that something went wrong
	could   // of "could not" and "did not"
	not
	time // of "time out" and "timed out"
	out
	found // of "not found"
)

// mark is a word of a reply that has a role.
type mark struct {
	start, end int
	role       role
}

// appendMarks appends the words of a reply that have a role, in their order. A
// word is a run of letters, numbers and underscores, in any case; a negation
// such as don't is one word.
func appendMarks(marks []mark, reply string) []mark {
	var folded [longestWord]byte
	for i := 0; i < len(reply); {
		start, plain := i, true
		for i < len(reply) {
			c := reply[i]
			if c >= utf8.RuneSelf {
				r, size := utf8.DecodeRuneInString(reply[i:])
				if !text.IsWord(r) {
					break
				}
				i += size
				plain = false
				continue
			}
			if !wordByte[c] {
				break
			}
			i++
		}
		if i == start { // between words
			_, size := utf8.DecodeRuneInString(reply[i:])
			i += size
			continue
		}
		word := folded[:0]
		if n := i - start; plain && n <= longestWord {
			for j := range n {
				word = append(word, reply[start+j]|0x20)
			}
		}
		m := mark{start, i, roleOf(word)}
		if reply[i-1]|0x20 == 'n' && isNegated(reply[i:]) {
			i += len("'t")
			m.end = i
			m.role |= hedge
			if string(word) == "couldn" || string(word) == "didn" {
				m.role |= trouble
			}
		}
		if m.role != 0 {
			marks = append(marks, m)
		}
	}
	return marks
}

// isNegated reports whether what stands behind an n makes it a negation.
func isNegated(s string) bool {
	return len(s) >= 2 && s[0] == '\'' && s[1]|0x20 == 't' && !startsWord(s[2:])
}

// follows reports whether b is the word behind a, with white space between.
func follows(a, b mark, reply string) bool {
	gap := reply[a.end:b.start]
	return spaces(gap) == len(gap)
}

const longestWord = len("succeeded") // and typecheck, confirmed, validated

// roleOf returns the role of a word in lower case.
func roleOf(word []byte) role {
	switch string(word) {
	case "test", "tests", "suite", "build", "lint", "typecheck", "check", "checks":
		return subject
	case "pass", "passes", "passed", "passing", "green", "succeed", "succeeds", "succeeded", "clean":
		return outcome
	case "all":
		return all
	case "good":
		return good
	case "until", "once", "would", "will", "should", "cannot", "unless", "except", "still":
		return hedge
	case "not":
		return hedge | not
	case "i":
		return self
	case "verified", "confirmed", "tested", "checked", "validated", "ran":
		return checking
	case "edited", "updated", "changed", "created", "added", "wrote", "fixed", "removed", "deleted":
		return changing
	case "fail", "fails", "failed", "failing", "failure", "error", "unable", "broke", "blocked", "skip", "skipped", "denied", "rejected":
		return trouble
	case "could", "did":
		return could
	case "time", "timed":
		return time
	case "out":
		return out
	case "found":
		return found
	}
	return 0
}

// wordByte has the ASCII characters that words are made of.
var wordByte = func() (t [utf8.RuneSelf]bool) {
	for c := range t {
		t[c] = text.IsWord(rune(c))
	}
	return
}()
