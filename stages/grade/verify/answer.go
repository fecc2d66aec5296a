package verify

import "strings"

// finalAnswer is the part of a text that holds the answer: what the last \boxed
// holds, else what stands behind the last #### on its line, else behind "answer",
// "result" or "solution" and "is", ":" or "=" up to the end of the sentence, else
// the last line (spec of rows, section 3.3).
func finalAnswer(text string) string {
	if inner, ok := lastBoxed(text); ok {
		return inner
	}
	if i := lastMark(text); i >= 0 {
		return firstLine(text[i:])
	}
	if i := behindPhrase(text, &answerPhrases); i >= 0 {
		return firstSentence(text[i:])
	}
	return lastLine(text)
}

// lastBoxed is what the last \boxed of a text holds, braces balanced; a box within
// a box counts as the last. A box that the end of the text cuts off is none. It
// goes through the text once, however many boxes are open.
func lastBoxed(text string) (inner string, ok bool) {
	first := strings.Index(text, boxCommand)
	if first < 0 {
		return "", false
	}
	type box struct{ brace, depth int }
	var few [8]box
	open, depth, last := few[:0], 0, -1
	for i := first; i < len(text); i++ {
		switch text[i] {
		case '\\':
			if brace := braceOfBox(text[i:]); brace > 0 {
				open = append(open, box{i + brace, depth})
				i += brace - 1
			} else if braceOfBox(text[i+1:]) < 0 {
				i++ // an escaped brace does not count
			}
		case '{':
			depth++
		case '}':
			depth--
			if top := len(open) - 1; top >= 0 && open[top].depth == depth {
				if at := open[top].brace; at > last {
					last, inner, ok = at, text[at+1:i], true
				}
				open = open[:top]
			}
		}
	}
	return inner, ok
}

const boxCommand = `\boxed`

// braceOfBox is where the brace of a box stands that a text begins with, -1 for
// none.
func braceOfBox(text string) int {
	if !strings.HasPrefix(text, boxCommand) {
		return -1
	}
	i := len(boxCommand)
	for i < len(text) && text[i] == ' ' {
		i++
	}
	if i == len(text) || text[i] != '{' {
		return -1
	}
	return i
}

// maxBraces is how far off a brace of a number may be closed, so that braces that
// are never closed cost little however many there are.
const maxBraces = 1024

// closingBrace is where the brace that opens at i is closed, -1 for nowhere near.
// Escaped braces do not count.
func closingBrace(text string, i int) int {
	depth := 0
	text = text[:min(len(text), i+maxBraces)]
	for ; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// lastMark is where the text behind the last #### begins, -1 for none.
func lastMark(text string) int {
	at := -1
	for from := 0; ; {
		i := strings.IndexByte(text[from:], '#')
		if i < 0 {
			return at
		}
		from += i
		n := 0
		for from+n < len(text) && text[from+n] == '#' {
			n++
		}
		if from += n; n == 4 {
			at = from
		}
	}
}

func firstLine(text string) string {
	if i := strings.IndexByte(text, '\n'); i >= 0 {
		return text[:i]
	}
	return text
}

// firstSentence is a text up to its first line end or full stop; a point between
// digits is none.
func firstSentence(text string) string {
	text = firstLine(text)
	for i := 0; i < len(text); i++ {
		if text[i] == '.' && (i+1 == len(text) || text[i+1]-'0' > 9) {
			return text[:i]
		}
	}
	return text
}
