package text_test

import (
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/rollmill/rollmill/formats/rollout/text"
)

func TestLengthAgreesWithPlain(t *testing.T) {
	char := rapid.SampledFrom([]string{"a", "plain text", "é", "注", "😀", "\xff", "\xed\xa0\x80", "\xc3"})
	rapid.Check(t, func(t *rapid.T) {
		s := ""
		for _, c := range rapid.SliceOfN(char, 0, 40).Draw(t, "text") {
			s += c
		}
		if got, want := text.Length(s), utf8.RuneCountInString(s); got != want {
			t.Errorf("Length(%q) = %d, want %d", s, got, want)
		}
	})
}
