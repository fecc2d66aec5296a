package hackscan

import (
	"slices"

	"github.com/rollmill/rollmill/stats"
)

// shuffler makes the permutations of a floor: the rewards of every task of two
// or more rows shuffled within the task, in the order of tasks, each upon the
// last. It draws as the reference implementation does, so that every maximum
// can be repeated (spec of gates, sections 1.9 and 4.5). It is sequential by
// nature: one goroutine makes permutations while others use those before.
type shuffler struct {
	rng    *stats.MersenneTwister
	groups *groups
	now    rewards
}

func newShuffler(seed int64, g *groups, r *rewards) *shuffler {
	return &shuffler{stats.NewMersenneTwister(seed), g, rewards{r.n, slices.Clone(r.bits), slices.Clone(r.vals)}}
}

// next shuffles once more.
func (s *shuffler) next() *rewards {
	for i := range s.groups.multi {
		rows := s.groups.members(i)
		switch {
		case s.now.bits == nil:
			s.rng.Shuffle(len(rows), func(a, b int) {
				s.now.vals[rows[a]], s.now.vals[rows[b]] = s.now.vals[rows[b]], s.now.vals[rows[a]]
			})
		case len(rows) <= 64:
			s.word(rows)
		default:
			s.rng.Shuffle(len(rows), func(a, b int) { swapBits(s.now.bits, rows[a], rows[b]) })
		}
	}
	return &s.now
}

// word shuffles the bits of up to 64 rows in one word.
func (s *shuffler) word(rows []uint32) {
	last := len(rows) - 1
	var word uint64
	first, together := rows[0], rows[last]-rows[0] == uint32(last) && rows[0]>>6 == rows[last]>>6
	if together {
		word = s.now.bits[first>>6] >> (first & 63)
	} else {
		for i, r := range rows {
			word |= s.now.bits[r>>6] >> (r & 63) & 1 << i
		}
	}
	before := word
	for i := last; i > 0; i-- {
		j := s.rng.Below(i + 1)
		differ := (word>>i ^ word>>j) & 1
		word ^= differ<<i | differ<<j
	}
	switch {
	case word == before:
	case together:
		s.now.bits[first>>6] ^= (word ^ before) << (first & 63)
	default:
		for i, r := range rows {
			s.now.bits[r>>6] ^= (word ^ before) >> i & 1 << (r & 63)
		}
	}
}

func swapBits(bits []uint64, a, b uint32) {
	differ := (bits[a>>6]>>(a&63) ^ bits[b>>6]>>(b&63)) & 1
	bits[a>>6] ^= differ << (a & 63)
	bits[b>>6] ^= differ << (b & 63)
}
