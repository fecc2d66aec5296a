package labelled

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// The edits are those that copies go through on their way into training data,
// short of a paraphrase.

var word = regexp.MustCompile(`[\pL\pN]+`)

// replaceWords replaces the words that are chosen by their number.
func (w *writer) replaceWords(s string, chosen func(n int) bool) string {
	n := -1
	return word.ReplaceAllStringFunc(s, func(old string) string {
		if n++; !chosen(n) {
			return old
		}
		for {
			if other := w.someWord(); !strings.EqualFold(other, old) {
				return other
			}
		}
	})
}

// someWord is a word from any list.
func (w *writer) someWord() string {
	return pick(w.source, pick(w.source, [][]string{things, adjectives, verbs, jobs, places, concepts, doing, animals}))
}

// oneWordChanged replaces one word.
func (w *writer) oneWordChanged(s string) string {
	at := w.intn(len(word.FindAllString(s, -1)))
	return w.replaceWords(s, func(n int) bool { return n == at })
}

// everyTenthChanged replaces every tenth word, from one of the first ten on.
func (w *writer) everyTenthChanged(s string) string {
	at := w.intn(min(10, len(word.FindAllString(s, -1))))
	return w.replaceWords(s, func(n int) bool { return n%10 == at })
}

var digits = regexp.MustCompile(`\b[0-9]+\b`)

// numeralsChanged replaces every numeral by another one.
func (w *writer) numeralsChanged(s string) string {
	return digits.ReplaceAllStringFunc(s, func(old string) string {
		high := 9
		for len(strconv.Itoa(high)) < len(old) {
			high = high*10 + 9
		}
		for {
			if other := strconv.Itoa(w.between(1, max(high, 19))); other != old {
				return other
			}
		}
	})
}

// withoutPunctuation deletes punctuation, or puts a space in its place.
func (w *writer) withoutPunctuation(s string) string {
	with := rune(-1)
	if w.percent(50) {
		with = ' '
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsPunct(r) || unicode.IsSymbol(r) {
			return with
		}
		return r
	}, s)
}

// wrapped breaks a text into lines of some width, quoted or indented now and then.
func (w *writer) wrapped(s string) string {
	width := w.between(20, 72)
	mark := pick(w.source, []string{"", "", "> ", "    ", "# "})
	var out strings.Builder
	at := 0
	for _, word := range strings.Fields(s) {
		switch {
		case at == 0:
			out.WriteString(mark)
		case at+len(word) > width:
			out.WriteString("\n" + mark)
			at = 0
		default:
			out.WriteByte(' ')
		}
		out.WriteString(word)
		at += len(word) + 1
	}
	return out.String()
}

// permuted shuffles the words of a text.
func (w *writer) permuted(s string) string {
	words := strings.Fields(s)
	shuffle(w.source, words)
	return strings.Join(words, " ")
}
