package neardup

import (
	"math/bits"
	"slices"
)

// sets are the distinct sets of words among prompts, from the smallest to the
// largest: prompts that differ in order, case or punctuation alone have one, so
// that a thousand of them cost no half a million comparisons. Words are numbered
// by how many prompts have them, rarest first, and sorted by that.
type sets struct {
	words   []uint32 // of all sets, one after the other
	ends    []int    // where the words of a set end
	members [][]int32
	sizes   []int32 // first set of each size, and their number as the last
	rank    []uint32
	vocab   int
}

// gather finds the sets of prompts; those without words have none.
func gather(prompts []prompt, words int) *sets {
	s := &sets{vocab: words, rank: rarestFirst(prompts, words)}
	all := make([][]uint32, 0, len(prompts))
	owner := make([]int32, 0, len(prompts))
	total := 0
	for i, p := range prompts {
		if len(p.words) > 0 {
			total += len(p.words)
			owner = append(owner, int32(i))
		}
	}
	flat := make([]uint32, 0, total)
	for _, i := range owner {
		from := len(flat)
		for _, w := range prompts[i].words {
			flat = append(flat, s.rank[w])
		}
		set := flat[from:len(flat):len(flat)]
		slices.Sort(set)
		all = append(all, set)
	}
	order := make([]int32, len(all))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(i, j int32) int {
		a, b := all[i], all[j]
		if len(a) != len(b) {
			return len(a) - len(b)
		}
		if c := slices.Compare(a, b); c != 0 {
			return c
		}
		return int(i - j)
	})
	s.words = make([]uint32, 0, total)
	for k, i := range order {
		if k == 0 || !slices.Equal(all[i], all[order[k-1]]) {
			s.words = append(s.words, all[i]...)
			s.ends = append(s.ends, len(s.words))
			s.members = append(s.members, nil)
		}
		last := &s.members[len(s.members)-1]
		*last = append(*last, owner[i])
	}
	s.measure()
	return s
}

// rarestFirst ranks words by the number of prompts that have them.
func rarestFirst(prompts []prompt, words int) []uint32 {
	count := make([]uint32, words)
	for _, p := range prompts {
		for _, w := range p.words {
			count[w]++
		}
	}
	order := make([]uint32, words)
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(a, b uint32) int {
		if count[a] != count[b] {
			return int(count[a]) - int(count[b])
		}
		return int(a) - int(b)
	})
	rank := make([]uint32, words)
	for r, w := range order {
		rank[w] = uint32(r)
	}
	return rank
}

// measure notes where each size begins.
func (s *sets) measure() {
	for i := range s.ends {
		for len(s.sizes) <= s.size(int32(i)) {
			s.sizes = append(s.sizes, int32(i))
		}
	}
	s.sizes = append(s.sizes, int32(s.len()))
}

func (s *sets) len() int { return len(s.ends) }

// of returns the words of a set, rarest first.
func (s *sets) of(i int32) []uint32 {
	from := 0
	if i > 0 {
		from = s.ends[i-1]
	}
	return s.words[from:s.ends[i]]
}

func (s *sets) size(i int32) int { return len(s.of(i)) }

// from is the first set of at least a size.
func (s *sets) from(size int) int32 { return s.sizes[min(size, len(s.sizes)-1)] }

// bitmap has a bit for each word of a set; several words may share one. Each bit
// that differs between two bitmaps is at least one word that only one set has.
func bitmap(words []uint32) (b uint64) {
	for _, w := range words {
		b |= 1 << (uint64(w) * 0x9e3779b97f4a7c15 >> 58)
	}
	return b
}

// differing is a lower bound of the words that only one of two sets has.
func differing(a, b uint64) int { return bits.OnesCount64(a ^ b) }
