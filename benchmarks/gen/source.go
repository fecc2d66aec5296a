package gen

import "math/bits"

// source is a small random generator (splitmix64: Steele, Lea and Flood,
// OOPSLA 2014). One is made for each thing that is drawn, from the seed and
// the identity of the thing, which is what makes a row independent of all others.
type source uint64

// drawn separates the draws of different kinds of things with equal numbers.
type drawn uint64

const (
	drawnVocabulary drawn = iota + 1
	drawnItem
	drawnTask
	drawnCopy
	drawnRollout
	drawnText
	drawnID
)

const golden = 0x9e3779b97f4a7c15

func newSource(seed uint64, kind drawn, n int64) source {
	return source(mix(mix(seed+uint64(kind)*golden) + uint64(n)*golden))
}

// mix is a bijection of 64 bits in which every bit of x changes half of the result.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func (s *source) next() uint64 {
	*s += golden
	return mix(uint64(*s))
}

// intn returns a number in [0, n).
func (s *source) intn(n int) int {
	hi, _ := bits.Mul64(s.next(), uint64(n))
	return int(hi)
}

// between returns a number in [lo, hi].
func (s *source) between(lo, hi int) int { return lo + s.intn(hi-lo+1) }

// unit returns a number in [0, 1).
func (s *source) unit() float64 { return float64(s.next()>>11) / (1 << 53) }

// chance is true in a share p of all draws.
func (s *source) chance(p float64) bool { return s.unit() < p }
