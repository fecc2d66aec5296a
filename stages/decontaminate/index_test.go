package decontaminate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rollmill/rollmill/formats/files"
)

// sampleSets are two sets of many items, with copies, short items and answers.
func sampleSets(items int) []Set {
	sets := []Set{{Name: "a/test.jsonl", Malformed: 3}, {Name: "b/test.jsonl"}}
	for i := range items {
		item := Item{ID: fmt.Sprintf("q%d", i), TaskID: fmt.Sprintf("t%d", i%7), Texts: []Text{{Question, benchText(20+i%90, uint64(i))}}}
		switch i % 5 {
		case 1:
			item.Texts = append(item.Texts, Text{Answer, benchText(12, uint64(1e9+i))})
		case 2:
			item.Texts = append(item.Texts, Text{Answer, "42"}, Text{Gold, "42"})
		case 3:
			item.Texts[0].Text = strings.ToUpper(benchText(20, 3))
		case 4:
			item.ID = ""
			item.Texts = append(item.Texts, Text{Passage, benchText(200, uint64(2e9+i))})
		}
		sets[i%2].Items = append(sets[i%2].Items, item)
	}
	sets[1].Items = append(sets[1].Items, Item{State: Null}, Item{State: Missing}, Item{State: Malformed},
		Item{Texts: []Text{{Question, " ... "}}}, Item{Texts: []Text{{Question, "two words"}}})
	return sets
}

// written is an index as it is saved.
func written(t testing.TB, x *Index) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := x.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestSameIndexForAnyNumberOfWorkers(t *testing.T) {
	sets := sampleSets(1200)
	var first []byte
	for _, workers := range []int{1, 2, 8} {
		x, err := Build(context.Background(), sets, Config{N: []int{8, 4}, Words: Unicode}, workers)
		if err != nil {
			t.Fatal(err)
		}
		if got := written(t, x); first == nil {
			first = got
		} else if !bytes.Equal(got, first) {
			t.Errorf("%d workers make another index", workers)
		}
	}
}

func TestStatesAddUp(t *testing.T) {
	x := build(t, Config{}, sampleSets(20)...)
	for i, want := range []States{{Usable: 10, Malformed: 3}, {Usable: 10, Malformed: 1, Missing: 1, Null: 1, Empty: 1, TooShort: 1}} {
		set := x.sets[i]
		if set.States != want {
			t.Errorf("%s: %+v, want %+v", set.Name, set.States, want)
		}
		malformed := map[int]int{0: 3, 1: 0}[i]
		if set.States.Total() != int64(set.Items+malformed) {
			t.Errorf("%s: %d states of %d items", set.Name, set.States.Total(), set.Items)
		}
	}
}

func TestBuildRefuses(t *testing.T) {
	good := textSet("good", "some words to compare with")
	for _, c := range []struct {
		name   string
		sets   []Set
		config Config
		want   error
		text   string
	}{
		{"an empty set", []Set{good, {Name: "none"}}, Config{}, ErrNoItems, `"none"`},
		{"a set without words", []Set{textSet("dots", "...", "")}, Config{}, ErrNoItems, "2 records"},
		{"two sets of one name", []Set{good, good}, Config{}, ErrSameSet, "good"},
		{"n-grams of no words", []Set{good}, Config{N: []int{0}}, nil, "want 1 to 64"},
		{"n-grams of too many words", []Set{good}, Config{N: []int{8, 65}}, nil, "65 words"},
		{"an unknown word rule", []Set{good}, Config{Words: 9}, nil, "word rule 9"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Build(context.Background(), c.sets, c.config, 1)
			if err == nil || c.want != nil && !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.text) {
				t.Errorf("error %v", err)
			}
		})
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Build(ctx, []Set{good}, Config{}, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

// Texts that are the same but for case and white space are one, and all items that
// have it are told.
func TestCopies(t *testing.T) {
	x := build(t, Config{N: []int{3}}, textSet("a", "One two three four", "five six seven"), textSet("b", "one  TWO three\nfour", "one two three four!"))
	if x.Texts() != 3 || x.Items() != 4 || x.sets[1].Copies != 1 || x.sets[0].Copies != 0 {
		t.Fatalf("%d texts, copies %d and %d", x.Texts(), x.sets[0].Copies, x.sets[1].Copies)
	}
	_, r := screen(t, x, Options{Rules: []Rule{Any(3)}, Parts: Prompt}, "say: one two three")
	if r.Sets[0].ByRule[0].ItemsHit != 1 || r.Sets[1].ByRule[0].ItemsHit != 2 || r.Sets[0].ByRule[0].Rows != 1 || r.Sets[1].ByRule[0].Rows != 1 {
		t.Errorf("%+v", r.Sets)
	}
}

// An item that stands within another is found with it.
func TestItemWithinAnother(t *testing.T) {
	inner := "which of the two ferries left the north pier before the storm"
	outer := "Read this. " + inner + " and how many crates of green pears did the postman carry on board that day?"
	x := build(t, Config{N: []int{4, 8}, Words: Unicode}, textSet("e", outer, inner))
	for _, r := range []Rule{Windowed{}, Any(8), ItemShare{}, TokenShare{}} {
		matches := r.Judge(x.NewScanner().Scan("Please answer: "+outer), nil)
		var texts []int
		for _, m := range matches {
			texts = append(texts, m.Text)
		}
		if !slices.Equal(texts, []int{0, 1}) {
			t.Errorf("%s finds %v", r.Name(), texts)
		}
	}
}

func TestMemoryOfAnIndex(t *testing.T) {
	x := build(t, Config{}, benchSet(200_000))
	if per := float64(x.Bytes()) / float64(x.Grams(DefaultN)); per > 24 {
		t.Errorf("%.1f bytes an n-gram, want 24 at most", per)
	}
	both := build(t, Config{N: []int{4, 8}}, benchSet(200_000))
	if per := float64(both.Bytes()) / float64(both.Grams(4)+both.Grams(8)); per > 24 {
		t.Errorf("%.1f bytes an n-gram of two lengths, want 24 at most", per)
	}
}

func TestSaveAndLoad(t *testing.T) {
	x := build(t, Config{N: []int{3, 8}, Words: Unicode}, sampleSets(500)...)
	path := filepath.Join(t.TempDir(), "evals.index")
	if err := x.Save(path, false); err != nil {
		t.Fatal(err)
	}
	if !IsIndex(path) || IsIndex("index_test.go") {
		t.Error("an index is not told from a text")
	}
	if _, ok := errors.AsType[*files.OutputError](x.Save(path, false)); !ok {
		t.Error("a file that is there was replaced")
	}
	y, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(written(t, x), written(t, y)) {
		t.Error("it is another when it was loaded")
	}
	in := benchText(30, 77) + " " + x.texts[40].text
	for _, r := range []Rule{Windowed{Grams: 3}, Any(3), Default80{}} {
		a, b := r.Judge(x.NewScanner().Scan(in), nil), r.Judge(y.NewScanner().Scan(in), nil)
		if len(a) == 0 && r.Name() != "default80" || !slices.Equal(a, b) {
			t.Errorf("%s: %v and, loaded, %v", r.Name(), a, b)
		}
	}
}

func TestMerge(t *testing.T) {
	sets := sampleSets(400)
	config := Config{N: []int{4}, Words: Unicode}
	a, b, whole := build(t, config, sets[0]), build(t, config, sets[1]), build(t, config, sets...)
	merged, err := Merge(context.Background(), 2, a, b)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(written(t, merged), written(t, whole)) {
		t.Error("merged, they are not what they are when built together")
	}
	if _, err := Merge(context.Background(), 1, a, a); !errors.Is(err, ErrSameSet) {
		t.Errorf("twice the same: %v", err)
	}
	if _, err := Merge(context.Background(), 1, a, build(t, Config{N: []int{5}, Words: Unicode}, sets[1])); !errors.Is(err, ErrConfig) {
		t.Errorf("other n-grams: %v", err)
	}
}

func TestDamagedFiles(t *testing.T) {
	good := written(t, build(t, Config{N: []int{3}}, sampleSets(30)...))
	for _, c := range []struct {
		name string
		make func() []byte
		want error
	}{
		{"nothing", func() []byte { return nil }, ErrNotIndex},
		{"text", func() []byte { return []byte(`{"prompt":"what"}` + "\n") }, ErrNotIndex},
		{"the magic word alone", func() []byte { return good[:len(fileMagic)] }, ErrDamaged},
		{"cut off", func() []byte { return good[:len(good)-9] }, ErrDamaged},
		{"one bit", func() []byte { b := slices.Clone(good); b[len(b)/2] ^= 4; return b }, ErrDamaged},
		{"more behind it", func() []byte { return append(slices.Clone(good), 0) }, ErrDamaged},
		{"another version", func() []byte { b := slices.Clone(good); b[len(fileMagic)] = 9; return b }, ErrVersion},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "x")
			if err := os.WriteFile(path, c.make(), 0o666); err != nil {
				t.Fatal(err)
			}
			_, err := Load(path)
			if _, ok := errors.AsType[*files.InputError](err); !ok || !errors.Is(err, c.want) {
				t.Errorf("error %v, want %v", err, c.want)
			}
		})
	}
}
