package hackscan

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rollmill/rollmill/formats/rollout/text"
)

// termsOf are the terms of a text as the fast form cuts them.
func termsOf(s string) (list []string) {
	lowered := append([]byte("head "), text.AppendLower(nil, s)...)
	to := len(lowered)
	lowered = append(lowered, "tail ab "...)
	for _, t := range new(termCutter).cut(lowered, len("head "), to, 0) {
		list = append(list, string(termText(nil, lowered[t.start:t.end])))
	}
	return list
}

// plainTerms are the terms of a text by definition.
func plainTerms(s string) (list []string) {
	before := ""
	for token := range text.Tokens(text.Lower(s)) {
		list = append(list, token)
		if before != "" {
			list = append(list, before+" "+token)
		}
		before = token
	}
	return list
}

func TestTermsAgreeWithTokens(t *testing.T) {
	alphabet := []rune("abcxyz_ABZ 019.,#-\n\t'é½٣²Σσ\u0130\u1680\u2028\u0085\u001d好\ufffd")
	rapid.Check(t, func(t *rapid.T) {
		s := string(rapid.SliceOf(rapid.SampledFrom(alphabet)).Draw(t, "text"))
		if d := cmp.Diff(plainTerms(s), termsOf(s)); d != "" {
			t.Errorf("%q (-plain +fast):\n%s", s, d)
		}
	})
}

func FuzzTerms(f *testing.F) {
	f.Add("Look up ORD-4017, now! x y_z 12")
	f.Add("İstanbul ΣΑΣ \xff\xed\xa0\x80 ٣4")
	f.Fuzz(func(t *testing.T, s string) {
		if d := cmp.Diff(plainTerms(s), termsOf(s)); d != "" {
			t.Errorf("%q (-plain +fast):\n%s", s, d)
		}
	})
}

// Equal terms have equal hashes, and different ones differ.
func TestTermHashes(t *testing.T) {
	seen := map[uint64]string{}
	for i := range 20_000 {
		for _, s := range []string{fmt.Sprintf("t%d", i), fmt.Sprintf("%d apples and pears", i), fmt.Sprintf("averylongwordindeed%d", i)} {
			lowered := append([]byte(s), make([]byte, tail)...)
			for _, x := range new(termCutter).cut(lowered, 0, len(s), 0) {
				name := string(termText(nil, lowered[x.start:x.end]))
				if was, ok := seen[x.hash]; ok && was != name {
					t.Fatalf("%q and %q have one hash", was, name)
				}
				seen[x.hash] = name
			}
		}
	}
}

func TestTermVector(t *testing.T) {
	for _, v := range vectors(t, "auto_terms", 1) {
		var in struct {
			Texts  []string
			TopK   int `json:"top_k"`
			MinObs int `json:"min_obs"`
		}
		var want struct {
			Vocab   []string
			Present [][]string
		}
		if err := json.Unmarshal(v.Input, &in); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(v.Expect, &want); err != nil {
			t.Fatal(err)
		}
		s := newSketch(1 << 10)
		for i, words := range in.Texts {
			if got := slices.Sorted(slices.Values(slices.Compact(slices.Sorted(slices.Values(termsOf(words)))))); !slices.Equal(got, want.Present[i]) {
				t.Errorf("%q has %q, want %q", words, got, want.Present[i])
			}
			count(s, words)
		}
		list, sure := s.candidates(nil, 0, in.TopK, in.MinObs)
		var names []string
		for _, c := range list {
			names = append(names, c.name)
		}
		if !sure || !slices.Equal(names, want.Vocab) {
			t.Errorf("%q (sure %v), want %q", names, sure, want.Vocab)
		}
	}
}

func TestTokenVector(t *testing.T) {
	for _, v := range vectors(t, "hack_scan.tokens", 1) {
		var in []string
		var want [][]string
		if err := json.Unmarshal(v.Input, &in); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(v.Expect, &want); err != nil {
			t.Fatal(err)
		}
		for i, s := range in {
			if got := append([]string{}, slices.Collect(text.Tokens(text.Lower(s)))...); !slices.Equal(got, want[i]) {
				t.Errorf("%q: %q, want %q", s, got, want[i])
			}
		}
	}
}

// count counts the terms of a row.
func count(s *sketch, row string) {
	lowered := append(text.AppendLower(nil, row), make([]byte, tail)...)
	s.add(new(termCutter).cut(lowered, 0, len(lowered)-tail, 0), 0, lowered)
	s.endRow()
}

// However little a sketch may hold, and over however many it was spread, the
// bounds that it gives are true, and when it says that no term is missing none is.
func TestSketchBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		capacity := rapid.IntRange(1, 400).Draw(t, "capacity")
		word := rapid.Custom(func(t *rapid.T) string { // a few common words and many rare ones
			n := rapid.IntRange(1, 300).Draw(t, "word")
			return fmt.Sprintf("w%d", n/rapid.IntRange(1, n).Draw(t, "share"))
		})
		rows := rapid.SliceOfN(rapid.SliceOfN(word, 0, 12), 1, 60).Draw(t, "rows")
		parts := []*sketch{newSketch(capacity), newSketch(capacity)}
		exact := map[string]int{}
		for _, words := range rows {
			row := ""
			for _, w := range words {
				row += w + " "
			}
			count(parts[rapid.IntRange(0, 1).Draw(t, "part")], row)
			for term := range maps.Keys(maps.Collect(func(yield func(string, bool) bool) {
				for _, x := range plainTerms(row) {
					if !yield(x, true) {
						return
					}
				}
			})) {
				exact[term]++
			}
		}
		s := parts[0]
		s.merge(parts[1])
		found := map[string]bool{}
		for _, x := range s.slots {
			if x.hash == 0 {
				continue
			}
			_, piece := s.names.at(x.name)
			name := string(termText(nil, piece))
			found[name] = true
			if n := exact[name]; n < int(x.count) || n > int(x.most()) {
				t.Errorf("%q occurs in %d rows, counted %d to %d", name, n, x.count, x.most())
			}
		}
		for name, n := range exact {
			if !found[name] && n > int(s.atMost()) {
				t.Errorf("%q occurs in %d rows and is not there; at most %d may be missed", name, n, s.atMost())
			}
		}
		least, top := rapid.IntRange(1, 5).Draw(t, "least"), rapid.IntRange(1, 20).Draw(t, "top")
		list, sure := s.candidates(nil, 0, top, least)
		if !sure {
			return
		}
		names := slices.SortedFunc(maps.Keys(exact), func(a, b string) int {
			if exact[a] != exact[b] {
				return exact[b] - exact[a]
			}
			return slices.Compare([]byte(a), []byte(b))
		})
		names = slices.DeleteFunc(names, func(name string) bool { return exact[name] < least || exact[name] >= len(rows) })
		for _, name := range names[:min(top, len(names))] {
			if !slices.ContainsFunc(list, func(c candidate) bool { return c.name == name }) {
				t.Errorf("%q occurs in %d rows and is no candidate", name, exact[name])
			}
		}
	})
}
