package verify

import "regexp"

// NumberPlainly is [Number] by a scan of everything: the plain version of the
// scan that begins a few words before the last digit.
func NumberPlainly(text string) (f float64, ok bool) {
	answer := finalAnswer(text)
	if f, ok = lastNumberFrom(answer, 0, false); !ok {
		f, ok = lastNumberFrom(answer, 0, true)
	}
	return f, ok
}

var plainPhrase = regexp.MustCompile(`(?i)(?:answer|result|solution)[ \t*]*(is|=|:)`)

// BehindPhrase and BehindPhrasePlainly find where an answer is announced.
func BehindPhrase(text string) int { return behindPhrase(text, &answerPhrases) }

func BehindPhrasePlainly(text string) int {
	at := -1
	for _, m := range plainPhrase.FindAllStringSubmatchIndex(text, -1) {
		if end := m[3]; m[3]-m[2] == 1 || end == len(text) || !isAlnum(text[end]) {
			at = end
		}
	}
	return at
}
