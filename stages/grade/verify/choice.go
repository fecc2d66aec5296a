package verify

import (
	"strings"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/grade"
)

// Choice passes the right letter of a question with the choices A to J: the one
// behind "answer is", "option is" or "choice is", else the last letter that
// stands alone. The reference begins with its letter. An answer that offers
// several letters in one breath, such as A or B, names none (spec of rows,
// section 3.2).
func Choice(o Options) *Verifier {
	return newVerifier("choice", "1", o, func(answer string, gold Reference, _ *rollout.Row) grade.Result {
		want, ok := letterOf(strings.TrimLeft(gold.Text, " \t\n(*"))
		if !ok {
			return grade.CannotJudge("the reference is no letter from A to J")
		}
		got, several := chosen(answer)
		switch {
		case several:
			return grade.Fail("several choices")
		case got == 0:
			return grade.Fail("no choice found")
		}
		return equalOrNot(got == want)
	})
}

// letterOf is the choice that a text begins with, alone or before other text.
func letterOf(text string) (letter byte, ok bool) {
	if text == "" || asciiUpper(text[0]) < 'A' || asciiUpper(text[0]) > 'J' || len(text) > 1 && isAlnum(text[1]) {
		return 0, false
	}
	return asciiUpper(text[0]), true
}

// chosen is the letter that an answer names, 0 for none. several says that it
// names more than one.
func chosen(answer string) (letter byte, several bool) {
	if i := behindPhrase(answer, &choicePhrases); i >= 0 {
		rest := strings.TrimLeft(answer[i:], " \t\n:*\"'([{$")
		if letter, ok := letterOf(rest); ok {
			return letter, offersMore(rest[1:], letter)
		}
	}
	last := -1
	for i := range len(answer) {
		if answer[i] >= 'A' && answer[i] <= 'J' && standsAlone(answer, i) {
			last = i
		}
	}
	if last < 0 {
		return 0, false
	}
	return answer[last], offeredBefore(answer[:last], answer[last])
}

// standsAlone reports whether no word goes on at either side of a byte. The
// pronoun I and the article A, which words of a sentence follow, are no choices.
func standsAlone(text string, i int) bool {
	if i > 0 && (isAlnum(text[i-1]) || text[i-1] == '\'' || text[i-1] >= 0x80) {
		return false
	}
	if i+1 == len(text) {
		return true
	}
	next := text[i+1]
	if isAlnum(next) || next == '\'' || next >= 0x80 {
		return false
	}
	sentence := (text[i] == 'I' || text[i] == 'A') && next == ' ' && i+2 < len(text) && text[i+2] >= 'a' && text[i+2] <= 'z'
	return !sentence || isLink(text[i+2:])
}

// isLink reports whether a text goes on with a word that joins choices.
func isLink(text string) bool {
	return strings.HasPrefix(text, "or ") || strings.HasPrefix(text, "and ")
}

// offersMore reports whether another letter is named right behind a choice.
func offersMore(rest string, letter byte) bool {
	trimmed := strings.TrimLeft(rest, " \t*)],/")
	linked := len(trimmed) < len(rest) && strings.ContainsAny(rest[:len(rest)-len(trimmed)], ",/")
	for _, link := range []string{"or ", "and "} {
		if t, ok := strings.CutPrefix(trimmed, link); ok {
			trimmed, linked = strings.TrimLeft(t, " *(["), true
		}
	}
	other, ok := letterOf(trimmed)
	return ok && linked && other != letter && trimmed[0] <= 'Z'
}

// offeredBefore reports whether another letter is named right before the last.
func offeredBefore(text string, letter byte) bool {
	trimmed := strings.TrimRight(text, " \t*([,/")
	linked := strings.ContainsAny(text[len(trimmed):], ",/")
	for _, link := range []string{" or", " and"} {
		if t, ok := strings.CutSuffix(trimmed, link); ok {
			trimmed, linked = strings.TrimRight(t, " *)],"), true
		}
	}
	n := len(trimmed) - 1
	return linked && n >= 0 && trimmed[n] >= 'A' && trimmed[n] <= 'J' && trimmed[n] != letter && (n == 0 || !isAlnum(trimmed[n-1]))
}

func isAlnum(c byte) bool { return c-'0' <= 9 || asciiLower(c)-'a' <= 'z'-'a' }
