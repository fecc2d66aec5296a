package stats

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Resampler draws bootstrap resamples of many values through how often each
// distinct value occurs. A resample of n values out of n picks the distinct
// value j with probability n_j/n each time, so its counts are multinomial: the
// same distribution of means as picking one by one, at the cost of one binomial
// draw a distinct value. Where nearly all values differ, it picks one by one
// after all, block by block and with a fast generator.
//
// Draws come in streams of [StreamDraws], each with a generator seeded by the
// seed and the stream's number alone. A caller with several cores may fill
// streams in parallel and gets the same numbers; Means does not change the
// Resampler.
type Resampler struct {
	n        int
	distinct []float64
	counts   []int     // how often each distinct value occurs
	plain    []float64 // the values themselves, when picking one by one is cheaper
}

const (
	// StreamDraws is the number of resamples in a stream.
	StreamDraws = 100
	// A binomial draw costs about as much as picking this many values.
	binomialCost = 48
	// Values in a block of which single ones are picked: 16 KiB, and 11 bits of
	// a random word a pick.
	blockSize = 2048
)

// NewResampler prepares the values; it copies them.
func NewResampler(values []float64) *Resampler {
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	r := &Resampler{n: len(values)}
	for i, v := range sorted {
		if i > 0 && v == r.distinct[len(r.distinct)-1] {
			r.counts[len(r.counts)-1]++
			continue
		}
		if (len(r.distinct)+1)*binomialCost > len(values) {
			return &Resampler{n: len(values), plain: sorted}
		}
		r.distinct = append(r.distinct, v)
		r.counts = append(r.counts, 1)
	}
	return r
}

// AllMeans fills means from as many streams as it takes.
func (r *Resampler) AllMeans(seed int64, means []float64) {
	for stream := 0; len(means) > 0; stream++ {
		n := min(StreamDraws, len(means))
		r.Means(seed, stream, means[:n])
		means = means[n:]
	}
}

// Means fills means, at most [StreamDraws] of them, with the means of the
// resamples of one stream.
func (r *Resampler) Means(seed int64, stream int, means []float64) {
	src := streamSource(seed, stream)
	if r.plain != nil {
		r.pick(src, means)
		return
	}
	for i := range means {
		left, mass, sum := r.n, r.n, 0.0
		for j, v := range r.distinct {
			c := left
			if j < len(r.distinct)-1 {
				c = binomial(src, left, float64(r.counts[j])/float64(mass))
			}
			sum += float64(float64(c) * v)
			left -= c
			mass -= r.counts[j]
			if left == 0 {
				break
			}
		}
		means[i] = sum / float64(r.n)
	}
}

// pick draws every value of a resample. How many come out of each block of
// values is binomial; those are then picked within the block, which the cache
// holds.
func (r *Resampler) pick(src *rand.PCG, means []float64) {
	for i := range means {
		left, mass, sum := r.n, r.n, 0.0
		for from := 0; from < r.n; from += blockSize {
			block := r.plain[from:min(from+blockSize, r.n)]
			c := left
			if len(block) < mass {
				c = binomial(src, left, float64(len(block))/float64(mass))
			}
			sum += pickSum(src, block, c)
			left -= c
			mass -= len(block)
		}
		means[i] = sum / float64(r.n)
	}
}

// pickSum is the sum of c values picked out of a block, five to a random word
// when the block is full.
func pickSum(src *rand.PCG, block []float64, c int) float64 {
	sum := 0.0
	if len(block) == blockSize {
		full := (*[blockSize]float64)(block)
		for ; c > 0; c -= 5 {
			word := src.Uint64()
			for range min(c, 5) {
				sum += full[word%blockSize]
				word /= blockSize
			}
		}
		return sum
	}
	n := uint32(len(block))
	reject := -n % n // draws whose low half is below it would favour small indices
	for range c {
		m := (src.Uint64() >> 32) * uint64(n)
		for uint32(m) < reject {
			m = (src.Uint64() >> 32) * uint64(n)
		}
		sum += block[m>>32]
	}
	return sum
}

// streamSource seeds the generator of a stream; the mixing (splitmix64) keeps
// neighbouring seeds and streams apart.
func streamSource(seed int64, stream int) *rand.PCG {
	return rand.NewPCG(splitmix(uint64(seed)), splitmix(uint64(stream)^0x5851f42d4c957f2d))
}

func splitmix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// binomial draws the number of successes in n trials of probability p.
func binomial(src *rand.PCG, n int, p float64) int {
	switch {
	case n == 0 || p <= 0:
		return 0
	case p >= 1:
		return n
	}
	return int(distuv.Binomial{N: float64(n), P: p, Src: src}.Rand())
}

// FlipMeans fills means, at most [StreamDraws] of them, with the mean of the
// values after each had its sign flipped by a fair coin: of c equal absolute
// values the kept ones are binomial(c, 1/2).
func (r *Resampler) FlipMeans(seed int64, stream int, means []float64) {
	src := streamSource(seed, stream)
	for i := range means {
		sum := 0.0
		for j, v := range r.distinct {
			kept := binomial(src, r.counts[j], 0.5)
			sum += float64(float64(2*kept-r.counts[j]) * v)
		}
		for j := 0; j < len(r.plain); j += 64 {
			coins := src.Uint64()
			for _, v := range r.plain[j:min(j+64, len(r.plain))] {
				sum += math.Float64frombits(math.Float64bits(v) ^ coins<<63)
				coins >>= 1
			}
		}
		means[i] = sum / float64(r.n)
	}
}
