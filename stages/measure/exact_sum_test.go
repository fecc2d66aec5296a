package measure

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// sumOf adds values one by one.
func sumOf(values []float64) float64 {
	var s exactSum
	var rest []float64
	for _, x := range values {
		if r := s.add(x); r != 0 {
			rest = expand(rest, r)
		}
	}
	return s.rounded(rest)
}

// The sum is the double nearest to the true one, whatever the values.
func TestExactSum(t *testing.T) {
	value := rapid.OneOf(
		rapid.Float64Range(-1, 1), rapid.Float64Range(-1e250, 1e250), rapid.Float64Range(-1e-300, 1e-300),
		rapid.SampledFrom([]float64{0, 1, -1, 0.1, 1 << 53, -(1 << 53), 1 << 54, 0x1p-1074, 0x1p-53, 0x1p-54, 0x1p-106, 1e16}),
	)
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(value, 0, 30).Draw(t, "values")
		exact := new(big.Float).SetPrec(4096)
		for _, x := range values {
			exact.Add(exact, new(big.Float).SetFloat64(x))
		}
		want, _ := exact.Float64()
		if got := sumOf(values); got != want {
			t.Fatalf("sum of %v is %v, want %v", values, got, want)
		}
	})
}

func TestExactSumOfTheInfinite(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		name   string
		values []float64
		want   float64
	}{
		{"infinite", []float64{1, inf, 2}, inf},
		{"both ways", []float64{inf, 1, -inf}, nan},
		{"no number", []float64{1, nan, 1}, nan},
		{"no number after infinity", []float64{inf, nan}, nan},
		{"huge", []float64{1e300, -1, 5}, inf}, // counts as infinite
		{"huge below", []float64{-1e300, 1e299}, nan},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := sumOf(c.values); got != c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

// What is left over decides where the last digit falls.
func TestExactSumOfThreeParts(t *testing.T) {
	const half = 0x1p-53 // of the last digit of 1
	for _, c := range []struct {
		values []float64
		want   float64
	}{
		{[]float64{1, half}, 1},
		{[]float64{1, half, 0x1p-200}, 1 + 0x1p-52},
		{[]float64{1, half, -0x1p-200}, 1},
		{[]float64{1 + 0x1p-52, half, -0x1p-200}, 1 + 0x1p-52},
		{[]float64{0x1p-200, 1, half}, 1 + 0x1p-52},
	} {
		if got := sumOf(c.values); got != c.want {
			t.Errorf("sum of %v is %v, want %v", c.values, got, c.want)
		}
	}
}
