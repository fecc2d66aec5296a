package mathequal

import "strings"

// Anchors are the words and signs by which a text says that its answer follows.

// maxAnchors bounds how many "answer" words of a text are looked at, from the end.
const maxAnchors = 16

// answerWords returns where the last "answer" words of a text end, the last one
// first: in lower case, with a capital, or in capitals.
func answerWords(text string, ends []int) []int {
	lower, upper := strings.Contains(text, "nswer"), strings.Contains(text, "NSWER")
	for (lower || upper) && len(ends) < maxAnchors {
		i := -1
		if lower {
			i = strings.LastIndex(text, "nswer")
			lower = i >= 0
		}
		if upper {
			k := strings.LastIndex(text, "NSWER")
			upper = k >= 0
			i = max(i, k)
		}
		if i < 0 {
			break
		}
		if i > 0 && (text[i-1] == 'A' || text[i-1] == 'a' && text[i] == 'n') {
			ends = append(ends, i+len("nswer"))
		}
		text = text[:i]
	}
	return ends
}

// anchors returns the ends of the "answer" words, found once.
func (f *finder) anchors() []int {
	if !f.anchored {
		f.anchored = true
		f.words = len(answerWords(f.text, f.ends[:0]))
	}
	return f.ends[:f.words]
}

// line returns the bytes from i up to the end of the line, n at most.
func (f *finder) line(i, n int) string {
	s := f.text[i:min(len(f.text), i+n)]
	if k := strings.IndexByte(s, '\n'); k >= 0 {
		s = s[:k]
	}
	return s
}

func (f *finder) skipBlanks(i int) int {
	for i < len(f.text) && blank(f.text[i]) {
		i++
	}
	return i
}

// phrases finds "final answer is X. I hope" (with hope) or "final answer ... is X".
func (f *finder) phrases(hope bool) {
	const final, is = "final ", " is"
	for _, end := range f.anchors() {
		before := f.text[:end-len("answer")]
		if len(before) < len(final) || !strings.EqualFold(before[len(before)-len(final):], final) {
			continue
		}
		reach := 100 + len(is)
		if hope {
			reach = len(is)
		}
		k := strings.Index(f.line(end, reach), is)
		if k < 0 {
			continue
		}
		i := end + k + len(is)
		if i < len(f.text) && f.text[i] == ':' {
			i++
		}
		i = f.skipBlanks(i)
		for _, s := range f.nextTo(i, 0) {
			switch {
			case s.place == Nowhere:
			case !hope:
				s.place = Phrase
				f.queue = append(f.queue, s)
			case strings.HasPrefix(strings.TrimPrefix(strings.TrimLeft(f.text[s.end:], "."), " "), "I hope"):
				s.place = Hope
				f.queue = append(f.queue, s)
			}
		}
	}
}

// nextTo returns the first formula and the first value that begin within reach
// bytes of i on the same line; what there is none of stands Nowhere. A value that an
// equals sign follows is no answer.
func (f *finder) nextTo(i, reach int) (found [2]span) {
	line := len(f.line(i, reach))
	for _, s := range f.environments() {
		if s.start >= i && s.start <= i+line {
			found[0] = s
			break
		}
	}
	values := valueReader{f.text}
	for j := i; j <= i+line+1 && j < len(f.text); j++ {
		if s, ok := values.at(j, false); ok && !f.equalsFollows(s.end) {
			s.place = LastNumber
			found[1] = s
			break
		}
	}
	return found
}

func (f *finder) equalsFollows(i int) bool {
	i = f.skipBlanks(i)
	return i < len(f.text) && f.text[i] == '='
}

// answered finds what follows the word "answer", close after a colon or not: the
// value after the last equals sign near, or else the first one.
func (f *finder) answered(colon bool) {
	place := AnswerWord
	if colon {
		place = AnswerColon
	}
	for _, end := range f.anchors() {
		if colon {
			if end == len(f.text) || f.text[end] != ':' {
				continue
			}
			end++
		}
		if s, ok := f.afterEquals(end); ok {
			s.place = place
			f.queue = append(f.queue, s)
		}
		for _, s := range f.nextTo(end, 50) {
			if s.place != Nowhere {
				s.place = place
				f.queue = append(f.queue, s)
			}
		}
	}
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
		if s, ok := values.at(f.skipBlanks(i+k+1), false); ok && !f.equalsFollows(s.end) {
			return s, true
		}
		line = line[:k]
	}
}

// marked finds what follows the last #### or the last line that begins with A:,
// whichever stands later: a number, a formula, or the line.
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
	s, ok := valueReader{f.text}.at(at, true)
	if !ok {
		line := strings.TrimRight(f.line(at, maxLength), " \r*")
		s, ok = span{start: at, end: at + len(line), text: line}, line != ""
		for _, formula := range f.environments() {
			if formula.start == at {
				s = formula
			}
		}
	}
	if ok {
		s.place = Marker
		f.queue = append(f.queue, s)
	}
}
