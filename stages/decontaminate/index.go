package decontaminate

import (
	"slices"
	"sort"
	"strconv"

	"github.com/rollmill/rollmill/formats/rollout"
)

// Index is the n-grams of evaluation sets, and whose they are: what scanners
// look rows up in. It never changes and is safe for concurrent use.
//
// Beyond the texts it takes about 18 bytes an n-gram of one length, and 14 more
// for every further length.
type Index struct {
	config Config
	sets   []setInfo
	items  []itemInfo
	texts  []textInfo
	firsts []uint32 // the first token of each text, and behind the last one
	tokens []uint32 // the words of all texts by their number in the vocabulary
	words  *vocabulary
	grams  []grams             // by n, the shortest first
	wholes *table              // texts by the hash of all their words
	tasks  map[string][]uint32 // items by their task id
	copies map[int32][]uint32  // items that have a text of an earlier one
}

// grams are the n-grams of one length.
type grams struct {
	n     int
	power uint64
	table *table // from their hash to the token where they begin
	sieve *sieve // nil for short ones
}

type setInfo struct {
	Name   string `json:"name"`
	Items  int    `json:"items"`  // items of the set, without those that are malformed
	First  int    `json:"first"`  // its first item
	Copies int    `json:"copies"` // texts that an earlier item has too
	States States `json:"states"` // of the questions of its records
}

type itemInfo struct {
	set        uint32
	id, taskID string
	texts      []partText
}

// partText is a part of an item and the number of its text, -1 when it has no
// words. Items that say the same share a text.
type partText struct {
	part Part
	text int32
}

type textInfo struct {
	item uint32 // the first item that has it
	part Part
	text string
}

// Config returns what the index is made of.
func (x *Index) Config() Config {
	c := x.config
	c.N = slices.Clone(c.N)
	return c
}

// Texts is how many different texts there are.
func (x *Index) Texts() int { return len(x.texts) }

// Items is how many evaluation items there are.
func (x *Index) Items() int { return len(x.items) }

// Grams is how many different n-grams of a length there are; 0 when that length
// is not indexed.
func (x *Index) Grams(n int) int {
	for i := range x.grams {
		if x.grams[i].n == n {
			return x.grams[i].table.len()
		}
	}
	return 0
}

// Bytes is the memory that the index takes beyond its texts and the ids.
func (x *Index) Bytes() int {
	sum := x.words.bytes() + 4*(len(x.firsts)+len(x.tokens)) + x.wholes.bytes()
	for i := range x.grams {
		sum += x.grams[i].table.bytes()
		if s := x.grams[i].sieve; s != nil {
			sum += 8 * len(s.filter)
		}
	}
	return sum
}

// textAt returns the text that a token is of.
func (x *Index) textAt(token uint32) int {
	return sort.Search(len(x.texts), func(i int) bool { return x.firsts[i+1] > token })
}

// wordsOf returns the words of a text by their numbers.
func (x *Index) wordsOf(text int) []uint32 { return x.tokens[x.firsts[text]:x.firsts[text+1]] }

// gramsFor returns the longest n-grams that are not longer than n, nil when all
// are. What they find shows all matches of n words and more.
func (x *Index) gramsFor(n int) *grams {
	var found *grams
	for i := range x.grams {
		if x.grams[i].n <= n {
			found = &x.grams[i]
		}
	}
	return found
}

// lengthOf is the number of the length of n-grams.
func (x *Index) lengthOf(g *grams) int {
	return slices.IndexFunc(x.grams, func(other grams) bool { return other.n == g.n })
}

// Location says where in the evaluation sets a text stands.
type Location struct {
	Set    string `json:"set"`
	Item   string `json:"item"` // its id, else its number in the set from 1 on, as in #12
	Part   Part   `json:"part"`
	TaskID string `json:"task_id,omitempty"`
}

// TextAt returns a text and where it stands: that of the first item that has it.
func (x *Index) TextAt(text int) (Location, string) {
	t := &x.texts[text]
	return x.location(int(t.item), t.part), t.text
}

func (x *Index) location(item int, part Part) Location {
	it := &x.items[item]
	set := &x.sets[it.set]
	name := it.id
	if name == "" {
		name = "#" + strconv.Itoa(item-set.First+1)
	}
	return Location{Set: set.Name, Item: name, Part: part, TaskID: it.taskID}
}

// itemsOf lists the items that a match is about: all that have its text, or its
// task.
func (x *Index) itemsOf(row *rollout.Row, f *Found) []uint32 {
	if f.Text < 0 {
		return x.tasks[row.TaskID]
	}
	return append([]uint32{x.texts[f.Text].item}, x.copies[int32(f.Text)]...)
}

// link finds what the items have in common: tasks and texts.
func (x *Index) link() {
	x.tasks, x.copies = map[string][]uint32{}, map[int32][]uint32{}
	for i := range x.items {
		item := &x.items[i]
		if item.taskID != "" {
			x.tasks[item.taskID] = append(x.tasks[item.taskID], uint32(i))
		}
		for _, t := range item.texts {
			if t.text < 0 || x.texts[t.text].item == uint32(i) {
				continue
			}
			if list := x.copies[t.text]; len(list) == 0 || list[len(list)-1] != uint32(i) {
				x.copies[t.text] = append(list, uint32(i))
			}
		}
	}
}
