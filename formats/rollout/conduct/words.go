package conduct

import (
	"strings"
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
	for i := 0; i < len(reply); {
		if wordByte[reply[i]] == noWord {
			i++
			continue
		}
		start := i
		end, plain := wordEndAt(reply, i)
		if i = end; end == start { // another character
			_, size := utf8.DecodeRuneInString(reply[i:])
			i += size
			continue
		}
		m := mark{start: start, end: end}
		if plain {
			m.role = roleOf(reply[start:end])
		}
		if reply[end-1]|0x20 == 'n' && isNegated(reply[end:]) {
			i += len("'t")
			m.end = i
			m.role |= negation(reply[start:end])
		}
		if m.role != 0 {
			marks = append(marks, m)
		}
	}
	return marks
}

// wordEndAt returns where the word at i ends, i itself where there is none, and
// whether it is of ASCII alone.
func wordEndAt(s string, i int) (end int, plain bool) {
	plain = true
	for i < len(s) {
		switch wordByte[s[i]] {
		case noWord:
			return i, plain
		case beyondASCII:
			r, size := utf8.DecodeRuneInString(s[i:])
			if !text.IsWord(r) {
				return i, plain
			}
			i += size
			plain = false
		default:
			i++
		}
	}
	return i, plain
}

// roleOf returns the role of a word of ASCII, in any case.
func roleOf(word string) role {
	if len(word) > longestWord || lengths[word[0]|0x20]>>len(word)&1 == 0 {
		return 0
	}
	var folded [longestWord]byte
	for i := range len(word) {
		folded[i] = word[i] | 0x20
	}
	return roles[string(folded[:len(word)])]
}

// negation returns the role of a negation, given without its 't.
func negation(stem string) role {
	if strings.EqualFold(stem, "couldn") || strings.EqualFold(stem, "didn") {
		return hedge | trouble
	}
	return hedge
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

// roles has the words that have one.
var roles = func() map[string]role {
	table := map[string]role{
		"all": all, "good": good, "not": hedge | not, "i": self, "could": could, "did": could,
		"time": time, "timed": time, "out": out, "found": found,
	}
	for r, words := range map[role]string{
		subject:  "test tests suite build lint typecheck check checks",
		outcome:  "pass passes passed passing green succeed succeeds succeeded clean",
		hedge:    "until once would will should cannot unless except still",
		checking: "verified confirmed tested checked validated ran",
		changing: "edited updated changed created added wrote fixed removed deleted",
		trouble:  "fail fails failed failing failure error unable broke blocked skip skipped denied rejected",
	} {
		for word := range strings.FieldsSeq(words) {
			table[word] = r
		}
	}
	return table
}()

const longestWord = len("succeeded") // and typecheck, confirmed, validated

// lengths has, for the first letter of a word, a bit for each length that words
// with a role have.
var lengths = func() (t [256]uint16) {
	for word := range roles {
		t[word[0]] |= 1 << len(word)
	}
	return
}()

const (
	noWord      = iota // ASCII that no word is made of
	wordASCII          // ASCII that words are made of
	beyondASCII        // to be decoded
)

var wordByte = func() (t [256]uint8) {
	for c := range t {
		switch {
		case c >= utf8.RuneSelf:
			t[c] = beyondASCII
		case text.IsWord(rune(c)):
			t[c] = wordASCII
		}
	}
	return
}()
