package labelled

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/rollmill/rollmill/formats/rollout"
)

// Kind is what an item asks for.
type Kind string

const (
	Story   Kind = "story"   // a word problem with numbers
	Quiz    Kind = "quiz"    // a question of knowledge with four options
	Code    Kind = "code"    // a programming task
	Passage Kind = "passage" // a text and a question about it
	Short   Kind = "short"   // a question of 8 to 12 words
	Formula Kind = "formula" // a question around a formula that everybody knows
)

// kinds are the shares of the items: of 14, how many are of which.
var kinds = [14]Kind{Story, Quiz, Story, Code, Short, Formula, Story, Quiz, Passage, Short, Code, Story, Quiz, Short}

// Item is one question of an evaluation set.
type Item struct {
	ID     string
	Kind   Kind
	Text   string
	Answer string
	asked  string // the text without the instruction around it
}

// Row returns the item as a row of an evaluation set.
func (i Item) Row() rollout.Row {
	row := rollout.Row{TaskID: i.ID, Prompt: i.Text}
	row.SetExtra("answer", quote(i.Answer))
	row.SetExtra("kind", quote(string(i.Kind)))
	return row
}

func quote(s string) string {
	b, _ := json.Marshal(s) // a string always is JSON
	return string(b)
}

// bare says that there is no instruction around the item.
func (i Item) bare() bool { return i.Text == i.asked }

// newItem writes the item of a number.
func newItem(seed uint64, h Half, n int) Item {
	w := newWriter(newSource(seed, "item "+h.String(), n), h)
	kind := kinds[n%len(kinds)]
	item := Item{ID: fmt.Sprintf("%s-%s-%d", h, kind, n), Kind: kind, Text: w.ask(kind)}
	item.asked = item.Text
	item.Answer = w.answer(kind)
	if with := 40; kind != Short && w.percent(with) || kind == Short && w.percent(with/4) {
		item.Text = w.instruct(item.Text)
	}
	return item
}

func (w *writer) ask(kind Kind) string {
	switch kind {
	case Story:
		return w.wordProblem()
	case Quiz:
		return w.quiz()
	case Code:
		return w.task()
	case Passage:
		return w.prose(w.between(40, 110)) + "\n\n" + w.write(pick(w.source, of(w.half, readings)))
	case Short:
		return w.short()
	}
	return w.formulaQuestion(pick(w.source, of(w.half, formulas)))
}

func (w *writer) formulaQuestion(formula string) string {
	before, after, _ := strings.Cut(pick(w.source, of(w.half, around)), "%s")
	return w.write(before) + formula + w.write(after)
}

func (w *writer) answer(kind Kind) string {
	switch kind {
	case Story, Formula:
		return strconv.Itoa(w.between(2, 5000))
	case Quiz:
		return pick(w.source, []string{"A", "B", "C", "D"})
	}
	return w.write("the {adj} {thing} of {name}")
}

// instruct puts an instruction before a question, or after it.
func (w *writer) instruct(question string) string {
	instruction := pick(w.source, of(w.half, instructions))
	if w.percent(70) {
		return instruction + "\n\n" + question
	}
	return question + "\n\n" + instruction
}
