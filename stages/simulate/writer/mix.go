package writer

import "math/bits"

// slot is a place of a message that is filled from a bank.
type slot struct {
	axis string // what the sentence stands for, in labels and tests
	bank []string
}

// size returns how many messages the slots make.
func size(slots []slot) uint64 {
	n := uint64(1)
	for _, s := range slots {
		hi, lo := bits.Mul64(n, uint64(len(s.bank)))
		if hi != 0 || lo > 1<<62 {
			return 1 << 62
		}
		n = lo
	}
	return n
}

// walk goes through n messages so that all differ and neighbours have little
// in common: with a stride that shares no factor with n, from a start of its
// own.
type walk struct{ n, start, stride uint64 }

func newWalk(n, start uint64) walk {
	stride := uint64(float64(n)*0.6180339887498949) | 1
	for gcd(stride, n) != 1 {
		stride += 2
	}
	return walk{n, start % n, stride % n}
}

// at returns which message comes i-th, i below n.
func (w walk) at(i uint64) uint64 {
	hi, lo := bits.Mul64(i, w.stride)
	_, step := bits.Div64(hi%w.n, lo, w.n)
	return (w.start + step) % w.n
}

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
