package text_test

import (
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rollmill/rollmill/formats/rollout/text"
)

// plainRuns are the edges of the runs of bytes that belong, byte by byte.
func plainRuns(s string, belongs func(c byte) bool) (edges []uint32) {
	inside := false
	for i := range len(s) {
		if belongs(s[i]) != inside {
			inside = !inside
			edges = append(edges, uint32(i))
		}
	}
	if inside {
		edges = append(edges, uint32(len(s)))
	}
	return edges
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c == '_' }

func isWord(c byte) bool {
	return isLetter(c) || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= utf8.RuneSelf
}

func checkRuns(t interface{ Errorf(string, ...any) }, s string) {
	before := []uint32{7}
	if d := cmp.Diff(append(before, plainRuns(s, isLetter)...), text.AppendLetterRuns(before, []byte(s))); d != "" {
		t.Errorf("letters of %q (-plain +fast):\n%s", s, d)
	}
	runs, ascii := text.AppendWordRuns(before, s)
	if d := cmp.Diff(append(before, plainRuns(s, isWord)...), runs); d != "" {
		t.Errorf("words of %q (-plain +fast):\n%s", s, d)
	}
	if want := !slices.ContainsFunc([]byte(s), func(c byte) bool { return c >= utf8.RuneSelf }); ascii != want {
		t.Errorf("%q: ascii %v, want %v", s, ascii, want)
	}
}

// Every byte at every place of a block, and runs across blocks.
func TestRunsAgreeWithPlain(t *testing.T) {
	for c := range 256 {
		for _, n := range []int{0, 1, 7, 8, 63, 64, 65, 127, 128} {
			s := make([]byte, n+1)
			for _, around := range []byte{' ', 'a'} {
				for i := range s {
					s[i] = around
				}
				s[n/2] = byte(c)
				checkRuns(t, string(s))
				s[n/2], s[n] = around, byte(c)
				checkRuns(t, string(s))
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		checkRuns(t, string(rapid.SliceOfN(rapid.SampledFrom([]byte("abz_AZ09 .`@[{/:^\x00\x7f\x80\xc3\xff")), 0, 200).Draw(t, "text")))
	})
}
