package stats

import "strconv"

// Round rounds x to a number of decimals: correct decimal rounding of the exact
// binary value, ties to even (spec of statistics, section 1.4). Round(2.675, 2)
// is 2.67, since the nearest double lies below the tie.
func Round(x float64, digits int) float64 {
	if !isFinite(x) {
		return x
	}
	r, err := strconv.ParseFloat(strconv.FormatFloat(x, 'f', digits, 64), 64)
	if err != nil {
		return x
	}
	return r
}

// roundInt rounds to an integer, ties to even.
func roundInt(x float64) int { return int(Round(x, 0)) }

// percent prints a share as a percentage: multiplied first, then rounded.
func percent(x float64, digits int) string {
	return strconv.FormatFloat(x*100, 'f', digits, 64) + "%"
}

// fixed prints a number with that many decimals, or n/a.
func fixed(n Null[float64], digits int) string {
	if !n.Valid {
		return "n/a"
	}
	return strconv.FormatFloat(n.V, 'f', digits, 64)
}

// signed prints a number with its sign, or n/a.
func signed(n Null[float64], digits int) string {
	if !n.Valid {
		return "n/a"
	}
	s := strconv.FormatFloat(n.V, 'f', digits, 64)
	if s[0] != '-' {
		s = "+" + s
	}
	return s
}

// band prints an interval as low..high, or n/a.
func band(iv Null[Interval], digits int, form func(Null[float64], int) string) string {
	if !iv.Valid {
		return "n/a"
	}
	return form(Of(iv.V.Low), digits) + ".." + form(Of(iv.V.High), digits)
}
