package decontaminate

import "math"

// window is the scratch space of Windowed: it belongs to one evidence.
type window struct {
	seeds   densest
	stock   densest // stock phrases, with the first question that has them
	whose   whose
	bigrams map[uint64]int32 // of the item: the last place of a pair of words
	before  []int32          // the place before of the same pair, -1 for none
	pieces  []piece
	best    []float64 // of the chain that ends with a piece
	prev    []int32
	weights []float64 // of the words of the item
	sums    []float64 // of the weights before a word
	covered []bool    // of the words of the item
	used    []bool    // of the words of the stretch
	end     int32     // the last piece of the chain

	from, to         int // what the chain spans, in the stretch
	itemFrom, itemTo int // and in the item
}

// windowOf is how many words of the scanned text are looked at for an item.
func windowOf(length int) int { return length + length/2 + 4 }

// fewestSeeds is at how many places seeds are of an item that may be there. A copy
// in which every sixth word is another has many more.
func fewestSeeds(length int) int { return min(max(length/16, 1), 8) }

// stretch is the stretch of the scanned text that may hold the item: around
// the seeds, with as much on either side as the item has there and some more.
func (s *dense) stretch(length, words int) (from, to int) {
	slack := func(n int) int { return n + n/4 + 4 }
	from = max(int(s.first.at)-slack(int(s.first.pos)), 0)
	to = min(int(s.last.at)+slack(length-int(s.last.pos)), words)
	return from, to
}

// weightOf is the weight of an n-gram that so many texts have.
func (x *Index) weightOf(texts int) float64 {
	return math.Log1p(float64(len(x.texts)) / float64(texts))
}

// weigh weighs the words of an item: each as the rarest n-gram over it, and not
// at all when more texts than maxItems have that one.
func (w *window) weigh(x *Index, g *grams, item []uint32, maxItems int) {
	w.weights = append(w.weights[:0], make([]float64, len(item))...)
	for i, hash := range x.gramHashes(item, g.n) {
		texts := 1
		if entry := g.table.find(hash); entry >= 0 {
			texts = g.table.groups(entry)
		}
		if texts > maxItems {
			continue
		}
		weight := x.weightOf(texts)
		for k := i; k < i+g.n; k++ {
			w.weights[k] = max(w.weights[k], weight)
		}
	}
	if len(item) < g.n { // too short to tell
		for i := range w.weights {
			w.weights[i] = x.weightOf(1)
		}
	}
}

// isNumber reports whether a word is a number: digits and nothing else.
func (x *Index) isNumber(id uint32) bool {
	for _, c := range x.words.word(id) {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}
