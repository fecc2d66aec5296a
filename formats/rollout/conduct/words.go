package conduct

import (
	"encoding/binary"
	"strings"
	"unicode/utf8"
	"unsafe"

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

// readMarks finds the words of a reply that have a role, in their order. A word
// is a run of letters, numbers and underscores, in any case; a negation such as
// don't is one word. plainMarks says the same.
func (s *Scanner) readMarks(reply string) {
	marks := s.marks[:0]
	runs, ascii := text.AppendWordRuns(s.runs[:0], reply)
	for i := 0; i+1 < len(runs); i += 2 {
		start, end := int(runs[i]), int(runs[i+1])
		if !ascii && !isASCII(reply[start:end]) {
			marks = plainMarks(marks, reply, start, end) // not all of it need be word
			continue
		}
		m := mark{start: start, end: end, role: roleAt(reply, start, end)}
		if reply[end-1]|0x20 == 'n' && isNegated(reply[end:]) {
			m.end += len("'t")
			m.role |= negation(reply[start:end])
		}
		if m.role != 0 {
			marks = append(marks, m)
		}
	}
	s.marks, s.runs = marks, runs
}

// plainMarks appends the words that begin in a part of a reply and have a role,
// character by character.
func plainMarks(marks []mark, reply string, from, to int) []mark {
	for i := from; i < to; {
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

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
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

// roleAt is roleOf of a word within a reply. Most words have none, which eight
// bytes of it tell.
func roleAt(reply string, start, end int) role {
	n := end - start
	if n > longestWord || !mayHaveRole(beginning(reply, start, n)) {
		return 0
	}
	return roleOf(reply[start:end])
}

// roleOf returns the role of a word of ASCII, in any case.
func roleOf(word string) role {
	if len(word) > longestWord {
		return 0
	}
	var folded [longestWord]byte
	for i := range len(word) {
		folded[i] = word[i] | 0x20
	}
	return roles[string(folded[:len(word)])]
}

// beginning packs the first eight bytes of a word of n, in lower case, and zeros
// where it is shorter.
func beginning(s string, at, n int) (packed uint64) {
	if at+8 <= len(s) {
		packed = binary.LittleEndian.Uint64(unsafe.Slice(unsafe.StringData(s), len(s))[at:])
	} else {
		for i := len(s) - 1; i >= at; i-- {
			packed = packed<<8 | uint64(s[i])
		}
	}
	packed |= 0x2020202020202020
	if n < 8 {
		packed &= 1<<(8*n) - 1
	}
	return packed
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

// roleBits has a bit set for the beginning of each word with a role.
var roleBits = func() (set [1 << roleBitsLog / 64]uint64) {
	for word := range roles {
		bit := roleBit(beginning(word, 0, len(word)))
		set[bit>>6] |= 1 << (bit & 63)
	}
	return
}()

const roleBitsLog = 13

// roleBit mixes by a multiplication (Fibonacci hashing).
func roleBit(packed uint64) uint64 { return packed * 0x9E3779B97F4A7C15 >> (64 - roleBitsLog) }

func mayHaveRole(packed uint64) bool {
	bit := roleBit(packed)
	return roleBits[bit>>6]>>(bit&63)&1 == 1
}

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
