package stats

import "math"

// Mean is the plain left-to-right sum divided by the count (spec of statistics,
// section 1.4); NaN for no values.
func Mean(values []float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// SampleSD is the standard deviation with n-1 in the denominator, absent for
// fewer than two values.
func SampleSD(values []float64) Null[float64] {
	if len(values) < 2 {
		return Null[float64]{}
	}
	return Of(math.Sqrt(squares(values) / float64(len(values)-1)))
}

// populationVariance has n in the denominator; NaN for no values.
func populationVariance(values []float64) float64 {
	return squares(values) / float64(len(values))
}

// squares is the sum of squared deviations from the mean.
func squares(values []float64) float64 {
	mean, sum := Mean(values), 0.0
	for _, v := range values {
		d := v - mean
		sum += float64(d * d)
	}
	return sum
}
