package stats

import "math"

// Pearson is the correlation of two lists, absent under three points, for
// unequal lengths, and when either list does not vary.
func Pearson(xs, ys []float64) Null[float64] {
	if len(xs) != len(ys) || len(xs) < 3 {
		return Null[float64]{}
	}
	mx, my := Mean(xs), Mean(ys)
	var sxx, syy, sxy float64
	for i := range xs {
		dx, dy := xs[i]-mx, ys[i]-my
		sxx += float64(dx * dx)
		syy += float64(dy * dy)
		sxy += float64(dx * dy)
	}
	if sxx == 0 || syy == 0 {
		return Null[float64]{}
	}
	return Of(sxy / math.Sqrt(sxx*syy))
}
