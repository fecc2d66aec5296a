package decontaminate

import (
	"iter"
	"math"
)

// overlap is the weight of the different n-grams of a text that were found
// through that of all of them, and how many different ones there are.
func (x *Index) overlap(words []uint32, n int, found func(i int) bool) (share float64, grams int) {
	g := x.gramsFor(n)
	if g != nil && g.n != n {
		g = nil
	}
	number := map[uint64]int{}
	var weights []float64
	var hit []bool
	for i, hash := range x.gramHashes(words, n) {
		k, there := number[hash]
		if !there {
			k = len(weights)
			number[hash] = k
			weights, hit = append(weights, x.idf(g, hash)), append(hit, false)
		}
		hit[k] = hit[k] || found(i)
	}
	sum, all := 0.0, 0.0
	for k, w := range weights {
		all += w
		if hit[k] {
			sum += w
		}
	}
	if all == 0 {
		return 0, len(weights)
	}
	return sum / all, len(weights)
}

// gramHashes yields the hashes of the n-grams of words of the vocabulary.
func (x *Index) gramHashes(words []uint32, n int) iter.Seq2[int, uint64] {
	return func(yield func(int, uint64) bool) {
		hash, powerN := uint64(0), power(n)
		for i, id := range words {
			hash = hash*polyBase + x.words.hash(id)
			if i >= n {
				hash -= x.words.hash(words[i-n]) * powerN
			}
			if i >= n-1 && !yield(i-n+1, hash) {
				return
			}
		}
	}
}

// idf is the weight of an n-gram: ln(texts / texts that have it); 1 where n-grams
// of its length are not indexed, or there is one text alone.
func (x *Index) idf(g *grams, hash uint64) float64 {
	if g == nil || len(x.texts) == 1 {
		return 1
	}
	if entry := g.table.find(hash); entry >= 0 {
		return math.Log(float64(len(x.texts)) / float64(g.table.groups(entry)))
	}
	return math.Log(float64(len(x.texts)))
}
