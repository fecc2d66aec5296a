package mathequal

import "strings"

// A span is a stretch of a text that may be an answer.
type span struct {
	start, end int    // the bytes of the whole match
	text       string // the answer in it
	place      Place
	plain      bool // plain numbers and operators, not LaTeX
	percent    bool // a plain number with a percent sign or word, which is not in text
}

// boxes returns the contents of the \boxed commands of a text in the order they
// stand, nested ones as one, and of very many the last ones. A box that is never
// closed is not one.
func boxes(text string) []span {
	var found []span
	for at := startOfLast(text, "boxed", maxBoxes); at >= 0; {
		i := strings.Index(text[at:], "boxed")
		if i < 0 {
			break
		}
		i += at
		at = i + len("boxed")
		start, ok := boxCommand(text, i)
		if !ok {
			continue
		}
		content, end := boxContent(text, at)
		if end < 0 {
			continue
		}
		at = end
		for {
			inner := strings.TrimSpace(content)
			k := strings.Index(inner, "boxed")
			if k < 0 {
				break
			}
			if s, ok := boxCommand(inner, k); !ok || s != 0 {
				break
			}
			nested, e := boxContent(inner, k+len("boxed"))
			if e != len(inner) {
				break
			}
			content = nested
		}
		found = append(found, span{start: start, end: end, text: content, place: Boxed})
	}
	return found
}

// maxBoxes bounds how many boxes of a text are looked at, so that a text made of
// boxes that never close costs no more than so many passes over it.
const maxBoxes = 32

// startOfLast returns where the n-th occurrence of a word from the end stands, the
// first one of fewer, or -1 for none.
func startOfLast(text, word string, n int) int {
	at := -1
	for end := len(text); n > 0; n-- {
		i := strings.LastIndex(text[:end], word)
		if i < 0 {
			break
		}
		at, end = i, i
	}
	return at
}

// boxCommand returns where the command begins whose last letters stand at i:
// \boxed, or \beginboxed, which models make of it now and then.
func boxCommand(text string, i int) (int, bool) {
	for _, before := range []string{`\`, `\begin`} {
		if strings.HasSuffix(text[:i], before) {
			return i - len(before), true
		}
	}
	return 0, false
}

// boxContent returns what a box holds whose command ends at i, and where the box
// ends: braces that balance, or without braces the next word. end is -1 for none.
func boxContent(text string, i int) (content string, end int) {
	for i < len(text) && (text[i] == ' ' || text[i] == '\n') {
		i++
	}
	if i == len(text) {
		return "", -1
	}
	if text[i] != '{' {
		end = i
		for end < len(text) && !strings.ContainsRune(" \n$.,;", rune(text[end])) {
			end++
		}
		if end == i || !wordStart(text[i]) {
			return "", -1
		}
		return text[i:end], end
	}
	end = closingBrace(text, i)
	if end < 0 {
		return "", -1
	}
	return text[i+1 : end], end + 1
}

func wordStart(c byte) bool {
	return c >= '0' && c <= '9' || c == '-' || c == '\\' || letter(c)
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func digit(c byte) bool { return c >= '0' && c <= '9' }

// closingBrace returns the index of the brace that closes the one at i, or -1.
// An escaped brace does not count.
func closingBrace(text string, i int) int {
	depth := 0
	for j := i; j < len(text); j++ {
		switch text[j] {
		case '\\':
			j++
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return j
			}
		}
	}
	return -1
}

// lastBox returns the last box of a text, joined with its neighbours where the
// mode joins them: boxes that stand close together, or that a list holds
// together, and whose contents differ are one answer with several values.
func lastBox(text string, mode Mode) (span, bool) {
	all := boxes(text)
	if len(all) == 0 {
		return span{}, false
	}
	last := all[len(all)-1]
	if mode == Strict {
		return last, true
	}
	first := len(all) - 1
	for first > 0 && neighbours(text[all[first-1].end:all[first].start]) && !sameText(all[first-1].text, all[first].text) {
		first--
	}
	return join(all[first:]), true
}

// join makes one answer of several, separated by commas.
func join(parts []span) span {
	one := parts[len(parts)-1]
	if len(parts) == 1 {
		return one
	}
	texts := make([]string, len(parts))
	for i, p := range parts {
		texts[i] = p.text
	}
	one.start = parts[0].start
	one.text = strings.Join(texts, " , ")
	return one
}

func sameText(a, b string) bool { return strings.TrimSpace(a) == strings.TrimSpace(b) }

// neighbours reports whether what stands between two boxes holds them together.
func neighbours(gap string) bool {
	switch {
	case len(gap) < 10:
		return true
	case len(gap) >= 70:
		return false
	case strings.ContainsAny(gap, ",;"):
		return true
	}
	return holdsWord(gap, "and") || holdsWord(gap, "or")
}

// holdsWord reports whether a word stands in a text with no letter beside it.
func holdsWord(text, word string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], word)
		if i < 0 {
			return false
		}
		i += at
		at = i + len(word)
		if (i == 0 || !letter(text[i-1])) && (at == len(text) || !letter(text[at])) {
			return true
		}
	}
}
