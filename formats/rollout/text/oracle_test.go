package text_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/rollmill/rollmill/formats/rollout/text"
)

// The plain forms of the primitives, code point by code point.

func plainLower(s string) string {
	runes := []rune(s)
	var out []rune
	for i, r := range runes {
		switch {
		case r == 'İ':
			out = append(out, 'i', '\u0307')
		case r == 'Σ' && plainFinal(runes, i):
			out = append(out, 'ς')
		default:
			out = append(out, unicode.ToLower(r))
		}
	}
	return string(out)
}

func plainFinal(runes []rune, i int) bool {
	cased := func(r rune) bool {
		return unicode.IsUpper(r) || unicode.IsLower(r) || unicode.IsTitle(r) ||
			unicode.Is(unicode.Other_Lowercase, r) || unicode.Is(unicode.Other_Uppercase, r)
	}
	ignorable := func(r rune) bool {
		return unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk) || slices.Contains(wordBreaks, r)
	}
	j := i - 1
	for j >= 0 && ignorable(runes[j]) {
		j--
	}
	k := i + 1
	for k < len(runes) && ignorable(runes[k]) {
		k++
	}
	return j >= 0 && cased(runes[j]) && (k == len(runes) || !cased(runes[k]))
}

// wordBreaks are Word_Break=MidLetter, MidNumLet and Single_Quote.
var wordBreaks = []rune{
	0x27, 0x2e, 0x3a, 0xb7, 0x387, 0x55f, 0x5f4, 0x2018, 0x2019, 0x2024, 0x2027, 0xfe13, 0xfe52, 0xfe55, 0xff07, 0xff0e, 0xff1a,
}

func plainNorm(s string) string {
	return strings.Join(strings.FieldsFunc(plainLower(s), text.IsSpace), " ")
}

var (
	plainWord  = regexp.MustCompile(`[a-z0-9]+`)
	plainToken = regexp.MustCompile(`[a-z_]{2,}|\p{Nd}+|[^\s\x0b\x1c-\x1f\x{85}\x{a0}\p{Z}a-z_\p{Nd}]`)
	plainAns   = regexp.MustCompile(`^(#{2,4}[\s\p{Z}]*)?[+-]?\$?\p{Nd}[\p{Nd},]*(\.\p{Nd}+)?%?$`)
	plainSign  = regexp.MustCompile(`(?i)^(--+|—|best|all the best|kind regards|best regards|warm regards|regards|thanks|thank you|` +
		`many thanks|cheers|sincerely|warmly|yours|yours truly|yours sincerely|take care|talk soon)$`)
)

func plainLines(s string) (lines []string) {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	for s != "" {
		i := strings.IndexAny(s, "\n\r\v\f\x1c\x1d\x1e\u0085\u2028\u2029")
		if i < 0 {
			return append(lines, s)
		}
		_, size := utf8.DecodeRuneInString(s[i:])
		lines = append(lines, s[:i])
		s = s[i+size:]
	}
	return lines
}

func plainSignsOff(line string) bool {
	for end := range len(line) + 1 {
		last, _ := utf8.DecodeLastRuneInString(line[:end])
		next, _ := utf8.DecodeRuneInString(line[end:])
		if plainSign.MatchString(line[:end]) && text.IsWord(last) != text.IsWord(next) {
			return true
		}
	}
	return false
}

func plainFinished(s string) bool {
	s = strings.TrimRightFunc(s, text.IsSpace)
	if s == "" {
		return false
	}
	if strings.ContainsAny(s[len(s)-1:], `.!?:)"']}`) {
		return true
	}
	if strings.HasSuffix(s, "```") {
		return strings.Count(s, "```")%2 == 0
	}
	var lines []string
	for _, line := range plainLines(s) {
		if line = strings.TrimFunc(line, text.IsSpace); line != "" {
			lines = append(lines, line)
		}
	}
	last := lines[len(lines)-1]
	fields := len(strings.FieldsFunc(last, text.IsSpace))
	if plainAns.MatchString(last) || fields <= 6 && plainSignsOff(last) {
		return true
	}
	first, _ := utf8.DecodeRuneInString(last)
	if len(lines) < 2 || fields > 5 || !(first == '-' || first == '—' || unicode.IsUpper(first) || unicode.Is(unicode.Other_Uppercase, first)) {
		return false
	}
	previous := lines[len(lines)-2]
	return strings.HasSuffix(previous, ",") || plainSignsOff(previous)
}

func plainStyles(s string) (found text.StyleSet) {
	s = plainLower(s)
	for style := text.Boilerplate; style <= text.Apology; style++ {
		for _, phrase := range style.Phrases() {
			if strings.Contains(s, phrase) {
				found |= 1 << style
			}
		}
	}
	return found
}

// agree compares the fast forms with the plain ones. s must be UTF-8.
func agree(t interface{ Errorf(string, ...any) }, s string) {
	if got, want := text.Lower(s), plainLower(s); got != want {
		t.Errorf("Lower(%q) = %q, want %q", s, got, want)
	}
	if got, want := text.Norm(s), plainNorm(s); got != want {
		t.Errorf("Norm(%q) = %q, want %q", s, got, want)
	}
	if got, want := slices.Collect(text.Words(s)), plainWord.FindAllString(plainLower(s), -1); !slices.Equal(got, want) {
		t.Errorf("Words(%q) = %q, want %q", s, got, want)
	}
	if got, want := slices.Collect(text.Tokens(text.Lower(s))), plainToken.FindAllString(plainLower(s), -1); !slices.Equal(got, want) {
		t.Errorf("Tokens(%q) = %q, want %q", s, got, want)
	}
	if got, want := slices.Collect(text.Lines(s)), plainLines(s); !slices.Equal(got, want) {
		t.Errorf("Lines(%q) = %q, want %q", s, got, want)
	}
	if got, want := text.CountFields(s), len(strings.FieldsFunc(s, text.IsSpace)); got != want {
		t.Errorf("CountFields(%q) = %d, want %d", s, got, want)
	}
	for most := range 4 {
		if got, want := text.CountFieldsUpTo(s, most), len(strings.FieldsFunc(s, text.IsSpace)); min(got, most) != min(want, most) || got > want {
			t.Errorf("CountFieldsUpTo(%q, %d) = %d, want %d or from %d on", s, most, got, want, most)
		}
	}
	if got, want := text.Trim(s), strings.TrimFunc(s, text.IsSpace); got != want {
		t.Errorf("Trim(%q) = %q, want %q", s, got, want)
	}
	if got, want := text.LooksFinished(s), plainFinished(s); got != want {
		t.Errorf("LooksFinished(%q) = %v, want %v", s, got, want)
	}
	if got, want := text.StylesOf(s), plainStyles(s); got != want {
		t.Errorf("StylesOf(%q) = %v, want %v", s, got, want)
	}
}

// piece draws what the primitives look at, so that it meets often.
var piece = rapid.OneOf(
	rapid.SampledFrom([]string{
		"Σ", "σ", "İ", "K", "'", ".", ":", "\u0301", "a", "Z", "9", " ", "\n", "\r\n", "\r", "\u2028", "\x1c", "\u0085", "\t", "_",
		"- ", "--", "—", ",", "Best", "regards", "Thanks", "thank you", "Yours", "##", "#### ", "1,234", "$", "%", "```", "I'm sorry",
		"as an AI", "It depends", "great point", "I can't help with", "certainly", "!", "you're right", "Sam", "٣", "²", "\u00ad",
		"ʰ", "ſ", "你", "é", "É", "plain words of ascii text", "PLAIN WORDS",
	}),
	rapid.StringN(0, 4, -1),
)

func TestAgreesWithPlain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		agree(t, strings.Join(rapid.SliceOfN(piece, 0, 12).Draw(t, "pieces"), ""))
	})
}

// White space of every kind at each offset of the blocks that are read at once.
func TestAgreesAtEveryOffset(t *testing.T) {
	const letters = "AbcdefghijklMnopqrstuvwxyzAbcdefghijklmnopqrstuvwxyZ"
	for i := range len(letters) + 1 {
		for _, gap := range []string{" ", "  ", "\n", " \n", "\x1c", "\x01", " \x7f", "\u00a0", " \u2028", "\u00e9"} {
			agree(t, letters[:i]+gap+letters[i:])
			agree(t, " "+letters[:i]+gap+letters[i:]+" ")
		}
	}
}

func TestEveryCodePoint(t *testing.T) {
	var words []byte
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if r&^0x7ff == 0xd800 {
			continue
		}
		s := string(r)
		if got, want := text.Lower(s), plainLower(s); got != want {
			t.Fatalf("Lower(%q) = %q, want %q", s, got, want)
		}
		words = text.AppendWords(words[:0], s)
		if got, want := string(words), strings.Map(keepWord, plainLower(s)); got != want {
			t.Fatalf("words of %q: %q, want %q", s, got, want)
		}
	}
}

func keepWord(r rune) rune {
	if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' {
		return r
	}
	return -1
}

func FuzzText(f *testing.F) {
	for _, s := range []string{"ΑΣ'Α", "İstanbul Kelvin", "Hi\n\nBest,\nSales", "#### 1,234.5%", "```a```", "as an AI\u2028", "-- Sam"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) {
			// Rows hold no such text; nothing may panic or hang on it.
			text.Norm(s)
			text.Lower(s)
			text.LooksFinished(s)
			text.StylesOf(s)
			for range text.Tokens(s) {
			}
			return
		}
		agree(t, s)
	})
}
