package hackscan

import (
	"context"
	"math"
	"math/bits"
	"slices"
)

// ParityMaxRows is up to how many graded rows the floor is made in its plain
// form, to the last bit that of the reference implementation; above, to 1e-9.
const ParityMaxRows = chunkRows

// blockBytes bounds what a block of permutations takes.
const blockBytes = 4 << 20

// floorer finds what the best of all features shows by chance.
type floorer struct {
	*centring
	o       *Options
	workers []*scratch
	plain   bool
}

// maxima finds for each permutation of the rewards within tasks the largest
// |correlation| over all features. The permutations come in blocks: while the
// features of one block are measured, one of the workers makes the next.
//
// In the plain form the sums are made one addition after the other, as the
// reference implementation makes them, since a maximum may equal a correlation
// but for the last bit. In the fast one what centring takes away is taken away
// at the end, and rewards of 0 and 1 are counted in words of 64 rows.
//
// Conjunctions were chosen by the rewards as they are, so that against shuffled
// ones they look too good: with the floor of the reference 7 to 14 % of data
// sets without a signal have one above it. The calibrated floor chooses them
// anew for every permutation.
func (f *floorer) maxima(ctx context.Context, features []*feature) ([]float64, error) {
	live := f.live(features)
	n := max(1, f.o.Shuffles)
	shuffled := newShuffler(f.o.Seed, f.groups, f.rewards)
	now, then := newBlock(f.centring, f.plain), newBlock(f.centring, f.plain)
	now.fill(shuffled, min(now.size, n))
	found := make([]float64, 0, n)
	rho := make([][]float64, len(live)) // |correlation| by permutation
	for len(found) < n {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		left := n - len(found) - now.n
		fanOut(f.workers, len(live)+1, func(s *scratch, i int) {
			if i == 0 {
				then.fill(shuffled, min(then.size, left))
				return
			}
			rho[i-1] = f.correlate(live[i-1], now, s, rho[i-1])
		})
		best := make([]float64, now.n)
		for _, r := range rho {
			for p, x := range r {
				best[p] = max(best[p], x)
			}
		}
		if f.o.Floor == Calibrated {
			fanOut(f.workers, now.n, func(s *scratch, p int) {
				best[p] = max(best[p], f.bestConjunction(live, rho, now, p, s))
			})
		}
		found = append(found, best...)
		now, then = then, now
	}
	return found, nil
}

// live are the features that vary within tasks, and are not chosen anew.
func (f *floorer) live(features []*feature) (live []*feature) {
	for _, x := range features {
		if x.sdWithin > 0 && (f.o.Floor == Parity || x.parents[0] == "") {
			live = append(live, x)
		}
	}
	return live
}

// correlate finds the |correlation| of a feature with every permutation.
func (f *floorer) correlate(x *feature, b *block, s *scratch, rho []float64) []float64 {
	s.sums = append(s.sums[:0], make([]float64, b.n)...)
	b.sums(&x.column, s)
	mass := x.mass
	if f.plain {
		mass = 0
	}
	rho = rho[:0]
	for _, sum := range s.sums {
		rho = append(rho, math.Abs((sum-mass)/(f.n*x.sdWithin*f.spread)))
	}
	return rho
}

// threshold is the floor: what a share alpha of the permutations passes. The
// calibrated one counts the rewards as they are as one more.
func (o *Options) threshold(maxima []float64) float64 {
	sorted := slices.Sorted(slices.Values(maxima))
	n := len(sorted)
	if o.Floor == Calibrated {
		n++
	}
	at := int(math.Ceil((1-o.Alpha)*float64(n))) - 1
	return sorted[min(max(0, at), len(sorted)-1)]
}

// block is some permutations of the rewards.
type block struct {
	size, n int
	bits    [][]uint64
	vals    [][]float64
	centred *groups // vals are rewards less the mean of their task
}

// newBlock has as many permutations as fit.
func newBlock(c *centring, plain bool) *block {
	b := &block{}
	r := c.rewards
	if plain {
		b.centred = c.groups
		r = &rewards{n: r.n, vals: make([]float64, r.n)}
	}
	b.size = max(2, min(16, blockBytes/8/(len(r.bits)+len(r.vals))))
	for range b.size {
		b.bits = append(b.bits, make([]uint64, len(r.bits)))
		b.vals = append(b.vals, make([]float64, len(r.vals)))
	}
	return b
}

// at is the reward of a row in permutation p.
func (b *block) at(p, row int) float64 {
	if len(b.vals[p]) > 0 {
		return b.vals[p][row]
	}
	return float64(b.bits[p][row>>6] >> (row & 63) & 1)
}

// fill makes the next n permutations.
func (b *block) fill(s *shuffler, n int) {
	b.n = n
	for p := range n {
		r := s.next()
		if b.centred == nil {
			copy(b.bits[p], r.bits)
			copy(b.vals[p], r.vals)
			continue
		}
		for i, k := range b.centred.of {
			b.vals[p][i] = r.at(i) - b.centred.mean[k]
		}
	}
}

// sums adds to s.sums for each permutation the sum of value x reward over the
// entries of a column. With rewards of 0 and 1 a bitmap is counted, not summed.
func (b *block) sums(c *column, s *scratch) {
	for i := range c.chunks {
		k := &c.chunks[i]
		switch {
		case len(b.vals[0]) > 0:
			s.rows, s.vals = k.entries(s.rows[:0], s.vals[:0])
			for p := range b.n {
				s.sums[p] += weigh(s.rows, s.vals, b.vals[p][i*chunkRows:])
			}
		case k.vals != nil:
			s.rows, s.vals = k.entries(s.rows[:0], s.vals[:0])
			for p := range b.n {
				s.sums[p] += pick(s.rows, s.vals, b.bits[p][i*chunkWords:])
			}
		case k.bits != nil:
			for p := range b.n {
				s.sums[p] += float64(meet(k.bits, b.bits[p][i*chunkWords:]))
			}
		default:
			for p := range b.n {
				s.sums[p] += float64(members(k.list, b.bits[p][i*chunkWords:]))
			}
		}
	}
}

func weigh(rows []uint16, vals, rewards []float64) (sum float64) {
	for j, row := range rows {
		sum += float64(vals[j] * rewards[row])
	}
	return sum
}

// pick sums the values of the entries whose reward is 1.
func pick(rows []uint16, vals []float64, bits []uint64) float64 {
	var sum [2]float64
	for j, row := range rows {
		sum[bits[row>>6]>>(row&63)&1] += vals[j]
	}
	return sum[1]
}

func meet(a, b []uint64) (n int) {
	b = b[:len(a)]
	for i, word := range a {
		n += bits.OnesCount64(word & b[i])
	}
	return n
}

func members(rows []uint16, bits []uint64) (n uint64) {
	for _, row := range rows {
		n += bits[row>>6] >> (row & 63) & 1
	}
	return n
}
