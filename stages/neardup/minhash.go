package neardup

import (
	"context"
	"math"
	"slices"
	"sync/atomic"

	"github.com/sourcegraph/conc/iter"
	"github.com/zeebo/xxh3"
)

// Minwise hashing (Broder 1997) with bands (Indyk and Motwani 1998): the least
// hash of two sets agrees with probability J. Rows of such hashes make the key
// of a band, and sets with an equal key in any band are compared word by word,
// so that what is reported is right, and only what is missed is left to chance.

// bands says how many hashes are taken.
type bands struct {
	bands, rows int
}

// recall is the probability that a pair is found.
func (b bands) recall(jaccard float64) float64 {
	return 1 - math.Pow(1-math.Pow(jaccard, float64(b.rows)), float64(b.bands))
}

// mostHashes bounds the hashes of a set.
const mostHashes = 200

// bandsFor returns the bands with the most rows, which let the fewest other
// pairs through, that find a pair right at a threshold with at least probability
// recall, from no more than mostHashes hashes; one row where none do.
func bandsFor(t threshold, recall float64) bands {
	best := bands{1, 1}
	for rows := 1; rows <= 16; rows++ {
		b := bands{1, rows}
		for b.bands*rows < mostHashes && b.recall(float64(t)) < recall {
			b.bands++
		}
		if rows == 1 || b.bands*rows <= mostHashes && b.recall(float64(t)) >= recall {
			best = b
		}
	}
	return best
}

// keys has the key of each set in each band. Keys of 32 bits are enough: a key
// that agrees by chance costs one comparison.
type keys [][]uint32

// minhash finds pairs by bands of least hashes.
func minhash(ctx context.Context, s *sets, words []string, t threshold, b bands, o Options) (*pairs, error) {
	progress := newTeller(o.Progress, 2*b.bands)
	hashes := make([]uint64, len(words))
	for n, w := range words {
		hashes[s.rank[n]] = xxh3.HashStringSeed(w, o.Seed)
	}
	all := make(keys, b.bands)
	iter.Iterator[[]uint32]{MaxGoroutines: o.Workers}.ForEachIdx(all, func(band int, out *[]uint32) {
		if ctx.Err() == nil {
			*out = s.keysOf(ctx, hashes, band, b.rows)
			progress.add(1)
		}
	})
	var next atomic.Int64
	workers := make([]*pairs, o.Workers)
	iter.Iterator[*pairs]{MaxGoroutines: o.Workers}.ForEachIdx(workers, func(n int, found **pairs) {
		*found = newPairs(s, o.Examples)
		if n == 0 {
			for i := range int32(s.len()) {
				(*found).addSet(i)
			}
		}
		order := make([]int32, s.len())
		for ctx.Err() == nil {
			band := int(next.Add(1)) - 1
			if band >= b.bands {
				return
			}
			all.compare(ctx, band, order, t, *found)
			progress.add(1)
		}
	})
	return mergeAll(ctx, workers)
}

// keysOf calculates the keys of one band.
func (s *sets) keysOf(ctx context.Context, hashes []uint64, band, rows int) []uint32 {
	factor, mask := make([]uint64, rows), make([]uint64, rows)
	for r := range rows {
		factor[r] = mix(uint64(band*rows+r)<<1+1) | 1
		mask[r] = mix(uint64(band*rows+r) << 1)
	}
	least := make([]uint64, rows)
	out := make([]uint32, s.len())
	for i := range out {
		if i%chunk == 0 && ctx.Err() != nil {
			return out
		}
		for r := range least {
			least[r] = math.MaxUint64
		}
		for _, w := range s.of(int32(i)) {
			h := hashes[w]
			for r, f := range factor {
				least[r] = min(least[r], (h^mask[r])*f)
			}
		}
		key := uint64(0)
		for _, l := range least {
			key = mix(key ^ l)
		}
		out[i] = uint32(key >> 32)
	}
	return out
}

// compare compares the sets whose keys agree in a band, and in none before it.
func (k keys) compare(ctx context.Context, band int, order []int32, t threshold, found *pairs) {
	key := k[band]
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		switch {
		case key[a] < key[b]:
			return -1
		case key[a] > key[b]:
			return 1
		}
		return int(a - b)
	})
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && key[order[to]] == key[order[from]] {
			to++
		}
		for j := from + 1; j < to && ctx.Err() == nil; j++ {
			k.compareWith(order[j], order[from:j], band, t, found)
		}
		from = to
	}
}

// compareWith compares a set with smaller ones.
func (k keys) compareWith(b int32, smaller []int32, band int, t threshold, found *pairs) {
	s := found.sets
	words := s.of(b)
	least := s.from(t.least(len(words)))
	for _, a := range smaller {
		if a < least || k.before(band, a, b) {
			continue
		}
		other := s.of(a)
		if n := sharedBy(words, other, 0, t.shared(len(words), len(other))); n > 0 {
			found.add(a, b, jaccard(n, len(words), len(other)))
		}
	}
}

// before says whether the keys of two sets agree in an earlier band.
func (k keys) before(band int, a, b int32) bool {
	for _, key := range k[:band] {
		if key[a] == key[b] {
			return true
		}
	}
	return false
}

// mix is a bijection of 64 bits in which every bit of x changes half of the
// result (Steele, Lea and Flood, OOPSLA 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
