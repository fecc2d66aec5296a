package hackscan

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/rollmill/rollmill/formats/rollout/text"
)

// plainCounts counts character by character, by definition.
func plainCounts(s string) (n counts) {
	n.words = len(strings.FieldsFunc(s, text.IsSpace))
	for _, r := range s {
		n.length++
		digit := unicode.IsDigit(r) || unicode.Is(digitForms, r)
		switch {
		case digit:
			n.digits++
		case r == '\n':
			n.newlines++
		case r >= 'A' && r <= 'Z':
			n.upper++
		case r == '_' || text.IsSpace(r) || unicode.IsLetter(r) || unicode.IsNumber(r):
		default:
			n.punct++
		}
	}
	return n
}

func TestCountsAgreeWithPlain(t *testing.T) {
	var chars []string
	for c := range utf8.RuneSelf {
		chars = append(chars, string(rune(c)))
	}
	for _, c := range []string{"a", "Z", "9", "é", "٣", "²", "①", "½", "注", "—", "\u0085", "\u2028", "\u00a0", "plain words. ", "\n\n"} {
		chars = append(chars, c, c, c, c)
	}
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOfN(rapid.SampledFrom(chars), 0, 80).Draw(t, "text"), "")
		var got counts
		got.add(s)
		if want := plainCounts(s); got != want {
			t.Errorf("%q: %+v, want %+v", s, got, want)
		}
	})
}
