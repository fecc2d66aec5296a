package decontaminate

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rollmill/rollmill/formats/rollout"
)

// templateSet are questions of few templates, so that most of their n-grams are
// stock phrases, and answers that say nothing.
func templateSet() Set {
	set := Set{Name: "e"}
	for i := range 120 {
		word := "z" + strings.Repeat("ab", i%7+1) + strings.Repeat("o", i/7+1)
		for _, q := range []string{
			"What is the capital city of the country called " + word + "?",
			word + " is the author of which famous novel about the sea?",
			fmt.Sprintf("A train travels %d km in %d hours. How far does it travel in %d hours at the same speed?", 3*i+40, i%9+2, i%5+12),
			fmt.Sprintf("Convert %d kilometres to miles and round to %d digits.", 5*i+3, i%6+2),
		} {
			set.Items = append(set.Items, Item{Texts: []Text{{Question, q}, {Answer, fmt.Sprintf("Let us think about it step by step. The answer is %d.", i%40)}}})
		}
	}
	return set
}

// Questions that a template makes light are found where they stand whole, or but
// for their numbers; what only has the template, or a stock answer, is not.
func TestTemplates(t *testing.T) {
	x := build(t, Config{N: []int{4}, Words: Unicode}, templateSet())
	s := x.NewScanner()
	before, after := benchText(60, 11)+"\n\n", "\n"+benchText(50, 12)
	for _, c := range []struct {
		name, text string
		found      bool
	}{
		{"at the end", before + "What is the capital city of the country called zabo?" + after, true},
		{"at the beginning", before + strings.ToUpper("zababo is the author of which famous novel about the sea?") + after, true},
		{"verbatim", before + "A train travels 40 km in 2 hours. How far does it travel in 12 hours at the same speed?" + after, true},
		{"other numbers", before + "A train travels 7777 km in 88 hours. How far does it travel in 99 hours at the same speed?" + after, true},
		{"other numbers beside the ends", before + "Convert 4711 kilometres to miles and round to 77 digits." + after, true},
		{"half of it", before + "A train travels 7777 km in 88 hours. How long is it at the same speed?" + after, false},
		{"one word changed", before + "What is the capital town of the country called zabo?" + after, true},
		{"other words", before + "What is the third largest port of the country called Erewhon?" + after, false},
		{"a stock answer", "So. Let us think about it step by step. The answer is 7. Right?", false},
		{"a stock answer with other numbers", "So. Let us think about it step by step. The answer is 977. Right?", false},
	} {
		m := Windowed{}.Judge(s.Scan(c.text), nil)
		if found := len(m) > 0; found != c.found {
			t.Errorf("%s: %+v", c.name, m)
		}
	}
}

// An item is named by what it has: its rollout, its task, or the member id.
func TestItemID(t *testing.T) {
	named := func(row rollout.Row) rollout.Row {
		row.SetExtra("id", `"gsm8k-17"`)
		return row
	}
	for _, c := range []struct {
		row  rollout.Row
		want string
	}{
		{named(rollout.Row{Prompt: "q"}), "gsm8k-17"},
		{named(rollout.Row{Prompt: "q", TaskID: "t"}), "t"},
		{named(rollout.Row{Prompt: "q", TaskID: "t", ID: "r"}), "r"},
		{rollout.Row{Prompt: "q"}, ""},
	} {
		if item := ItemOf(&c.row); item.ID != c.want || item.TaskID != c.row.TaskID {
			t.Errorf("%q of task %q, want %q", item.ID, item.TaskID, c.want)
		}
	}
}
