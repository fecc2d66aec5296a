package conduct

import (
	"maps"
	"slices"
	"strings"
	"testing"
	clock "time" // time is a role

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/formats/rollout/behaviour"
)

// The words that eight bytes at a time find are those that are found character
// by character.
func TestMarksAgreeWithPlain(t *testing.T) {
	words := []string{" ", ".", "'", "'t", "\n", "x", "9", "_", "—", "é", "²", "\xff", "İ", "K", "n", "N"}
	for _, word := range slices.Sorted(maps.Keys(roles)) {
		words = append(words, word, strings.ToUpper(word), word+" ", word[:len(word)-1])
	}
	var s Scanner
	rapid.Check(t, func(t *rapid.T) {
		reply := strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, 60).Draw(t, "words"), "")
		s.readMarks(reply)
		if d := cmp.Diff(plainMarks(nil, reply, 0, len(reply)), append([]mark(nil), s.marks...), cmp.AllowUnexported(mark{})); d != "" {
			t.Errorf("%q (-plain +fast):\n%s", reply, d)
		}
	})
}

// A long reply takes time by its length, whatever it repeats: by its square
// these would take minutes.
func TestLongRepliesAreLinear(t *testing.T) {
	const size = 1_500_000
	for _, phrase := range []string{
		"tests pass ", "tests pass not ", "tests pass. ", "not tests pass. ", "tests ", "don't ", "all ", "all tests good ", "I ", "tests pass — ", "é",
	} {
		row := rollout.Row{FinalText: strings.Repeat(phrase, size/len(phrase)) + "still"}
		var r behaviour.Reader
		var s Scanner
		start := clock.Now()
		r.Read(&row)
		s.Scan(&r)
		if took := clock.Since(start); took > 10*clock.Second {
			t.Errorf("%q for %d bytes took %v", phrase, size, took)
		}
	}
}
