package neardup

import (
	"cmp"
	"math/bits"
	"slices"
)

// pairs counts pairs of prompts that were found, and keeps the first of them.
type pairs struct {
	n        int64
	involved []uint64 // a bit for each set that has a partner
	sets     *sets
	keep     int
	first    []pair // in order, at most keep
}

// pair is two prompts by their numbers, i before j.
type pair struct {
	i, j    int32
	jaccard float64
}

func (p pair) compare(q pair) int {
	return cmp.Or(cmp.Compare(p.i, q.i), cmp.Compare(p.j, q.j))
}

func newPairs(s *sets, keep int) *pairs {
	return &pairs{involved: make([]uint64, (s.len()+63)/64), sets: s, keep: keep}
}

// addSet counts the pairs within a set: all its prompts are alike.
func (p *pairs) addSet(a int32) {
	if m := int64(len(p.sets.members[a])); m > 1 {
		p.n += m * (m - 1) / 2
		p.mark(a)
		p.show(a, a, 1)
	}
}

// add counts the pairs between the prompts of two sets.
func (p *pairs) add(a, b int32, jaccard float64) {
	p.n += int64(len(p.sets.members[a])) * int64(len(p.sets.members[b]))
	p.mark(a)
	p.mark(b)
	p.show(a, b, jaccard)
}

func (p *pairs) mark(a int32) { p.involved[a/64] |= 1 << (a % 64) }

// show keeps what is among the first pairs. Of each set no more than the first
// keep+1 prompts can be: each pair with a later one comes after keep others.
func (p *pairs) show(a, b int32, jaccard float64) {
	as, bs := p.sets.members[a], p.sets.members[b]
	as, bs = as[:min(len(as), p.keep+1)], bs[:min(len(bs), p.keep+1)]
	if x := (pair{i: min(as[0], bs[0]), j: max(as[0], bs[0])}); p.full() && x.compare(p.first[len(p.first)-1]) >= 0 && a != b {
		return
	}
	for _, i := range as {
		for _, j := range bs {
			if a != b || i < j {
				p.offer(pair{min(i, j), max(i, j), jaccard})
			}
		}
	}
}

func (p *pairs) full() bool { return len(p.first) == p.keep }

func (p *pairs) offer(x pair) {
	if p.keep == 0 || p.full() && x.compare(p.first[p.keep-1]) >= 0 {
		return
	}
	if p.full() {
		p.first = p.first[:p.keep-1]
	}
	at, _ := slices.BinarySearchFunc(p.first, x, pair.compare)
	p.first = slices.Insert(p.first, at, x)
}

// merge adds other pairs of the same sets.
func (p *pairs) merge(o *pairs) {
	p.n += o.n
	for i, w := range o.involved {
		p.involved[i] |= w
	}
	for _, x := range o.first {
		p.offer(x)
	}
}

// prompts is the number of prompts that have a partner.
func (p *pairs) prompts() (n int) {
	for i, w := range p.involved {
		for ; w != 0; w &= w - 1 {
			n += len(p.sets.members[i*64+bits.TrailingZeros64(w)])
		}
	}
	return n
}
