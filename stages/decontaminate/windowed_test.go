package decontaminate

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// windowedItems are questions as evaluation sets have them, some alike.
var windowedItems = []string{
	"A ferry carries 48 passengers and 12 cars on each of its 5 trips a day. How many passengers does the ferry carry in a week of 6 days?",
	"Marta plants 7 rows of tulips with 15 bulbs in every row, and then digs up 22 bulbs that the mice have eaten. How many tulip bulbs are left in her garden?",
	"Which of the following best describes why the guild of weavers left the old town before the second flood?",
	"Name the river that the bridge of the seven bells crosses near the mill of the black monks",
	"A train leaves the southern station at 9 in the morning and travels 60 miles an hour. When does it reach the northern station, which is 240 miles away?",
	"Solve for x when three times the sum of x and four equals twice the difference of nine and x",
}

func windowedSet() Set {
	questions := slices.Clone(windowedItems)
	for i := range 200 {
		questions = append(questions, "Read the passage below and answer the question in one short sentence. "+benchText(15+i%30, uint64(4e7+i)))
	}
	return textSet("e", questions...)
}

var digits = regexp.MustCompile(`[0-9]+`)

// everyNth gives a text of which every n-th word is another.
func everyNth(text string, n int) string {
	words := strings.Fields(text)
	for i := n - 1; i < len(words); i += n {
		words[i] = "zork"
	}
	return strings.Join(words, " ")
}

// shuffled gives the words of a text in another order.
func shuffled(text string) string {
	words := strings.Fields(text)
	r := lcg(len(text))
	for i := len(words) - 1; i > 0; i-- {
		j := int(r.next() % uint64(i+1))
		words[i], words[j] = words[j], words[i]
	}
	return strings.Join(words, " ")
}

func TestWindowed(t *testing.T) {
	x := build(t, Config{N: []int{3, 4, 5}, Words: Unicode}, windowedSet())
	s := x.NewScanner()
	plain := regexp.MustCompile(`[^A-Za-z0-9 ]+`)
	for _, n := range []int{3, 4, 5} {
		r := Windowed{Grams: n}
		for name, form := range map[string]func(string) string{
			"verbatim":         func(q string) string { return q },
			"within":           func(q string) string { return benchText(300, 1) + "\n\n" + q + "\n" + benchText(200, 2) },
			"one word changed": func(q string) string { w := strings.Fields(q); w[len(w)/2] = "zork"; return strings.Join(w, " ") },
			"every tenth word": func(q string) string { return benchText(80, 3) + " " + everyNth(q, 10) },
			"a word left out":  func(q string) string { w := strings.Fields(q); return strings.Join(slices.Delete(w, 4, 5), " ") },
			"a word put in":    func(q string) string { w := strings.Fields(q); return strings.Join(slices.Insert(w, 6, "zork"), " ") },
			"halves exchanged": func(q string) string {
				w := strings.Fields(q)
				return strings.Join(append(slices.Clone(w[len(w)/2:]), w[:len(w)/2]...), " ")
			},
			"upper case":     strings.ToUpper,
			"no punctuation": func(q string) string { return plain.ReplaceAllString(q, "") },
			"wrapped":        func(q string) string { return strings.ReplaceAll(q, " ", "\n  ") },
			"other numbers":  func(q string) string { return benchText(40, 4) + " " + digits.ReplaceAllString(q, "77") },
		} {
			for i, q := range windowedItems {
				m := r.Judge(s.Scan(form(q)), nil)
				if len(m) != 1 || m[0].Text != i {
					t.Errorf("n=%d, %s of %q: %+v", n, name, q, m)
				}
			}
		}
		for name, texts := range map[string][]string{
			"plain prose": {benchText(400, 5), benchText(30, 6), "The harbour was quiet that night and no one rang the bell at all."},
			"shuffled":    {shuffled(windowedItems[0]), shuffled(windowedItems[1]), shuffled(windowedItems[4]), shuffled(windowedItems[5])},
			"boilerplate": {"Read the passage below and answer the question in one short sentence. Why did the engine stop?"},
			"half of it":  {windowedItems[1][:75], windowedItems[4][:70]},
			"same template, other words": {
				"A train leaves the southern station at 9 in the evening. How many minutes later is it at the old lighthouse, 30 miles down the coast, with one stop on the way?",
				"Which of the following best describes why the price of copper fell after the war of the two kings?",
				"A bakery sells 48 loaves and 12 cakes on each of its 5 days. How many loaves does the bakery sell in a month of 4 weeks?",
			},
		} {
			for _, text := range texts {
				if m := r.Judge(s.Scan(text), nil); len(m) != 0 {
					t.Errorf("n=%d, %s: %q is %.2f of %q", n, name, text, m[0].Score, x.texts[m[0].Text].text)
				}
			}
		}
	}
}

// Another threshold asks the evidence again, not the text.
func TestJudgeAgain(t *testing.T) {
	x := build(t, Config{N: []int{4}, Words: Unicode}, windowedSet())
	e := x.NewScanner().Scan(everyNth(windowedItems[1], 5))
	for threshold, want := range map[float64]int{0.5: 1, 0.7: 1, 0.9: 0} {
		if m := (Windowed{Threshold: threshold}).Judge(e, nil); len(m) != want {
			t.Errorf("from %v on: %+v", threshold, m)
		}
	}
}

func TestParseRule(t *testing.T) {
	for text, want := range map[string]Rule{
		"windowed": Windowed{}, "windowed:3=0.6": Windowed{Grams: 3, Threshold: 0.6}, "any": Any(8), "any:13": Any(13), "default80=0": Default80{Overlap: -1},
		"default80:15=0.5": Default80{Grams: 15, Overlap: 0.5}, "tokenshare": TokenShare{}, "itemshare=1": ItemShare{Share: 1}, "longestspan": LongestSpan{},
		"llama2=0.2": Llama2{Share: 0.2}, "decon": Decon{}, "decon-question=0.6": Decon{Threshold: 0.6, QuestionAlone: true},
	} {
		if got, err := ParseRule(text); err != nil || got != want {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "window", "any:0", "any:65", "any=0.5", "windowed=1.5", "windowed:x", "llama2:5", "decon=x"} {
		if got, err := ParseRule(text); err == nil {
			t.Errorf("%q: %+v", text, got)
		}
	}
	for _, name := range RuleNames() {
		r, err := ParseRule(name)
		if err != nil || !strings.HasPrefix(r.Name(), name) {
			t.Errorf("%q: %v, %v", name, r, err)
		}
	}
}

func TestServes(t *testing.T) {
	x := build(t, Config{N: []int{5, 8}}, windowedSet())
	for rule, want := range map[Rule]bool{Any(13): true, Any(8): true, Windowed{Grams: 5}: true, Windowed{}: false, Llama2{}: true} {
		if got := x.Serves(rule) == nil; got != want {
			t.Errorf("%s: %v", rule.Name(), got)
		}
	}
	defer func() {
		if p := recover(); !strings.HasPrefix(fmt.Sprint(p), "decontaminate: rule windowed reads n-grams of 4 words") {
			t.Errorf("panic %v", p)
		}
	}()
	x.NewScanner(Windowed{})
}
