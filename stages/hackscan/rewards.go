package hackscan

// rewards are those of the graded rows: a bit each where all are 0 or 1.
type rewards struct {
	n    int
	bits []uint64 // nil where they are not all 0 or 1
	vals []float64
}

// rewardsOf reads a column whose rows without an entry have the reward zero.
func rewardsOf(c *column, n int) *rewards {
	r := &rewards{n: n}
	if c.binary() {
		r.bits = make([]uint64, (n+63)/64)
	} else {
		r.vals = make([]float64, n)
	}
	var rows []uint16
	var vals []float64
	for i := range c.chunks {
		rows, vals = c.chunks[i].entries(rows[:0], vals[:0])
		for j, row := range rows {
			at := i*chunkRows + int(row)
			if r.bits != nil {
				r.bits[at>>6] |= 1 << (at & 63)
			} else {
				r.vals[at] = vals[j]
			}
		}
	}
	return r
}

func (r *rewards) at(i int) float64 {
	if r.bits != nil {
		return float64(r.bits[i>>6] >> (i & 63) & 1)
	}
	return r.vals[i]
}
