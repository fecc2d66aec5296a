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

// floor finds for each of n permutations of the rewards within tasks the
// largest |correlation| over all features: what the best of so many features
// shows by chance. The permutations come in blocks: while the features of one
// block are measured, one of the workers makes the next.
//
// In the plain form the sums are made one addition after the other, as the
// reference implementation makes them, since a maximum may equal a correlation
// but for the last bit. In the fast one what centring takes away is taken away
// at the end, and rewards of 0 and 1 are counted in words of 64 rows.
func floor(ctx context.Context, features []*feature, o *Options, c *centring, workers []*scratch, plain bool) ([]float64, error) {
	var live []*feature
	for _, f := range features {
		if f.sdWithin > 0 {
			live = append(live, f)
		}
	}
	n := max(1, o.Shuffles)
	shuffled := newShuffler(o.Seed, c.groups, c.rewards)
	now, then := newBlock(c, plain), newBlock(c, plain)
	now.fill(shuffled, min(now.size, n))
	maxima := make([]float64, 0, n)
	for len(maxima) < n {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		left := n - len(maxima) - now.n
		for _, s := range workers {
			s.best = append(s.best[:0], make([]float64, now.n)...)
		}
		fanOut(workers, len(live)+1, func(s *scratch, i int) {
			if i == 0 {
				then.fill(shuffled, min(then.size, left))
				return
			}
			f := live[i-1]
			s.sums = append(s.sums[:0], make([]float64, now.n)...)
			now.sums(&f.column, s)
			mass := f.mass
			if now.centred != nil {
				mass = 0
			}
			for p, sum := range s.sums {
				s.best[p] = max(s.best[p], math.Abs((sum-mass)/(c.n*f.sdWithin*c.spread)))
			}
		})
		for p := range now.n {
			best := 0.0
			for _, s := range workers {
				best = max(best, s.best[p])
			}
			maxima = append(maxima, best)
		}
		now, then = then, now
	}
	return maxima, nil
}

// threshold is the floor: the maximum that a share alpha of the permutations
// pass.
func threshold(maxima []float64, alpha float64) float64 {
	sorted := slices.Sorted(slices.Values(maxima))
	at := int(math.Ceil((1-alpha)*float64(len(sorted)))) - 1
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
