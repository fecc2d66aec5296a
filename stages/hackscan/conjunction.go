package hackscan

import (
	"cmp"
	"math"
	"slices"
)

// conjunctions are pairs of binary features that go with the reward more than
// either alone: a judge may pay for a phrase only where a tool was called. They
// are made of the features of the largest correlation (spec of gates, section
// 4.4).
func conjunctions(features []*feature, o *Options, c *centring, workers []*scratch) []*feature {
	var seeds []*feature
	for _, f := range features {
		if f.binary() {
			seeds = append(seeds, f)
		}
	}
	slices.SortStableFunc(seeds, func(a, b *feature) int { return cmp.Compare(math.Abs(b.rho), math.Abs(a.rho)) })
	seeds = seeds[:min(len(seeds), max(0, o.Seeds))]
	type pair struct {
		a, b  *feature
		joint *feature
	}
	var pairs []pair
	for i, a := range seeds {
		for _, b := range seeds[i+1:] {
			pairs = append(pairs, pair{a: a, b: b})
		}
	}
	fanOut(workers, len(pairs), func(s *scratch, i int) {
		a, b := pairs[i].a, pairs[i].b
		both := common(&a.column, &b.column)
		if both.n < o.MinRows || both.n >= a.n || both.n >= b.n {
			return
		}
		f := &feature{name: a.name + " AND " + b.name, column: both, parents: [2]string{a.name, b.name}}
		c.measure(f, s)
		if f.sdPooled > 0 && math.Abs(f.rho) > max(math.Abs(a.rho), math.Abs(b.rho)) {
			pairs[i].joint = f
		}
	})
	var joined []*feature
	for _, p := range pairs {
		if p.joint != nil {
			joined = append(joined, p.joint)
		}
	}
	return joined
}

// common has a one where two binary columns have one.
func common(a, b *column) column {
	var build columnBuilder
	var left, right []uint16
	var ones []float64
	for i := range min(len(a.chunks), len(b.chunks)) {
		left, ones = a.chunks[i].entries(left[:0], ones[:0])
		right, ones = b.chunks[i].entries(right[:0], ones[:0])
		for j, k := 0, 0; j < len(left) && k < len(right); {
			switch {
			case left[j] < right[k]:
				j++
			case left[j] > right[k]:
				k++
			default:
				build.add(i*chunkRows+int(left[j]), 1)
				j, k = j+1, k+1
			}
		}
	}
	return build.column()
}
