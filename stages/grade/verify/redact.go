package verify

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rollmill/rollmill/formats/rollout"
)

// redacted stands where a private reference stood.
const redacted = "<reference>"

const (
	minPrefix = 16 // characters of a reference whose beginning gives it away
	minLine   = 16 // characters of a line that gives it away
)

// redact strikes a private reference out of a reason, however it is spelled
// there: as it is, as JSON, as another spelling of the same number, a long line
// of it, or a long beginning. Only whole words count: a reference 4 does not
// strike out the 4 in 14 (spec of rows, section 3.1).
func redact(reason, reference string) string {
	if reason == "" || strings.TrimSpace(reference) == "" {
		return reason
	}
	for _, spelling := range spellings(reference) {
		reason = strike(reason, spelling)
	}
	return strikePrefix(reason, strings.TrimSpace(reference))
}

// spellings are the ways to write a reference, the longest first.
func spellings(reference string) []string {
	plain := strings.TrimSpace(reference)
	list := []string{plain}
	if escaped := string(rollout.AppendText(nil, plain)); escaped[1:len(escaped)-1] != plain {
		list = append(list, escaped[1:len(escaped)-1])
	}
	if f, err := strconv.ParseFloat(strings.ReplaceAll(plain, ",", ""), 64); err == nil {
		for _, precision := range []int{-1, 1, 2} {
			list = append(list, strconv.FormatFloat(f, 'f', precision, 64))
		}
		list = append(list, strconv.FormatFloat(f, 'g', -1, 64), strings.ReplaceAll(plain, ",", ""))
	}
	for line := range strings.Lines(plain) {
		if line = strings.TrimSpace(line); utf8.RuneCountInString(line) >= minLine {
			list = append(list, line)
		}
	}
	slices.SortFunc(list, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b)) })
	return slices.Compact(list)
}

// strike replaces a spelling wherever it stands as whole words.
func strike(text, spelling string) string {
	var b strings.Builder
	for {
		i := indexWord(text, spelling)
		if i < 0 {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(text[:i])
		b.WriteString(redacted)
		text = text[i+len(spelling):]
	}
}

// indexWord finds a spelling that no word or number goes on at either end.
func indexWord(text, spelling string) int {
	for from := 0; ; {
		i := strings.Index(text[from:], spelling)
		if i < 0 {
			return -1
		}
		i += from
		if !joins(lastRune(text[:i]), firstRune(spelling)) && !joins(lastRune(spelling), firstRune(text[i+len(spelling):])) {
			return i
		}
		_, size := utf8.DecodeRuneInString(text[i:])
		from = i + size
	}
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

func lastRune(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}

func joins(a, b rune) bool { return isWord(a) && isWord(b) }

func isWord(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_')
}

// strikePrefix replaces the longest beginning of the reference that stands in
// the text and is long enough to give it away.
func strikePrefix(text, reference string) string {
	head := prefixOf(reference, minPrefix)
	if head == "" {
		return text
	}
	var b strings.Builder
	for {
		i := strings.Index(text, head)
		if i < 0 {
			b.WriteString(text)
			return b.String()
		}
		n := len(head)
		for n < len(reference) && i+n < len(text) && text[i+n] == reference[n] {
			n++
		}
		for n > len(head) && i+n < len(text) && !utf8.RuneStart(text[i+n]) {
			n-- // not in the middle of a character
		}
		b.WriteString(text[:i])
		b.WriteString(redacted)
		text = text[i+n:]
	}
}

// prefixOf is the first n characters of a text, "" when it is no longer.
func prefixOf(text string, n int) string {
	for i := range text {
		if n == 0 {
			return text[:i]
		}
		n--
	}
	return ""
}

// cut is at most so many bytes of a text, whole characters of it.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "")
}
