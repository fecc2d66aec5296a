package report

import (
	"fmt"
	"strconv"
)

// Grouped is a number with commas between its thousands.
func Grouped(n int64) string {
	digits := strconv.FormatInt(n, 10)
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// Share is a part of a whole in percent; "" of nothing.
func Share(part, whole int64) string {
	if whole == 0 {
		return ""
	}
	share := 100 * float64(part) / float64(whole)
	switch {
	case part == 0 || part == whole:
		return fmt.Sprintf("%.0f %%", share)
	case share < 0.1:
		return "< 0.1 %"
	case share > 99.9:
		return "> 99.9 %"
	}
	return fmt.Sprintf("%.1f %%", share)
}

// short is a number in at most five characters, for pictures.
func short(n int64) string {
	if n < 10_000 {
		return Grouped(n)
	}
	x, unit := float64(n)/1e3, "k"
	for _, larger := range []string{"M", "G", "T", "P"} {
		if x >= 999.5 { // which would round to a fourth digit
			x, unit = x/1e3, larger
		}
	}
	return strconv.FormatFloat(x, 'g', 3, 64) + unit
}
