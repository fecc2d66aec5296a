package text_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rollmill/rollmill/formats/rollout/text"
)

func TestIndexAgreesWithPlain(t *testing.T) {
	for _, letters := range []string{"ab", "abé ", "the cannot\x00\xff"} {
		alphabet := []byte(letters)
		rapid.Check(t, func(t *rapid.T) {
			s := string(rapid.SliceOfN(rapid.SampledFrom(alphabet), 0, 300).Draw(t, "text"))
			word := string(rapid.SliceOfN(rapid.SampledFrom(alphabet), 0, 9).Draw(t, "word"))
			if n := len(s) - len(word); n > 0 && rapid.Bool().Draw(t, "there") { // one that stands in it
				i := rapid.IntRange(0, n).Draw(t, "at")
				word = s[i : i+len(word)]
			}
			if got, want := text.Index(s, word), strings.Index(s, word); got != want {
				t.Fatalf("Index(%q, %q) = %d, want %d", s, word, got, want)
			}
		})
	}
}

// A word at each offset of a text, up to its end.
func TestIndexAtEveryOffset(t *testing.T) {
	for i := range 200 {
		s := strings.Repeat(".", i) + "unable" + strings.Repeat(" unab", (200-i)/5)
		if got := text.Index(s, "unable"); got != i {
			t.Errorf("%d, want %d", got, i)
		}
		if text.Contains(s[:i+5], "unable") {
			t.Errorf("found in %q", s[:i+5])
		}
	}
}

func TestIndexFoldAgreesWithPlain(t *testing.T) {
	alphabet := []byte("abcABC@`\xe2 ")
	rapid.Check(t, func(t *rapid.T) {
		s := string(rapid.SliceOfN(rapid.SampledFrom(alphabet), 0, 100).Draw(t, "text"))
		word := string(rapid.SliceOfN(rapid.SampledFrom([]byte("abc")), 0, 5).Draw(t, "word"))
		lower := []byte(s)
		for i, c := range lower {
			if c-'A' < 26 {
				lower[i] = c + 'a' - 'A'
			}
		}
		if got, want := text.IndexFold(s, word), strings.Index(string(lower), word); got != want {
			t.Fatalf("IndexFold(%q, %q) = %d, want %d", s, word, got, want)
		}
	})
}
