package stats

import "gonum.org/v1/gonum/mathext"

// ClopperPearson is the exact interval of a share (Clopper and Pearson 1934):
// it covers with at least its level for every n and every true share, at the
// price of being wide. For few rollouts of one task it is the honest one: 1
// pass of 8 is compatible with 0.3 % to 53 %. Absent when n is 0.
func ClopperPearson(successes, n int, level float64) Null[Interval] {
	if n <= 0 {
		return Null[Interval]{}
	}
	s, f := float64(successes), float64(n-successes)
	tail := (1 - level) / 2
	iv := Interval{Low: 0, High: 1}
	if s > 0 {
		iv.Low = mathext.InvRegIncBeta(s, f+1, tail)
	}
	if f > 0 {
		iv.High = mathext.InvRegIncBeta(s+1, f, 1-tail)
	}
	return Of(iv)
}

// BetaInterval is the equal-tailed credible interval of a share under a
// Beta(a, b) prior: a = b = 0.5 is Jeffreys' (Brown, Cai and DasGupta 2001, who
// recommend it for small n), a = b = 1 the uniform one. It needs no rollouts:
// of 0 in 0 it is the prior. a and b must be positive.
func BetaInterval(successes, n int, a, b, level float64) Interval {
	a += float64(successes)
	b += float64(n - successes)
	tail := (1 - level) / 2
	return Interval{
		Low:  mathext.InvRegIncBeta(a, b, tail),
		High: mathext.InvRegIncBeta(a, b, 1-tail),
	}
}
