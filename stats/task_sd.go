package stats

import "math"

// UniformSD is the standard deviation of a task's before-after difference of
// pass rates when every task moves from base to base+effect, k rollouts each:
// sqrt((p(1-p) + q(1-q))/k) (Miller 2024, arXiv:2411.00640, section 5).
func UniformSD(base, effect float64, k int) float64 {
	p, q := clip01(base), clip01(base+effect)
	return math.Sqrt((float64(p*(1-p)) + float64(q*(1-q))) / float64(max(1, k)))
}

// ConcentratedSD is the same when the gain comes from few tasks that now always
// pass while the others stand still, which needs more tasks to see.
func ConcentratedSD(base, effect float64, k int) float64 {
	p := clip01(base)
	gain := min(1-p, effect)
	if gain <= 0 || p >= 1 {
		return UniformSD(base, effect, k)
	}
	s := gain / (1 - p)
	within := (float64((1-s)*2*p*(1-p)) + float64(s*p*(1-p))) / float64(max(1, k))
	between := gain * gain * (1 - s) / s
	return math.Sqrt(within + between)
}

// IndependenceRatio is how many times more tasks a model of independent
// rollouts asks for than the spread of the task rates does: m(1-m) over m(1-m)
// less their variance. Absent under two rates or when nothing is left to
// divide by.
func IndependenceRatio(rates []float64) Null[float64] {
	if len(rates) < 2 {
		return Null[float64]{}
	}
	m := Mean(rates)
	whole := float64(m * (1 - m))
	within := whole - populationVariance(rates)
	if whole <= 0 || within <= 1e-12 {
		return Null[float64]{}
	}
	return Of(whole / within)
}

func clip01(x float64) float64 { return max(0, min(1, x)) }
