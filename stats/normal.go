package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// Z95 is the rounded two-sided 95 % normal quantile that the spec of
// statistics, section 1.6, uses at that level.
const Z95 = 1.96

// NormalCDF is the standard normal distribution function.
func NormalCDF(z float64) float64 { return 0.5 * (1 + math.Erf(z/math.Sqrt2)) }

// NormalQuantile is the inverse of [NormalCDF], for p strictly between 0 and 1;
// -Inf and +Inf at the ends.
func NormalQuantile(p float64) float64 { return mathext.NormalQuantile(p) }

// ZLevel is the two-sided normal quantile of a confidence level: exactly
// [Z95] at 0.95, the true quantile elsewhere.
func ZLevel(level float64) float64 {
	if level == 0.95 {
		return Z95
	}
	return NormalQuantile((1 + level) / 2)
}
