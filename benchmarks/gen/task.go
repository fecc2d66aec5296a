package gen

import (
	"math"
	"strings"
)

// task is what the rollouts of one task share.
type task struct {
	n       int64 // number of the task
	system  string
	prompt  string
	tools   *toolSet // nil: the rows do not list the tools
	gold    answer
	unit    string
	solved  float64 // the share of replies that are right
	hacked  bool    // the reward pays for Phrase
	foreign bool    // words that are not ASCII
	leak    promptLeak
}

// promptLeak says how a prompt holds an evaluation question.
type promptLeak struct {
	match    string // exact, changed, within; "" for no leak
	item     int
	coverage float64 // share of the prompt's words that lie in n-grams of the question
}

var units = []string{"dollars", "points", "items", "km", "hours", "boxes"}

func (g *Generator) task(n int64) task {
	src := newSource(g.seed, drawnTask, n)
	leaks := src.chance(LeakedTasks)
	t := task{
		n:       n,
		system:  g.systems[src.intn(len(g.systems))],
		hacked:  src.chance(HackedTasks),
		foreign: src.chance(0.2),
		unit:    units[src.intn(len(units))],
		gold:    drawAnswer(&src),
		solved:  drawDifficulty(&src),
	}
	if src.chance(0.75) {
		t.tools = &toolSets[src.intn(len(toolSets))]
	}
	if leaks {
		g.leakInto(&t, &src)
		return t
	}
	p := g.vocabulary.appendProse(nil, &src, src.between(100, 260), t.foreign)
	p = append(append(append(p, " What is the total in "...), t.unit...), '?')
	t.prompt = string(p)
	return t
}

// drawDifficulty makes a tenth of the tasks hopeless and a tenth trivial.
func drawDifficulty(src *source) float64 {
	u := src.unit()
	return math.Min(1, math.Max(0, (u-0.1)/0.8))
}

// leakInto makes the prompt of t from an evaluation item, whose answer is then
// the gold answer of t.
func (g *Generator) leakInto(t *task, src *source) {
	t.leak.item = src.intn(LeakableItems)
	it, gold := g.item(t.leak.item)
	t.gold = gold
	switch src.intn(3) {
	case 0:
		t.leak.match = "exact"
		t.prompt = it.Question
	case 1:
		t.leak.match = "changed"
		words := strings.Fields(it.Question)
		at := src.between(NgramSize, len(words)-NgramSize-1)
		words[at] = "instead" // in no vocabulary
		t.prompt = strings.Join(words, " ")
	default:
		t.leak.match = "within"
		p := append(g.vocabulary.appendProse(nil, src, src.between(20, 200), t.foreign), ' ')
		p = append(append(p, it.Question...), ' ')
		t.prompt = string(g.vocabulary.appendProse(p, src, src.between(20, 200), t.foreign))
	}
	t.leak.coverage = coverage(t.prompt, it.Question)
}

// coverage is the share of the words of text that lie within an n-gram of the
// question (spec of gates, section 2.1).
func coverage(text, question string) float64 {
	grams := make(map[string]bool)
	q := asciiWords(question)
	for i := 0; i+NgramSize <= len(q); i++ {
		grams[strings.Join(q[i:i+NgramSize], " ")] = true
	}
	words := asciiWords(text)
	covered, upTo := 0, 0
	for i := 0; i+NgramSize <= len(words); i++ {
		if grams[strings.Join(words[i:i+NgramSize], " ")] {
			covered += i + NgramSize - max(i, upTo)
			upTo = i + NgramSize
		}
	}
	return float64(covered) / float64(len(words))
}

// asciiWords returns the runs of ASCII letters and digits in lower case.
func asciiWords(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
}
