package semantic

import (
	"fmt"
	"math"
)

// matrix holds unit vectors row by row, twice: narrow for the fast product that
// finds what may be best, wide for the plain one that decides. Zero vectors
// stay zero.
type matrix struct {
	dims   int // 0 until the first vector
	narrow []float32
	wide   []float64
}

func (m *matrix) rows() int {
	if m.dims == 0 {
		return 0
	}
	return len(m.wide) / m.dims
}

func (m *matrix) row(i int) []float64 { return m.wide[i*m.dims : (i+1)*m.dims] }

func (m *matrix) add(v []float64) error {
	if m.dims == 0 {
		m.dims = len(v)
	}
	if len(v) == 0 || len(v) != m.dims {
		return fmt.Errorf("%w: %d numbers, want %d", ErrVector, len(v), max(m.dims, 1))
	}
	length := norm(v)
	if math.IsNaN(length) || math.IsInf(length, 0) {
		return fmt.Errorf("%w: its length is %v", ErrVector, length)
	}
	if length == 0 {
		length = 1
	}
	for _, x := range v {
		x /= length
		m.wide = append(m.wide, x)
		m.narrow = append(m.narrow, float32(x))
	}
	return nil
}

// clear forgets the rows and keeps their room.
func (m *matrix) clear() { m.narrow, m.wide = m.narrow[:0], m.wide[:0] }

// slack is by how much a narrow product of unit vectors may differ from the
// wide one: each of dims products and sums rounds by at most 2^-24 of its size,
// and so do both factors; twice that, to be sure.
func (m *matrix) slack() float64 { return float64(m.dims+8) * 0x1p-23 }
