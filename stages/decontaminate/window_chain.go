package decontaminate

import (
	"cmp"
	"slices"
)

// piece is a run of words that a stretch and an item have in common.
type piece struct{ at, pos, len int32 }

const (
	shortestPiece = 2
	maxSamePairs  = 16   // places of one pair of words in the item that are tried
	maxPieces     = 1024 // that are chained; more are cut to the longest
)

// common finds the runs of two words and more, each as long as it can be, by the
// place in the stretch.
func (w *window) common(item, stretch []uint32) []piece {
	if w.bigrams == nil {
		w.bigrams = map[uint64]int32{}
	}
	clear(w.bigrams)
	w.before = w.before[:0]
	for i := 0; i+1 < len(item); i++ {
		pair := uint64(item[i])<<32 | uint64(item[i+1])
		last, there := w.bigrams[pair]
		if !there {
			last = -1
		}
		w.before = append(w.before, last)
		w.bigrams[pair] = int32(i)
	}
	pieces := w.pieces[:0]
	for at := 0; at+1 < len(stretch); at++ {
		if stretch[at] == 0 || stretch[at+1] == 0 {
			continue
		}
		pos, there := w.bigrams[uint64(stretch[at])<<32|uint64(stretch[at+1])]
		if !there {
			continue
		}
		for tried := 0; pos >= 0 && tried < maxSamePairs; tried, pos = tried+1, w.before[pos] {
			if at > 0 && pos > 0 && stretch[at-1] == item[pos-1] {
				continue // within a run that began before
			}
			n := shortestPiece
			for at+n < len(stretch) && int(pos)+n < len(item) && stretch[at+n] == item[int(pos)+n] {
				n++
			}
			pieces = append(pieces, piece{int32(at), pos, int32(n)})
		}
	}
	if len(pieces) > maxPieces {
		slices.SortStableFunc(pieces, func(a, b piece) int { return cmp.Compare(b.len, a.len) })
		pieces = pieces[:maxPieces]
	}
	slices.SortFunc(pieces, func(a, b piece) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.pos, b.pos))
	})
	return pieces
}

// stockWeight is what a word weighs beyond its weight while pieces are chained: of
// chains that weigh the same the one of more words is the one that was copied.
const stockWeight = 1e-6

// cover chains the pieces in the order of both sides so that the words they cover
// weigh the most, and marks those words.
func (w *window) cover(item, stretch []uint32) {
	w.sums = append(w.sums[:0], 0)
	for i, weight := range w.weights {
		w.sums = append(w.sums, w.sums[i]+weight+stockWeight)
	}
	w.best, w.prev = w.best[:0], w.prev[:0]
	end := 0
	for i, p := range w.pieces {
		best, prev := w.sums[p.pos+p.len]-w.sums[p.pos], int32(-1)
		for j := range i {
			q := w.pieces[j]
			cut := max(q.at+q.len-p.at, q.pos+q.len-p.pos, 0)
			if cut >= p.len || q.pos > p.pos {
				continue
			}
			if sum := w.best[j] + w.sums[p.pos+p.len] - w.sums[p.pos+cut]; sum > best {
				best, prev = sum, int32(j)
			}
		}
		w.best, w.prev = append(w.best, best), append(w.prev, prev)
		if best > w.best[end] {
			end = i
		}
	}
	w.mark(item, stretch, end)
	w.markMoved(len(stretch))
}

// movedPiece is how many words in a row tell that a sentence or an option stands
// elsewhere than in the item. Words in no order leave no such run.
const movedPiece = 6

// markMoved marks the words of long pieces that the chain left out because they
// stand in another order, where neither side is in the chain already.
func (w *window) markMoved(words int) {
	w.used = append(w.used[:0], make([]bool, words)...)
	for i := w.end; i >= 0; i = w.prev[i] {
		p := w.pieces[i]
		for k := p.at; k < p.at+p.len; k++ {
			w.used[k] = true
		}
	}
	for _, p := range w.pieces {
		if p.len < movedPiece || slices.Contains(w.covered[p.pos:p.pos+p.len], true) || slices.Contains(w.used[p.at:p.at+p.len], true) {
			continue
		}
		for k := range p.len {
			w.covered[p.pos+k], w.used[p.at+k] = true, true
		}
		w.from, w.to = min(w.from, int(p.at)), max(w.to, int(p.at+p.len))
		w.itemFrom, w.itemTo = min(w.itemFrom, int(p.pos)), max(w.itemTo, int(p.pos+p.len))
	}
}

// mark marks the words of the chain that ends with a piece, and single words
// between two pieces that are as far apart on both sides.
func (w *window) mark(item, stretch []uint32, end int) {
	w.covered = append(w.covered[:0], make([]bool, len(item))...)
	first, last := w.pieces[end], w.pieces[end]
	w.end = int32(end)
	w.to, w.itemTo = int(last.at+last.len), int(last.pos+last.len)
	for i := int32(end); i >= 0; i = w.prev[i] {
		p := w.pieces[i]
		first = p
		for k := p.pos; k < p.pos+p.len; k++ {
			w.covered[k] = true
		}
		w.from, w.itemFrom = int(p.at), int(p.pos)
		if j := w.prev[i]; j >= 0 {
			q := w.pieces[j]
			if p.at-q.at == p.pos-q.pos {
				for k := q.len; q.pos+k < p.pos; k++ {
					if item[q.pos+k] == stretch[q.at+k] {
						w.covered[q.pos+k] = true
					}
				}
			}
		}
	}
	w.markEnds(item, stretch, first, last)
}

// markEnds marks the first and the last word of an item that a word parts from the
// chain, as a number does from a unit or a verb.
func (w *window) markEnds(item, stretch []uint32, first, last piece) {
	if first.pos == 2 && first.at >= 2 && item[0] == stretch[first.at-2] {
		w.covered[0] = true
		w.from, w.itemFrom = int(first.at-2), 0
	}
	pos, at := int(last.pos+last.len)+1, int(last.at+last.len)+1
	if pos == len(item)-1 && at < len(stretch) && item[pos] == stretch[at] {
		w.covered[pos] = true
		w.to, w.itemTo = at+1, pos+1
	}
}
