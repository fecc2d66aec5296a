package arrowipc

import (
	"strconv"

	"github.com/rollmill/rollmill/formats/rollout"
)

// intOf returns what a column of integers holds of a value. ok is false when
// that is null; exact is false when the column does not give the text back.
func intOf(v rollout.Value) (i int64, ok, exact bool) {
	if i, ok = shortInt(v.Text); ok {
		return i, true, true
	}
	if i, ok = v.Int(); !ok {
		return 0, false, false
	}
	var room [24]byte
	return i, true, string(strconv.AppendInt(room[:0], i, 10)) == v.Text
}

// shortInt reads an integer of at most 18 digits as they are written.
func shortInt(text string) (i int64, ok bool) {
	digits := text
	if len(digits) > 0 && digits[0] == '-' {
		digits = digits[1:]
	}
	if len(digits) == 0 || len(digits) > 18 || digits[0] == '0' && len(text) > 1 {
		return 0, false
	}
	for j := range len(digits) {
		c := digits[j] - '0'
		if c > 9 {
			return 0, false
		}
		i = 10*i + int64(c)
	}
	if len(digits) < len(text) {
		i = -i
	}
	return i, true
}

// floatOf returns what a column of floats holds of a value, as intOf does. A
// text that is a number is one in the column, as it is for a score; booleans
// are not.
func floatOf(v rollout.Value) (f float64, ok, exact bool) {
	f, ok = v.Float()
	if !ok || v.Kind() != rollout.KindNumber {
		return f, ok, false
	}
	if isShortest(v.Text) {
		return f, true, true
	}
	var room [32]byte
	return f, true, string(rollout.AppendFloat(room[:0], f)) == v.Text
}

// isShortest tells at a glance that a number is the shortest text of its float,
// as rollout.AppendFloat writes it. Texts of up to 15 digits without an exponent
// and without a zero too many are: no two of them are the same float.
func isShortest(text string) bool {
	i := 0
	if i < len(text) && text[i] == '-' {
		i++
	}
	start := i
	digits, zeros := 0, 0 // significant ones, and those between the point and them
	for ; i < len(text) && text[i]-'0' < 10; i++ {
		digits++
	}
	switch whole := text[start:i]; {
	case whole == "":
		return false
	case whole == "0":
		digits = 0
	case whole[0] == '0':
		return false
	}
	if i == len(text) {
		return digits <= 15
	}
	if text[i] != '.' {
		return false
	}
	for i++; i < len(text) && text[i]-'0' < 10; i++ {
		if digits == 0 && text[i] == '0' {
			zeros++
		} else {
			digits++
		}
	}
	last := text[len(text)-1]
	return i == len(text) && last != '0' && last != '.' && digits <= 15 && zeros <= 5
}
