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

// lastBoxed is what the last \boxed of a text holds, braces balanced. A box that
// the end of the text cuts off is none.
func lastBoxed(text string) (inner string, ok bool) {
	const command = `\boxed`
	for from := 0; ; {
		i := strings.IndexByte(text[from:], '\\')
		if i < 0 {
			return inner, ok
		}
		from += i
		if !strings.HasPrefix(text[from:], command) {
			from++
			continue
		}
		from += len(command)
		open := from
		for open < len(text) && text[open] == ' ' {
			open++
		}
		if open < len(text) && text[open] == '{' {
			if end := closingBrace(text, open); end >= 0 {
				inner, ok = text[open+1:end], true
				from = open + 1 // a box within a box counts as the last
			}
		}
	}
}

// closingBrace is where the brace that opens at i is closed, -1 for nowhere.
// Escaped braces do not count.
func closingBrace(text string, i int) int {
	depth := 0
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
