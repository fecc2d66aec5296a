package decontaminate

import (
	"cmp"
	"slices"
	"sync"

	"github.com/rollmill/rollmill/formats/rollout"
)

// Tally counts what checkers find in rows. Tallies of workers or shards merge,
// and what they have counted is the same for any order of rows and any way to
// spread them: what is first is so by [rollout.Pos]. Apart from some examples it
// holds nothing of a row, and of the index some bits a text. It is not safe for
// concurrent use.
type Tally struct {
	x          *Index
	o          Options
	rows       int64
	flagged    int64
	tasked     int64 // rows that say their task
	discounted int64 // n-grams found that are no evidence
	blank      int64 // rows without a text that has words
	beside     besideTally
	prompts    States
	rules      []ruleTally
	first      []Example // of each of the first rows flagged its best match
	top        []Example // the best matches, one a row

	mu           sync.Mutex // of stages that share the tally
	meaning      *Meaning   // the semantic rule, where it was asked
	byMeaning    int64
	meaningParts [len(partsNames) + 1]int64
}

// ruleTally counts rows by what one rule made of them.
type ruleTally struct {
	rows   int64
	kinds  [kindEnd]int64
	parts  [len(partsNames) + 1]int64 // by the part of the first match; the last is the task
	scores [scoreBins]int64           // by the best score
	sets   []int64                    // rows that each set flags
	items  bitset                     // the items that were found
}

// scoreBins is how many bins of scores there are: each a twentieth wide, the last
// holds 1.
const scoreBins = 21

const (
	kindSameTask = iota
	kindExact
	kindNear
	kindSemantic
	kindEnd
)

var kindNames = [kindEnd]string{SameTask, Exact, Near, Semantic}

// NewTally returns a tally of what checkers of the index and the options find.
func NewTally(x *Index, o Options) *Tally {
	o = o.settle()
	t := &Tally{x: x, o: o, rules: make([]ruleTally, len(o.Rules))}
	for i := range t.rules {
		t.rules[i].sets = make([]int64, len(x.sets))
		t.rules[i].items = newBitset(len(x.items))
	}
	return t
}

// Add counts a row and what was found in it.
func (t *Tally) Add(row *rollout.Row, c *Checker, found []Found) {
	t.rows++
	if row.TaskID != "" {
		t.tasked++
	}
	t.discounted += int64(c.Discounted())
	if t.o.Parts&Prompt != 0 {
		t.prompts.Add(c.Prompt())
	}
	if c.Texts() == 0 {
		t.blank++
	}
	t.beside.add(row, t.o.Parts, t.x.config.shortest())
	if len(found) == 0 {
		return
	}
	t.flagged++
	for i := range t.rules {
		t.rules[i].add(t.x, row, found, i)
	}
	t.show(row, found)
}

// add counts a row for the rule of a number.
func (r *ruleTally) add(x *Index, row *rollout.Row, found []Found, rule int) {
	first, best := -1, 0.0
	var sets []uint32
	for i := range found {
		f := &found[i]
		if f.Rule != rule {
			continue
		}
		if first < 0 {
			first = i
		}
		best = max(best, f.Score)
		for _, item := range x.itemsOf(row, f) {
			r.items.set(int(item))
			if set := x.items[item].set; !slices.Contains(sets, set) {
				sets = append(sets, set)
				r.sets[set]++
			}
		}
	}
	if first < 0 {
		return
	}
	r.rows++
	r.kinds[slices.Index(kindNames[:], found[first].Kind)]++
	r.parts[partNumber(&found[first])]++
	r.scores[min(int(best*(scoreBins-1)+1e-9), scoreBins-1)]++
}

// partNumber is the number of the part of a row that a match stands in, that of
// the task behind them.
func partNumber(f *Found) int {
	for i := range partsNames {
		if f.Place.Part == 1<<i {
			return i
		}
	}
	return len(partsNames)
}

// show keeps the best match of a row, if the row is one of the first or the match
// one of the best.
func (t *Tally) show(row *rollout.Row, found []Found) {
	best := 0
	for i := range found {
		if c := cmp.Compare(found[i].Score, found[best].Score); c > 0 || c == 0 && found[i].Words > found[best].Words {
			best = i
		}
	}
	probe := Example{Row: row.Pos, Score: found[best].Score, Words: found[best].Words}
	isFirst, isTop := t.takes(t.first, probe, byRow), t.takes(t.top, probe, byScore)
	if !isFirst && !isTop {
		return
	}
	e := t.x.exampleOf(row, t.o.Rules, &found[best])
	if isFirst {
		t.first = t.keep(append(t.first, e), byRow)
	}
	if isTop {
		t.top = t.keep(append(t.top, e), byScore)
	}
}

func byRow(a, b Example) int { return a.Row.Compare(b.Row) }

func byScore(a, b Example) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.Words, a.Words), a.Row.Compare(b.Row))
}

// takes reports whether a list of examples would keep one more.
func (t *Tally) takes(list []Example, e Example, order func(a, b Example) int) bool {
	return len(list) < t.o.Examples || order(e, list[len(list)-1]) < 0
}

func (t *Tally) keep(list []Example, order func(a, b Example) int) []Example {
	slices.SortFunc(list, order)
	return list[:min(len(list), t.o.Examples)]
}

// Merge adds what another tally of the same index and options has counted. The
// other must not be used any more.
func (t *Tally) Merge(o *Tally) {
	t.rows += o.rows
	t.flagged += o.flagged
	t.tasked += o.tasked
	t.discounted += o.discounted
	t.blank += o.blank
	t.beside.merge(&o.beside)
	t.prompts.Merge(o.prompts)
	for i := range t.rules {
		t.rules[i].merge(&o.rules[i])
	}
	t.byMeaning += o.byMeaning
	for i := range o.meaningParts {
		t.meaningParts[i] += o.meaningParts[i]
	}
	t.first = t.keep(append(t.first, o.first...), byRow)
	t.top = t.keep(append(t.top, o.top...), byScore)
}

func (r *ruleTally) merge(o *ruleTally) {
	r.rows += o.rows
	for i := range o.kinds {
		r.kinds[i] += o.kinds[i]
	}
	for i := range o.parts {
		r.parts[i] += o.parts[i]
	}
	for i := range o.scores {
		r.scores[i] += o.scores[i]
	}
	for i := range o.sets {
		r.sets[i] += o.sets[i]
	}
	r.items.add(o.items)
}
