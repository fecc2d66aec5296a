package decontaminate

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A sieve lets nothing through: with it the same n-grams are found as when all are
// looked up.
func TestSieveLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 14).Draw(t, "n")
		items := append(rapid.SliceOfN(smallText(40), 1, 5).Draw(t, "items"), "z")
		x, err := Build(t.Context(), []Set{textSet("e", items...)}, Config{N: []int{n}}, 1)
		if err != nil {
			t.Fatal(err)
		}
		if (x.grams[0].sieve != nil) != (n >= 5) {
			t.Fatalf("n-grams of %d words have a sieve or not", n)
		}
		f := &x.NewScanner().evidence.found[0]
		text := smallText(200).Draw(t, "text")
		if rapid.Bool().Draw(t, "with an item") {
			text += " " + items[0] + " " + text
		}
		prefixes := newSplitter(x.config.Words).prefixes(nil, text)
		f.hits = nil
		f.lookAtAll(prefixes)
		want := f.hits
		f.hits = nil
		if f.look(prefixes); !slices.Equal(f.hits, want) {
			t.Fatalf("%v, want %v", f.hits, want)
		}
	})
}

// Texts longer than what is looked at at once lose nothing where they are cut.
func TestSieveOfALongText(t *testing.T) {
	item := benchText(5000, 3)
	x := build(t, Config{N: []int{8}}, textSet("e", item))
	f := &x.NewScanner().evidence.found[0]
	f.look(newSplitter(x.config.Words).prefixes(nil, item))
	if len(f.hits) != 5000-7 {
		t.Errorf("%d n-grams found, want all %d", len(f.hits), 5000-7)
	}
}
