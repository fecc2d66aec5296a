package decontaminate

import (
	"cmp"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// plainSeed is a place where the scanned text has an n-gram of a text.
type plainSeed struct{ at, pos int }

// plainDensest compares all stretches of so many words: the places that the best
// one has, and its ends.
func plainDensest(seeds []plainSeed, words int) (most int, first, last plainSeed) {
	for _, from := range seeds {
		places := map[int]bool{}
		end := from
		for _, s := range seeds {
			if s.at >= from.at && s.at < from.at+words {
				places[s.at], end = true, s
			}
		}
		if len(places) > most {
			most, first, last = len(places), from, end
		}
	}
	return most, first, last
}

// What the n-grams of a text are collected to is the densest of all stretches.
func TestDensestMatchesThePlainWay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		items := append(rapid.SliceOfN(smallText(9), 1, 5).Draw(t, "items"), "z")
		n := rapid.IntRange(1, 3).Draw(t, "n")
		maxItems := rapid.IntRange(1, 5).Draw(t, "max items")
		x, err := Build(t.Context(), []Set{textSet("e", items...)}, Config{N: []int{n}}, 1)
		if err != nil {
			t.Fatal(err)
		}
		s := x.NewScanner()
		for _, in := range rapid.SliceOfN(smallText(60), 1, 3).Draw(t, "texts") {
			e := s.Scan(in)
			f := &e.found[0]
			w := &e.window
			w.collect(e, f, maxItems)
			seeds, stock := map[int][]plainSeed{}, map[int][]plainSeed{}
			for _, h := range f.hits {
				for _, token := range f.grams.table.values(int(h.entry)) {
					text := x.textAt(token)
					s := plainSeed{int(h.at), int(token - x.firsts[text])}
					if f.grams.table.groups(int(h.entry)) > maxItems {
						stock[text] = append(stock[text], s)
						break
					}
					seeds[text] = append(seeds[text], s)
				}
			}
			sameDensest(t, x, &w.seeds, seeds)
			sameDensest(t, x, &w.stock, stock)
		}
	})
}

func sameDensest(t *rapid.T, x *Index, got *densest, want map[int][]plainSeed) {
	t.Helper()
	if len(got.list) != len(want) {
		t.Fatalf("%d texts, want %d", len(got.list), len(want))
	}
	for i, text := range slices.Sorted(maps.Keys(want)) {
		slices.SortFunc(want[text], func(a, b plainSeed) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.pos, b.pos)) })
		most, first, last := plainDensest(want[text], windowOf(len(x.wordsOf(text))))
		s := &got.list[i]
		same := int(s.text) == text && s.most == most && plainSeed{int(s.first.at), int(s.first.pos)} == first && plainSeed{int(s.last.at), int(s.last.pos)} == last
		if !same {
			t.Fatalf("text %d: %+v, want %d places from %v to %v", text, *s, most, first, last)
		}
	}
}

// A text that repeats a phrase of many items takes memory by its words, not by
// its words times the items: a scan of it may not take a process down.
func TestARepeatedPhraseTakesLittleMemory(t *testing.T) {
	const phrase = "answer the question below about the ferry and its passengers please "
	var questions []string
	for i := range 1000 {
		question := benchText(40, uint64(5e7+i))
		if i < 39 {
			question = phrase + question
		}
		questions = append(questions, question)
	}
	x := build(t, Config{N: []int{4}, Words: Unicode}, textSet("e", questions...))
	in := strings.Repeat(phrase, 20_000)
	s := x.NewScanner(Windowed{})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	e := s.Scan(in)
	matches := Windowed{}.Judge(e, nil)
	runtime.ReadMemStats(&after)
	if len(matches) != 0 {
		t.Errorf("%d matches", len(matches))
	}
	// Without the items: hashes, hits, spans and numbers of the words, and what is
	// copied while they grow.
	if a := (after.TotalAlloc - before.TotalAlloc) / uint64(e.Words()); a > 300 {
		t.Errorf("%d bytes a word", a)
	}
}
