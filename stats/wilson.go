package stats

import "math"

// Wilson is the score interval of a share (Wilson 1927) at the quantile z, cut
// to [0, 1]; absent when n is 0. Unlike the interval of Wald or a bootstrap it
// stays wide when nothing or everything passed: of 0 in 25 it says up to 0.133.
func Wilson(successes, n int, z float64) Null[Interval] {
	if n <= 0 {
		return Null[Interval]{}
	}
	count := float64(n)
	p := float64(successes) / count
	zz := z * z
	scale := 1 + zz/count
	centre := (p + zz/(2*count)) / scale
	half := z * math.Sqrt(p*(1-p)/count+zz/(4*count*count)) / scale
	return Of(Interval{Low: centre - half, High: centre + half}.clamp())
}
