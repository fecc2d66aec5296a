package stats

import "math"

// TwoProportionP is the two-sided p-value of the pooled z test that two shares
// are equal; absent when a side is empty or the pooled share is 0 or 1.
func TwoProportionP(passesA, nA, passesB, nB int) Null[float64] {
	if nA <= 0 || nB <= 0 {
		return Null[float64]{}
	}
	a, b := float64(nA), float64(nB)
	pooled := float64(passesA+passesB) / (a + b)
	if pooled <= 0 || pooled >= 1 {
		return Null[float64]{}
	}
	se := math.Sqrt(pooled * (1 - pooled) * (1/a + 1/b))
	z := (float64(passesB)/b - float64(passesA)/a) / se
	return Of(2 * (1 - NormalCDF(math.Abs(z))))
}

// SignTest is the exact two-sided p-value that ups and downs are equally
// likely; 1 when there are neither.
func SignTest(up, down int) float64 {
	n := up + down
	if n == 0 {
		return 1
	}
	tail := 0.0 // sum over k <= min of C(n, k) / 2^n, in logarithms so that no n overflows
	for k := 0; k <= min(up, down); k++ {
		tail += math.Exp(logChoose(n, k) - float64(n)*math.Ln2)
	}
	return min(1, 2*tail)
}

// logChoose is the natural logarithm of the binomial coefficient.
func logChoose(n, k int) float64 {
	a, _ := math.Lgamma(float64(n + 1))
	b, _ := math.Lgamma(float64(k + 1))
	c, _ := math.Lgamma(float64(n - k + 1))
	return a - b - c
}
