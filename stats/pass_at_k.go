package stats

import "math/big"

// PassAtK is the unbiased estimate that at least one of k rollouts passes, from
// n rollouts of one task of which c passed: 1 - C(n-c, k)/C(n, k) (Chen et al.
// 2021, arXiv:2107.03374). It is absent when n < k: with fewer samples than k
// the quantity cannot be estimated, and it is not 1. The figure of a data set is
// the mean over its tasks, see [PassAt]. Binomial coefficients are exact.
func PassAtK(n, c, k int) Null[float64] {
	if !drawable(n, c, k) {
		return Null[float64]{}
	}
	none, all := drawRatio(n, n-c, k)
	return Of(quotient(none.Sub(all, none), all))
}

// PassPowK is the unbiased estimate that all of k rollouts pass, written pass^k:
// C(c, k)/C(n, k) (Yao et al. 2024, tau-bench, arXiv:2406.12045). It is absent
// when n < k.
func PassPowK(n, c, k int) Null[float64] {
	if !drawable(n, c, k) {
		return Null[float64]{}
	}
	return Of(quotient(drawRatio(n, c, k)))
}

func drawable(n, c, k int) bool { return k >= 1 && n >= k && c >= 0 && c <= n }

// drawRatio is C(m, k)/C(n, k), m <= n, as two whole numbers. Both are scaled
// down to products of min(k, n-m) factors: either of m(m-1).../n(n-1)... or,
// since C(m,k)/C(n,k) = C(n-k, n-m)/C(n, n-m), of the other pair.
func drawRatio(n, m, k int) (num, den *big.Int) {
	if m < k {
		return new(big.Int), big.NewInt(1)
	}
	if n-m < k {
		m, k = n-k, n-m
	}
	num = new(big.Int).MulRange(int64(m-k+1), int64(m))
	den = new(big.Int).MulRange(int64(n-k+1), int64(n))
	return num, den
}

// quotient is the float64 nearest to num/den.
func quotient(num, den *big.Int) float64 {
	if num.IsInt64() && den.IsInt64() && num.Int64() < 1<<53 && den.Int64() < 1<<53 {
		return float64(num.Int64()) / float64(den.Int64())
	}
	q, _ := new(big.Rat).SetFrac(num, den).Float64()
	return q
}
