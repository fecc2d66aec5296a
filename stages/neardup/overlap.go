package neardup

import "math"

// threshold is a Jaccard index in (0, 1], in the terms of whole numbers.
type threshold float64

// jaccard is the index of two sets that share some words, as the reference
// calculates it: one division of whole numbers.
func jaccard(shared, a, b int) float64 { return float64(shared) / float64(a+b-shared) }

// shared is the least number of words that sets of two sizes must share to reach
// the threshold; more than the smaller one has when they cannot.
func (t threshold) shared(a, b int) int {
	return t.settle(int(math.Ceil(float64(t)/(1+float64(t))*float64(a+b))), a, b)
}

// settle corrects a guess that rounding may have put one off.
func (t threshold) settle(n, a, b int) int {
	n = max(n, 1)
	for n > 1 && jaccard(n-1, a, b) >= float64(t) {
		n--
	}
	for n <= min(a, b) && jaccard(n, a, b) < float64(t) {
		n++
	}
	return n
}

// least is the size of the smallest set that can reach the threshold with one of
// a size: all of its words are shared.
func (t threshold) least(size int) int {
	n := max(int(math.Ceil(float64(t)*float64(size))), 1)
	for n > 1 && jaccard(n-1, n-1, size) >= float64(t) {
		n--
	}
	for jaccard(n, n, size) < float64(t) {
		n++
	}
	return n
}

// sharedBy counts the words that two sets share, given how many they share so
// far; it stops with -1 once need is out of reach.
func sharedBy(a, b []uint32, so, need int) int {
	for len(a) > 0 && len(b) > 0 {
		if so+min(len(a), len(b)) < need {
			return -1
		}
		switch x, y := a[0], b[0]; {
		case x == y:
			so++
			a, b = a[1:], b[1:]
		case x < y:
			a = a[1:]
		default:
			b = b[1:]
		}
	}
	if so < need {
		return -1
	}
	return so
}
