package selection

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/rollmill/rollmill/formats/rollout/text"
)

// What junk reads of a reply is the lower case from which its normal form is made.
func TestNormOfLowerIsNorm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOfN(rapid.RuneFrom([]rune("aB \t\n\x1f\x1c~_0éİΣς \u2028")), 0, 40, -1).Draw(t, "s")
		lower := text.Trim(text.Lower(s))
		if want := text.Lower(text.Trim(s)); lower != want {
			t.Fatalf("%q: got %q, want %q", s, lower, want)
		}
		if got, want := string(text.AppendNorm(nil, lower)), text.Norm(s); got != want {
			t.Fatalf("%q: got %q, want %q", s, got, want)
		}
	})
}

func TestRepeats(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		runes := rapid.SliceOfN(rapid.SampledFrom([]rune("ab\né")), 0, 6).Draw(t, "runes")
		var s []rune
		for _, c := range runes {
			for range rapid.IntRange(1, 35).Draw(t, "n") {
				s = append(s, c)
			}
		}
		want, n := false, 0
		for i, c := range s {
			if i > 0 && s[i-1] != c {
				n = 0
			}
			n++
			want = want || n >= longestRun && c != '\n'
		}
		if got := repeats(string(s)); got != want {
			t.Fatalf("%q: got %v, want %v", string(s), got, want)
		}
	})
}
