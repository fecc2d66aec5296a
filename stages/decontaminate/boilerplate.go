package decontaminate

import (
	"cmp"
	"math/bits"
	"slices"
)

// Boilerplate is the n-grams of an index that are no evidence: stock phrases. A
// scanner that is told of it takes them for not found, and counts them. It is
// safe for concurrent use once it is made.
type Boilerplate struct {
	x        *Index
	maxItems int
	maxTasks int
	sets     []bitset // of each length a bit an n-gram
	tasks    []bitset // those of them that many tasks have
}

// Boilerplate returns the n-grams that more than maxItems texts of the index
// have; none for 0.
func (x *Index) Boilerplate(maxItems int) *Boilerplate {
	b := &Boilerplate{x: x, maxItems: maxItems}
	for i := range x.grams {
		t := x.grams[i].table
		set := newBitset(t.len())
		for e := range t.len() {
			if maxItems > 0 && t.groups(e) > maxItems {
				set.set(e)
			}
		}
		b.sets = append(b.sets, set)
		b.tasks = append(b.tasks, newBitset(t.len()))
	}
	return b
}

// holds reports whether an n-gram of the length of that number is in it.
func (b *Boilerplate) holds(length int, entry uint32) bool { return b.sets[length].has(int(entry)) }

// Discounted says of one length which n-grams are no evidence.
type Discounted struct {
	N      int      `json:"n"`
	Grams  int      `json:"ngrams"`
	Items  int      `json:"in_many_items"`
	Tasks  int      `json:"in_many_tasks"`
	Common []string `json:"most_common"` // those that most texts of the index have
}

// maxCommon is how many n-grams are named.
const maxCommon = 10

// Report names what is discounted, by length.
func (b *Boilerplate) Report() (list []Discounted) {
	for i := range b.x.grams {
		g := &b.x.grams[i]
		d := Discounted{N: g.n, Grams: b.sets[i].count(), Tasks: b.tasks[i].count(), Common: []string{}}
		var entries []int
		for e := range b.sets[i].all() {
			if g.table.groups(e) > b.maxItems && b.maxItems > 0 {
				d.Items++
			}
			entries = append(entries, e)
		}
		slices.SortStableFunc(entries, func(a, c int) int { return cmp.Compare(g.table.groups(c), g.table.groups(a)) })
		for _, e := range entries[:min(len(entries), maxCommon)] {
			token := g.table.values(e)[0]
			text := b.x.textAt(token)
			d.Common = append(d.Common, b.x.phrase(text, int(token-b.x.firsts[text]), g.n))
		}
		list = append(list, d)
	}
	return list
}

// bitset is a set of small numbers.
type bitset []uint64

func newBitset(n int) bitset { return make(bitset, (n+63)/64) }

func (s bitset) set(i int)      { s[i/64] |= 1 << (i % 64) }
func (s bitset) has(i int) bool { return s[i/64]>>(i%64)&1 != 0 }

func (s bitset) count() (n int) {
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// all yields the numbers in their order.
func (s bitset) all() func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for i, w := range s {
			for ; w != 0; w &= w - 1 {
				if !yield(64*i + bits.TrailingZeros64(w)) {
					return
				}
			}
		}
	}
}

// add adds the numbers of another set.
func (s bitset) add(o bitset) {
	for i, w := range o {
		s[i] |= w
	}
}
