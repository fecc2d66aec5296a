package parquet

import (
	"math"
	"testing"

	"github.com/rollmill/rollmill/formats/rollout"
	"pgregory.net/rapid"
)

func TestNumbersAreThoseOfTheRow(t *testing.T) {
	var n numbers
	for _, x := range []float64{math.NaN(), 0, math.Inf(1), 0, math.Inf(-1), math.Copysign(0, -1), 0, 1, 0.1, 1e300, 5e-324, 0.1} {
		if got, want := n.of(x), rollout.Number(x); got != want {
			t.Errorf("%v is %v, want %v", x, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		for _, bits := range rapid.SliceOfN(rapid.Uint64(), 1, 300).Draw(t, "bits") {
			x := math.Float64frombits(bits)
			for range 2 {
				if got, want := n.of(x), rollout.Number(x); got != want {
					t.Fatalf("%v is %v, want %v", x, got, want)
				}
			}
		}
	})
}

// Numbers that share a place do not stand for each other.
func TestNumbersOfOnePlace(t *testing.T) {
	var n numbers
	first := map[uint64]float64{}
	shared := 0
	for i := range 1000 {
		x := math.Float64frombits(math.Float64bits(math.NaN()) + uint64(i))
		if i%2 == 0 {
			x = float64(i) / 8
		}
		place := math.Float64bits(x) * 0x9e3779b97f4a7c15 >> 58
		y, ok := first[place]
		if !ok {
			first[place] = x
			continue
		}
		shared++
		for _, x := range []float64{x, y, x} {
			if got, want := n.of(x), rollout.Number(x); got != want {
				t.Errorf("%v is %v, want %v", x, got, want)
			}
		}
	}
	if shared == 0 {
		t.Error("no two numbers share a place")
	}
}
