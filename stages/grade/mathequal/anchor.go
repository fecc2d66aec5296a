package mathequal

import "strings"

// Anchors are the words and signs by which a text says that its answer follows.

// maxAnchors bounds how many anchors of a kind are looked at, from the end.
const maxAnchors = 16

// lastAnswerWord returns where the last "answer" of a text begins, in lower case,
// upper case or with a capital; -1 for none.
func lastAnswerWord(text string) int {
	at := -1
	for _, word := range [...]string{"answer", "Answer", "ANSWER"} {
		if strings.Contains(text, word[1:]) {
			at = max(at, strings.LastIndex(text, word))
		}
	}
	return at
}

// eachAnswerWord calls f with the end of each of the last "answer" words, from the
// right.
func eachAnswerWord(text string, f func(end int)) {
	rest := text
	for range maxAnchors {
		i := lastAnswerWord(rest)
		if i < 0 {
			return
		}
		f(i + len("answer"))
		rest = text[:i]
	}
}

// phrases finds "final answer is X. I hope" (with hope) or "final answer ... is X".
func (f *finder) phrases(hope bool) {
	eachAnswerWord(f.text, func(end int) {
		before := f.text[:end-len("answer")]
		if len(before) < len("final ") || !strings.EqualFold(before[len(before)-len("final "):], "final ") {
			return
		}
		is := end
		if hope {
			if !strings.HasPrefix(f.text[end:], " is") {
				return
			}
			is += len(" is")
		} else {
			line := f.line(end, 100+len(" is"))
			i := strings.Index(line, " is")
			if i < 0 {
				return
			}
			is += i + len(" is")
		}
		i := is
		if i < len(f.text) && f.text[i] == ':' {
			i++
		}
		for i < len(f.text) && blank(f.text[i]) {
			i++
		}
		f.take(i, 0, func(s span) bool {
			s.place = Phrase
			if hope {
				s.place = Hope
				rest := strings.TrimPrefix(strings.TrimLeft(f.text[s.end:], "."), " ")
				if !strings.HasPrefix(rest, "I hope") {
					return false
				}
			}
			f.queue = append(f.queue, s)
			return true
		})
	})
}

// line returns the bytes from i up to the end of the line, n at most.
func (f *finder) line(i, n int) string {
	s := f.text[i:min(len(f.text), i+n)]
	if k := strings.IndexByte(s, '\n'); k >= 0 {
		s = s[:k]
	}
	return s
}

// take offers the first formula and the first value that begin within reach bytes
// of i, on the same line.
func (f *finder) take(i, reach int, offer func(span) bool) {
	line := len(f.line(i, reach))
	for _, s := range f.environments() {
		if s.start >= i && s.start <= i+line {
			offer(s)
			break
		}
	}
	values := valueReader{f.text}
	for j := i; j <= i+line+1 && j < len(f.text); j++ {
		if s, ok := values.at(j, false); ok && offer(s) {
			return
		}
	}
}

// answered finds what follows the word "answer", close after a colon or not: the
// value after the last equals sign near, or else the first one.
func (f *finder) answered(colon bool) {
	place := AnswerWord
	if colon {
		place = AnswerColon
	}
	eachAnswerWord(f.text, func(end int) {
		if colon {
			if end == len(f.text) || f.text[end] != ':' {
				return
			}
			end++
		}
		if s, ok := f.afterEquals(end); ok {
			s.place = place
			f.queue = append(f.queue, s)
		}
		f.take(end, 50, func(s span) bool {
			if s.plain && f.equalsFollows(s.end) {
				return false
			}
			s.place = place
			f.queue = append(f.queue, s)
			return true
		})
	})
}

// afterEquals returns the value behind the last equals sign within 100 bytes of i.
func (f *finder) afterEquals(i int) (span, bool) {
	line := f.line(i, 101)
	values := valueReader{f.text}
	for {
		k := strings.LastIndexByte(line, '=')
		if k < 0 {
			return span{}, false
		}
		j := i + k + 1
		for j < len(f.text) && blank(f.text[j]) {
			j++
		}
		if s, ok := values.at(j, false); ok && !f.equalsFollows(s.end) {
			return s, true
		}
		line = line[:k]
	}
}

func (f *finder) equalsFollows(i int) bool {
	for i < len(f.text) && blank(f.text[i]) {
		i++
	}
	return i < len(f.text) && f.text[i] == '='
}

// marked finds what follows the last #### or the last line that begins with A:,
// whichever stands later.
func (f *finder) marked() {
	at := -1
	if i := strings.LastIndex(f.text, "####"); i >= 0 {
		at = i + len("####")
	}
	if strings.HasPrefix(f.text, "A:") {
		at = max(at, len("A:"))
	}
	if i := strings.LastIndex(f.text, "\nA:"); i >= 0 {
		at = max(at, i+len("\nA:"))
	}
	if at < 0 {
		return
	}
	for at < len(f.text) && (f.text[at] == ' ' || f.text[at] == '*') {
		at++
	}
	line := strings.TrimRight(f.line(at, maxLength), " \r")
	if s, ok := (valueReader{f.text}).at(at, true); ok {
		s.place = Marker
		f.queue = append(f.queue, s)
		return
	}
	for _, s := range f.environments() {
		if s.start == at {
			s.place = Marker
			f.queue = append(f.queue, s)
			return
		}
	}
	if line != "" {
		f.queue = append(f.queue, span{start: at, end: at + len(line), text: line, place: Marker})
	}
}
