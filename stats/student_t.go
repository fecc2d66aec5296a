package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

// t95 holds the two-sided 95 % quantiles of Student's t to three decimals, for
// 1 to 30 degrees of freedom.
var t95 = [...]float64{
	12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
	2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
	2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
}

// TQuantile is the two-sided Student t quantile of the reference: at level
// 0.95 a table of three decimals up to 30 degrees of freedom and a two-term
// expansion around 1.96 above, elsewhere the distribution function bisected
// (spec of statistics, section 1.6). df below 1 counts as 1; level must lie
// strictly between 0 and 1. Intervals beyond the reference use the exact
// quantile instead, see [StudentInterval].
func TQuantile(df int, level float64) (float64, error) {
	if err := openUnit("Level", level); err != nil {
		return 0, err
	}
	df = max(1, df)
	if level != 0.95 {
		return bisectT(df, level), nil
	}
	if df <= len(t95) {
		return t95[df-1], nil
	}
	z, n := Z95, float64(df)
	z3 := z * z * z
	z5 := z3 * z * z
	return z + (z3+z)/(4*n) + (float64(5*z5)+float64(16*z3)+float64(3*z))/(96*n*n), nil
}

// bisectT solves P(|T| <= t) = level on [0, 1000] to a width of 1e-10.
func bisectT(df int, level float64) float64 {
	n := float64(df)
	low, high := 0.0, 1000.0
	for step := 0; step < 200 && high-low > 1e-10; step++ {
		mid := (low + high) / 2
		within := 1 - mathext.RegIncBeta(n/2, 0.5, n/(n+float64(mid*mid)))
		if within < level {
			low = mid
		} else {
			high = mid
		}
	}
	return (low + high) / 2
}

// StudentInterval is the mean of the values with the exact Student t interval
// around it: mean +- t(n-1) * sd / sqrt(n). With one value a task, their means,
// it is the interval that Miller 2024 (arXiv:2411.00640) derives for clustered
// evaluations; it does not undercover at few tasks as the percentile bootstrap
// does, but it may leave [0, 1]. Absent for fewer than two values.
func StudentInterval(values []float64, level float64) Null[Interval] {
	sd := SampleSD(values)
	if !sd.Valid {
		return Null[Interval]{}
	}
	n := float64(len(values))
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}.Quantile((1 + level) / 2)
	mean, half := Mean(values), t*sd.V/math.Sqrt(n)
	return Of(Interval{Low: mean - half, High: mean + half})
}
