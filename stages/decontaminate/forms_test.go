package decontaminate

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// distinct is so many different words, from number first on.
func distinct(prefix string, first, words int) string {
	list := make([]string, words)
	for i := range list {
		list[i] = fmt.Sprintf("%s%d", prefix, first+i)
	}
	return strings.Join(list, " ")
}

// What an n-gram rule finds of an item of L different words of which blocks are
// left is known in closed form.
func TestClosedForms(t *testing.T) {
	for _, c := range []struct {
		length, n        int
		blocks           []int
		grams, of        int
		cover            float64
		share, half, any bool
	}{
		{20, 8, []int{20}, 13, 13, 1, true, true, true},
		{20, 8, []int{12}, 5, 13, 0.6, false, true, true},
		{20, 8, []int{9, 10}, 5, 13, 0.95, false, true, true},
		{20, 13, []int{9, 10}, 0, 8, 0, false, false, false},
		{20, 5, []int{9, 10}, 11, 16, 0.95, false, true, true},
		{20, 8, []int{7, 7, 4}, 0, 13, 0, false, false, false},
		{40, 8, []int{19, 20}, 25, 33, 0.975, false, true, true},
		{40, 13, []int{19, 20}, 15, 28, 0.975, false, true, true},
		{12, 8, []int{11}, 4, 5, 11.0 / 12, true, true, true},
		{8, 8, []int{8}, 1, 1, 1, true, true, true},
		{100, 8, []int{83, 16}, 85, 93, 0.99, true, true, true},
		{100, 8, []int{80}, 73, 93, 0.8, false, true, true},
		{100, 8, []int{87}, 80, 93, 0.87, true, true, true},
	} {
		t.Run(fmt.Sprint(c.length, c.n, c.blocks), func(t *testing.T) {
			x := build(t, Config{N: []int{c.n}}, textSet("e", distinct("w", 0, c.length)))
			var text strings.Builder
			text.WriteString(distinct("before", 0, 30))
			at := 0
			for _, b := range c.blocks {
				text.WriteString(" " + distinct("w", at, b) + " ")
				at += b
				if at < c.length {
					text.WriteString("changed")
					at++
				}
			}
			text.WriteString(" " + distinct("behind", 0, 30))
			s := x.NewScanner()
			e := s.Scan(text.String())
			flags := func(r Rule) (bool, float64) {
				m := r.Judge(e, nil)
				if len(m) == 0 {
					return false, 0
				}
				return true, m[0].Score
			}
			if got, _ := flags(ItemShare{Grams: c.n}); got != c.share {
				t.Errorf("80 %% of its n-grams: %v", got)
			}
			if got, _ := flags(TokenShare{Grams: c.n}); got != c.half {
				t.Errorf("more than half of its words: %v", got)
			}
			if got, _ := flags(Any(c.n)); got != c.any {
				t.Errorf("any: %v", got)
			}
			_, share := flags(ItemShare{Grams: c.n, Share: -1})
			_, cover := flags(TokenShare{Grams: c.n, Over: -1})
			if want := float64(c.grams) / float64(c.of); math.Abs(share-want) > 1e-12 || math.Abs(cover-c.cover) > 1e-12 {
				t.Errorf("shares of n-grams %.4f, of words %.4f; want %.4f and %.4f", share, cover, want, c.cover)
			}
		})
	}
}

// An item of fewer words than an n-gram has is found when a text has nothing
// else, and is reported.
func TestShorterThanAnNGram(t *testing.T) {
	x := build(t, Config{}, textSet("e", distinct("w", 0, 7), distinct("v", 0, 9)))
	s := x.NewScanner()
	for _, r := range []Rule{Any(8), ItemShare{}, TokenShare{}, LongestSpan{}, Windowed{Grams: 8}} {
		if m := r.Judge(s.Scan(distinct("before", 0, 9)+" "+distinct("w", 0, 7)), nil); len(m) != 0 {
			t.Errorf("%s finds it within a text: %+v", r.Name(), m)
		}
		if m := r.Judge(s.Scan("W0, "+distinct("w", 1, 6)+"!"), nil); len(m) != 1 || m[0].Kind != Exact || m[0].Score != 1 {
			t.Errorf("%s alone: %+v", r.Name(), m)
		}
	}
	if states := x.sets[0].States; states.TooShort != 1 || states.Usable != 1 {
		t.Errorf("%+v", states)
	}
}

// An n-gram that an item has twice counts twice, wherever it was found.
func TestRepeatedWords(t *testing.T) {
	x := build(t, Config{N: []int{3}}, textSet("e", "a b c a b c x y z"))
	m := ItemShare{Grams: 3, Share: -1}.Judge(x.NewScanner().Scan("say a b c please"), nil)
	if len(m) != 1 || m[0].Score != 2.0/7 || m[0].Words != 6 {
		t.Errorf("%+v", m)
	}
}

func TestWeightsOfDecon(t *testing.T) {
	x := build(t, Config{N: []int{1}}, textSet("e",
		"a b", "a c", "a d", "c e", "f", "g", "h", "i", "j", "k"))
	want := map[string]float64{"b": math.Log(10), "c": math.Log(5), "a": math.Log(10.0 / 3)}
	for word, w := range want {
		if got := x.idf(&x.grams[0], hashWord([]byte(word))); math.Abs(got-w) > 1e-12 {
			t.Errorf("%s: %v, want %v", word, got, w)
		}
	}
	item := []uint32{x.words.id(hashWord([]byte("a")), []byte("a")), x.words.id(hashWord([]byte("b")), []byte("b")), x.words.id(hashWord([]byte("c")), []byte("c"))}
	share, grams := x.overlap(item, 1, func(i int) bool { return i < 2 })
	if want := (math.Log(10.0/3) + math.Log(10)) / (math.Log(10.0/3) + math.Log(10) + math.Log(5)); math.Abs(share-want) > 1e-12 || grams != 3 || math.Abs(share-0.685) > 0.001 {
		t.Errorf("overlap %v of %d, want %v", share, grams, want)
	}
	for words, want := range map[int]float64{5: 1, 20: 1, 35: 0.9, 50: 0.8, 500: 0.8} {
		if got := requiredScore(words, 0.8); math.Abs(got-want) > 1e-12 {
			t.Errorf("%d words must reach %v, want %v", words, got, want)
		}
	}
	for threshold, want := range map[float64]float64{1: 1, 0.8: 5.0 / 7, 0.5: 2.0 / 7, 0.2: 0} {
		if got := questionFloor(threshold); math.Abs(got-want) > 1e-12 {
			t.Errorf("threshold %v asks %v of a question, want %v", threshold, got, want)
		}
	}
}

func TestDecon(t *testing.T) {
	item := Item{Texts: []Text{{Question, distinct("q", 0, 60)}, {Answer, distinct("a", 0, 6)}, {Passage, distinct("p", 0, 40)}}}
	x := build(t, Config{N: []int{3, 4, 5}}, Set{Name: "e", Items: []Item{item}}, textSet("f", distinct("other", 0, 50)))
	q, a, p, gap := distinct("q", 0, 60), distinct("a", 0, 6), distinct("p", 0, 40), " "+distinct("gap", 0, 40)+" "
	s := x.NewScanner()
	for _, c := range []struct {
		name, text string
		want       bool
	}{
		{"question and answer and passage", p + gap + q + gap + a, true},
		{"question and answer", q + gap + a, true},
		{"question alone", gap + q + gap, false}, // 0.7 stays under the threshold
		{"answer before the question", a + gap + q, false},
		{"answer too far behind", q + " " + distinct("far", 0, 120) + " " + a, false},
		{"half of the question", distinct("q", 0, 30) + gap + a, false},
		{"every tenth word changed", strings.ReplaceAll(q, "5 q", "x q") + gap + a, false},
	} {
		if got := len(Decon{}.Judge(s.Scan(c.text), nil)) == 1; got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	if got := (Decon{QuestionAlone: true}).Judge(s.Scan(gap+q+gap), nil); len(got) != 1 || got[0].Score != 1 {
		t.Errorf("question alone: %+v", got)
	}
}

func TestLlama2(t *testing.T) {
	x := build(t, Config{N: []int{10}}, textSet("e", distinct("w", 0, 40)))
	s := x.NewScanner()
	for _, c := range []struct {
		name, text string
		words      int
	}{
		{"whole", distinct("w", 0, 40), 40},
		{"four differ", distinct("w", 0, 12) + " x " + distinct("w", 13, 3) + " x " + distinct("w", 17, 3) + " x " + distinct("w", 21, 3) + " x " + distinct("w", 25, 15), 36},
		{"five differ", distinct("w", 0, 12) + " x " + distinct("w", 13, 3) + " x " + distinct("w", 17, 3) + " x " + distinct("w", 21, 3) + " x " + distinct("w", 25, 3) + " x " + distinct("w", 29, 2), 24},
		{"ten words are too few", distinct("w", 0, 10), 0},
		{"eleven are enough", distinct("w", 0, 11), 11},
		{"one differs early", distinct("w", 0, 5) + " x " + distinct("w", 6, 9), 0},
	} {
		m := Llama2{Share: -1}.Judge(s.Scan(c.text), nil)
		got := 0
		if len(m) > 0 {
			got = m[0].Words
		}
		if got != c.words {
			t.Errorf("%s: %d words, want %d", c.name, got, c.words)
		}
	}
	for score, want := range map[float64]string{0.1: "clean", 0.2: "not clean", 0.79: "not clean", 0.8: "dirty"} {
		if got := (Llama2{}).Band(score); got != want {
			t.Errorf("%v is %s, want %s", score, got, want)
		}
	}
}
