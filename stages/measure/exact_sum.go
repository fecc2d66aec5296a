package measure

import "math"

// exactSum adds floating-point numbers without any error, so that the order in
// which they come does not show: sums of rows that arrive from several workers
// are equal to the last bit. The sum is high + low, which do not overlap, and
// where two numbers do not hold it, what is left goes to the rest that is kept
// elsewhere (Shewchuk 1997, "Adaptive precision floating-point arithmetic").
type exactSum struct{ high, low float64 }

// hugeValue is from where on a value counts as infinite, so that no sum of
// finite ones overflows.
const hugeValue = 0x1p960

// add adds a value and returns what did not fit, mostly 0.
func (s *exactSum) add(x float64) (rest float64) {
	if math.Abs(x) >= hugeValue {
		x = math.Copysign(math.Inf(1), x)
	}
	if math.IsInf(x, 0) || math.IsNaN(x) || math.IsInf(s.high, 0) || math.IsNaN(s.high) {
		s.high, s.low = s.high+x, 0
		return 0
	}
	x, rest = twoSum(x, s.low)
	s.high, s.low = twoSum(s.high, x)
	s.low, rest = twoSum(s.low, rest)
	s.high, s.low = twoSum(s.high, s.low)
	return rest
}

// twoSum is the sum of two numbers and its rounding error, exactly.
func twoSum(a, b float64) (sum, err float64) {
	sum = a + b
	bb := sum - a
	err = (a - (sum - bb)) + (b - bb)
	return sum, err
}

// rounded is the double nearest to the sum together with what did not fit, ties
// to even.
func (s exactSum) rounded(rest []float64) float64 {
	if len(rest) == 0 || math.IsInf(s.high, 0) || math.IsNaN(s.high) {
		return s.high + s.low
	}
	parts := expand(expand(append([]float64(nil), rest...), s.low), s.high)
	n := len(parts) - 1
	high, low := parts[n], 0.0
	for n > 0 && low == 0 {
		n--
		high, low = twoSum(high, parts[n])
	}
	// What is left decides when low is half of the last digit of high.
	if n > 0 && (low < 0 && parts[n-1] < 0 || low > 0 && parts[n-1] > 0) {
		if up, err := twoSum(high, 2*low); err == 0 {
			return up
		}
	}
	return high
}

// expand adds x to a sum in parts that do not overlap, the smallest first.
func expand(parts []float64, x float64) []float64 {
	kept := parts[:0]
	for _, p := range parts {
		var err float64
		if x, err = twoSum(x, p); err != 0 {
			kept = append(kept, err)
		}
	}
	return append(kept, x)
}
