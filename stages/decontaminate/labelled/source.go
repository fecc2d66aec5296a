package labelled

import (
	"math/bits"
	"strconv"
)

// source is a small random generator (splitmix64: Steele, Lea and Flood, OOPSLA
// 2014). One is made for each thing that is drawn.
type source uint64

const golden = 0x9e3779b97f4a7c15

func newSource(seed uint64, kind string, n int) *source {
	s := source(mix(seed + golden))
	for _, c := range []byte(kind) {
		s = source(mix(uint64(s) + uint64(c)))
	}
	s = source(mix(uint64(s) + uint64(n)*golden))
	return &s
}

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

// percent is true in p of 100 draws.
func (s *source) percent(p int) bool { return s.intn(100) < p }

func pick[T any](s *source, from []T) T { return from[s.intn(len(from))] }

func shuffle[T any](s *source, all []T) {
	for i := len(all) - 1; i > 0; i-- {
		j := s.intn(i + 1)
		all[i], all[j] = all[j], all[i]
	}
}

// numeral returns a number as people write it in questions.
func (s *source) numeral() string {
	switch s.intn(10) {
	case 0, 1, 2, 3:
		return strconv.Itoa(s.between(2, 20))
	case 4, 5, 6:
		return strconv.Itoa(s.between(21, 99))
	case 7, 8:
		return strconv.Itoa(s.between(10, 95) * 10)
	}
	return strconv.Itoa(s.between(1, 9)) + "." + strconv.Itoa(s.between(1, 9))
}
