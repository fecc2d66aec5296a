package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// LooksFinished reports whether a reply seems to end where its writer meant it
// to end: with closing punctuation, a closed code block, a bare number as its
// last line, or a greeting and a name (spec of gates, section 1.6).
func LooksFinished(s string) bool {
	s = TrimRight(s)
	if s == "" {
		return false
	}
	if strings.IndexByte(`.!?:)"']}`, s[len(s)-1]) >= 0 {
		return true
	}
	if strings.HasSuffix(s, fence) {
		return strings.Count(s, fence)%2 == 0
	}
	before, last := cutLastLine(s)
	if isAnswer(last) {
		return true
	}
	if signsOff(last) && CountFields(last) <= maxSignOffFields {
		return true
	}
	_, previous := cutLastLine(before)
	return previous != "" && startsName(last) && (strings.HasSuffix(previous, ",") || signsOff(previous)) &&
		CountFields(last) <= maxNameFields
}

const (
	fence            = "```"
	maxSignOffFields = 6
	maxNameFields    = 5
)

// isAnswer reports whether a line is a number and nothing else, as in
// "#### 1,234", "-$12.50" or "12%".
func isAnswer(line string) bool {
	rest := strings.TrimLeft(line, "#")
	if n := len(line) - len(rest); n != 0 {
		if n < 2 || n > 4 {
			return false
		}
		rest = strings.TrimLeftFunc(rest, IsSpace)
	}
	if rest != "" && (rest[0] == '-' || rest[0] == '+') {
		rest = rest[1:]
	}
	rest = strings.TrimPrefix(rest, "$")
	whole := skipDigits(rest, false)
	if whole == 0 {
		return false
	}
	rest = rest[skipDigits(rest, true):]
	if strings.HasPrefix(rest, ".") {
		n := skipDigits(rest[1:], false)
		if n == 0 {
			return false
		}
		rest = rest[1+n:]
	}
	return rest == "" || rest == "%"
}

// skipDigits returns how many bytes of digits s starts with, and of commas
// among them if those are allowed.
func skipDigits(s string, commas bool) int {
	for i, r := range s {
		if !(r-'0' < 10 && r >= '0' || commas && r == ',' || r >= utf8.RuneSelf && unicode.IsDigit(r)) {
			return i
		}
	}
	return len(s)
}

// signOffs are the words that letters close with. Those that begin with another
// of them, such as "best regards", need not be named.
var signOffs = []string{
	"best", "all the best", "kind regards", "warm regards", "regards", "thanks", "thank you", "many thanks",
	"cheers", "sincerely", "warmly", "yours", "take care", "talk soon",
}

// signsOff reports whether a line begins with a sign-off that ends where a word
// does. Behind dashes that is only so when a word follows at once.
func signsOff(line string) bool {
	dashes := strings.TrimLeft(line, "-")
	if len(line)-len(dashes) >= 2 {
		return startsWord(dashes)
	}
	if rest, ok := strings.CutPrefix(line, "\u2014"); ok {
		return startsWord(rest)
	}
	for _, words := range signOffs {
		if rest, ok := cutPrefixFold(line, words); ok && !startsWord(rest) {
			return true
		}
	}
	return false
}

// cutPrefixFold is strings.CutPrefix in any case; prefix is lower-case ASCII.
// As in Python's expressions the long s and the Kelvin sign count as s and k.
func cutPrefixFold(s, prefix string) (rest string, ok bool) {
	for _, want := range []byte(prefix) {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case r == rune(want) || want-'a' < 26 && r == rune(want&^0x20):
		case want == 's' && r == longS || want == 'k' && r == kelvin:
		default:
			return s, false
		}
		s = s[size:]
	}
	return s, true
}

// startsWord reports whether s starts with a letter, a number or an underscore.
func startsWord(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return IsWord(r)
}

// IsWord reports whether Python's \w takes r for part of a word: a letter, a
// number of any kind or an underscore.
func IsWord(r rune) bool {
	if r < utf8.RuneSelf {
		return r == '_' || wordByte[byte(r)] > beyondASCII
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r)
}

func startsName(line string) bool {
	r, _ := utf8.DecodeRuneInString(line)
	return r == '-' || r == '\u2014' || unicode.IsUpper(r) || unicode.Is(unicode.Other_Uppercase, r)
}
