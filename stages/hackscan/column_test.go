package hackscan

import (
	"testing"

	"pgregory.net/rapid"
)

// A column gives back what was put in, in any form, and is equal to another
// exactly where their values are.
func TestColumnHoldsEverything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.SampledFrom([][]float64{{1}, {0, 1}, {1, 255}, {3, 65_535}, {7, 4_294_967_295}, {1, 4_294_967_296}, {-1, 2}, {0.5, 1}}).Draw(t, "values")
		gap := rapid.IntRange(1, 3000).Draw(t, "gap")
		n := rapid.IntRange(0, 3000).Draw(t, "entries")
		want := map[int]float64{}
		var build columnBuilder
		row := 0
		for i := range n {
			row += 1 + i*7919%gap
			v := value[i%len(value)]
			build.add(row, v)
			if v != 0 {
				want[row] = v
			}
		}
		c := build.column()
		if c.n != len(want) {
			t.Fatalf("%d entries, want %d", c.n, len(want))
		}
		got, last := 0, -1
		for i := range c.chunks {
			rows, vals := c.chunks[i].entries(nil, nil)
			for j, r := range rows {
				at := i*chunkRows + int(r)
				if at <= last || want[at] != vals[j] {
					t.Fatalf("row %d has %g, want %g", at, vals[j], want[at])
				}
				last = at
				got++
			}
		}
		if got != len(want) {
			t.Fatalf("%d entries come back, want %d", got, len(want))
		}
		if n > 0 {
			for _, at := range []int{0, row, row + 1, row / 2, row + chunkRows} {
				if c.at(at) != want[at] {
					t.Fatalf("row %d is %g, want %g", at, c.at(at), want[at])
				}
			}
		}
		var again columnBuilder
		copyColumn(&again, c, 0)
		if d := again.column(); !d.equal(&c) || d.hash() != c.hash() {
			t.Error("a copy is not equal")
		}
		copyColumn(&again, c, 1)
		if d := again.column(); c.n > 0 && d.equal(&c) {
			t.Error("a column is equal to the same one row further down")
		}
	})
}
