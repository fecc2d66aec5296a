package decontaminate

import (
	"cmp"
	"iter"
	"math"
	"slices"
)

// window is the scratch space of Windowed: it belongs to one evidence.
type window struct {
	seeds   []windowSeed
	stock   []windowSeed     // stock phrases, with the first question that has them
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

// windowSeed is an n-gram that a text of the index has too: not verified.
type windowSeed struct {
	text uint32
	at   uint32 // in the scanned text
	pos  uint32 // in the text of the index
}

// collect collects the n-grams found that open a match, by text and place. Stock
// phrases are collected apart.
func (w *window) collect(e *Evidence, f *found, maxItems int) {
	w.seeds, w.stock = w.seeds[:0], w.stock[:0]
	t := f.grams.table
	for _, h := range f.hits {
		stock := t.groups(int(h.entry)) > maxItems
		for _, token := range t.values(int(h.entry)) {
			text := e.x.textAt(token)
			seed := windowSeed{uint32(text), h.at, token - e.x.firsts[text]}
			if !stock {
				w.seeds = append(w.seeds, seed)
				continue
			}
			if e.x.texts[text].part == Question {
				w.stock = append(w.stock, seed)
			}
			break
		}
	}
	slices.SortFunc(w.seeds, windowSeed.compare)
	slices.SortFunc(w.stock, windowSeed.compare)
}

func (s windowSeed) compare(o windowSeed) int {
	return cmp.Or(cmp.Compare(s.text, o.text), cmp.Compare(s.at, o.at), cmp.Compare(s.pos, o.pos))
}

// seedsByText yields the seeds of each text.
func seedsByText(seeds []windowSeed) iter.Seq2[int, []windowSeed] {
	return func(yield func(int, []windowSeed) bool) {
		for from := 0; from < len(seeds); {
			to := from + 1
			for to < len(seeds) && seeds[to].text == seeds[from].text {
				to++
			}
			if !yield(int(seeds[from].text), seeds[from:to]) {
				return
			}
			from = to
		}
	}
}

// windowOf is how many words of the scanned text are looked at for an item.
func windowOf(length int) int { return length + length/2 + 4 }

// densest returns the seeds of the stretch of so many words that has them at the
// most places, the first of several.
func densest(seeds []windowSeed, words int) []windowSeed {
	from, places := 0, 0
	bestFrom, bestTo, most := 0, 0, 0
	for to := range seeds {
		if to == 0 || seeds[to].at != seeds[to-1].at {
			places++
		}
		for int(seeds[to].at-seeds[from].at) >= words {
			from++
			if seeds[from].at != seeds[from-1].at {
				places--
			}
		}
		if places > most {
			most, bestFrom = places, from
		}
		if places == most && from == bestFrom {
			bestTo = to + 1
		}
	}
	return seeds[bestFrom:bestTo]
}

// fewestSeeds is at how many places seeds are of an item that may be there. A copy
// in which every sixth word is another has many more.
func fewestSeeds(length int) int { return min(max(length/16, 1), 8) }

// enoughSeeds reports whether seeds are at so many places.
func enoughSeeds(seeds []windowSeed, want int) bool {
	places := 0
	for i := range seeds {
		if i == 0 || seeds[i].at != seeds[i-1].at {
			if places++; places >= want {
				return true
			}
		}
	}
	return false
}

// stretchOf is the stretch of the scanned text that may hold the item: around
// the seeds, with as much on either side as the item has there and some more.
func stretchOf(seeds []windowSeed, length, words int) (from, to int) {
	slack := func(n int) int { return n + n/4 + 4 }
	first, last := seeds[0], seeds[len(seeds)-1]
	from = max(int(first.at)-slack(int(first.pos)), 0)
	to = min(int(last.at)+slack(length-int(last.pos)), words)
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
