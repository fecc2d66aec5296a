package hackscan

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// conjunctions are pairs of binary features that go with the reward more than
// either alone: a judge may pay for a phrase only where a tool was called. They
// are made of the features of the largest correlation (spec of gates, section
// 4.4).
func conjunctions(features []*feature, o *Options, c *centring, workers []*scratch) []*feature {
	seeds := seedsOf(features, o.Seeds, func(i int) float64 { return features[i].rho })
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

// seedsOf are the n binary features of the largest |correlation|, which rho
// gives.
func seedsOf(features []*feature, n int, rho func(i int) float64) []*feature {
	var order []int
	for i, f := range features {
		if f.binary() {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(math.Abs(rho(b)), math.Abs(rho(a))) })
	var seeds []*feature
	for _, i := range order[:min(len(order), max(0, n))] {
		seeds = append(seeds, features[i])
	}
	return seeds
}

// bestConjunction is the largest |correlation| with permutation p of a block
// over the conjunctions that would be made if those were the rewards.
func (f *floorer) bestConjunction(features []*feature, rho [][]float64, b *block, p int, s *scratch) (best float64) {
	if f.o.HandOnly {
		return 0
	}
	seeds := seedsOf(features, f.o.Seeds, func(i int) float64 { return rho[i][p] })
	for i, a := range seeds {
		for _, c := range seeds[i+1:] {
			best = max(best, f.conjunctionRho(a, c, b, p, s))
		}
	}
	return best
}

// conjunctionRho is the |correlation| of a conjunction with a permutation, 0 for
// one that would not be made.
func (f *floorer) conjunctionRho(a, b *feature, rewards *block, p int, s *scratch) float64 {
	n, sum := 0, 0.0
	for i := range min(len(a.chunks), len(b.chunks)) {
		s.words = a.chunks[i].words(s.words)
		s.others = b.chunks[i].words(s.others)
		for w := range min(len(s.words), len(s.others)) {
			for both := s.words[w] & s.others[w]; both != 0; both &= both - 1 {
				row := i*chunkRows + w<<6 + bits.TrailingZeros64(both)
				k := f.groups.of[row]
				n++
				if f.plain {
					sum += rewards.vals[p][row]
				} else {
					sum += rewards.at(p, row) - f.groups.mean[k]
				}
				if f.groups.size[k] > 1 {
					if s.sum[k] == 0 {
						s.touched = append(s.touched, k)
					}
					s.sum[k]++
				}
			}
		}
	}
	within := 0.0
	for _, k := range s.touched {
		within += s.sum[k] - s.sum[k]*s.sum[k]/float64(f.groups.size[k])
		s.sum[k] = 0
	}
	s.touched = s.touched[:0]
	if n < f.o.MinRows || n >= a.n || n >= b.n || within <= 0 {
		return 0
	}
	return math.Abs(sum) / (f.n * math.Sqrt(within/f.n) * f.spread)
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
