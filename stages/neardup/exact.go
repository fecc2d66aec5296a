package neardup

import (
	"context"
	"sync/atomic"

	"github.com/sourcegraph/conc/iter"
)

// Prefix filtering (Chaudhuri, Ganti and Kaushik, ICDE 2006; Bayardo, Ma and
// Srikant, WWW 2007): two sets that share enough words share one of the first
// few of each, when all are sorted alike. Sorted by rarity these are the rare
// ones, whose lists are short. A set is compared with smaller ones alone, so of
// the smaller the first size - shared(size, size) + 1 words are listed, and of
// the larger the first size - least(size) + 1 are looked up.
//
// What a list gives goes through a bitmap first (after Sandes, Teodoro and Melo,
// Information Systems 2020), where nearly all of it ends.

// listed is a word's entry for a set.
type listed struct {
	bits uint64 // bitmap of the set
	set  int32
	at   int32 // which of its words it is
}

// index lists for each word the sets that have it among their first words, in
// the order of the sets.
type index struct {
	*sets
	t      threshold
	starts []int
	lists  []listed
}

func newIndex(s *sets, t threshold) *index {
	x := &index{sets: s, t: t, starts: make([]int, s.vocab+1)}
	for i := range int32(s.len()) {
		for _, w := range x.prefix(i) {
			x.starts[w+1]++
		}
	}
	for w := range s.vocab {
		x.starts[w+1] += x.starts[w]
	}
	next := append([]int(nil), x.starts...)
	x.lists = make([]listed, x.starts[s.vocab])
	for i := range int32(s.len()) {
		b := bitmap(s.of(i))
		for at, w := range x.prefix(i) {
			x.lists[next[w]] = listed{b, i, int32(at)}
			next[w]++
		}
	}
	return x
}

// prefix is the words under which a set is listed.
func (x *index) prefix(i int32) []uint32 {
	words := x.of(i)
	return words[:len(words)-x.t.shared(len(words), len(words))+1]
}

func (x *index) list(w uint32) []listed { return x.lists[x.starts[w]:x.starts[w+1]] }

// probe compares one set after the other with smaller ones.
type probe struct {
	*index
	found *pairs
	met   []int32 // by set: the last set it was compared with, plus 1
}

// with finds the partners of a set among those before it.
func (p *probe) with(i int32) {
	words := p.of(i)
	b := bitmap(words)
	smallest := p.from(p.t.least(len(words)))
	p.found.addSet(i)
	for k, w := range words[:len(words)-p.t.least(len(words))+1] {
		list := p.list(w)
		list = list[after(list, smallest):]
		end, need, limit := int32(-1), 0, 0 // of the sets of one size
		for _, l := range list {
			if l.set >= i {
				break
			}
			if l.set >= end {
				size := p.size(l.set)
				end = p.from(size + 1)
				need = p.t.shared(len(words), size)
				limit = len(words) + size - 2*need
			}
			if differing(b, l.bits) > limit || p.met[l.set] == i+1 {
				continue
			}
			p.met[l.set] = i + 1
			other := p.of(l.set)
			if n := sharedBy(words[k+1:], other[l.at+1:], 1, need); n > 0 {
				p.found.add(l.set, i, jaccard(n, len(words), len(other)))
			}
		}
	}
}

// after is the index of the first entry of a set or of one after it.
func after(list []listed, set int32) int {
	lo, hi := 0, len(list)
	for lo < hi {
		mid := int(uint(lo+hi) / 2)
		if list[mid].set < set {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// chunk is how many sets a worker takes at a time.
const chunk = 256

// exact finds all pairs. Workers take chunks as they are free; sums, bits and
// the first pairs do not depend on who took which.
func exact(ctx context.Context, s *sets, t threshold, o Options) (*pairs, error) {
	x := newIndex(s, t)
	var next atomic.Int64
	workers := make([]*pairs, o.Workers)
	progress := newTeller(o.Progress, s.len())
	iter.Iterator[*pairs]{MaxGoroutines: o.Workers}.ForEach(workers, func(found **pairs) {
		*found = newPairs(s, o.Examples)
		p := &probe{x, *found, make([]int32, s.len())}
		for ctx.Err() == nil {
			from := int(next.Add(chunk)) - chunk
			if from >= s.len() {
				return
			}
			to := min(from+chunk, s.len())
			for i := from; i < to && ctx.Err() == nil; i++ {
				p.with(int32(i))
			}
			progress.add(to - from)
		}
	})
	return mergeAll(ctx, workers)
}

// mergeAll merges what workers found.
func mergeAll(ctx context.Context, workers []*pairs) (*pairs, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for _, w := range workers[1:] {
		workers[0].merge(w)
	}
	return workers[0], nil
}
