package rollout

import (
	"math"
	"strconv"
)

// Value is a scalar field that is normally a number, kept with its JSON text,
// so that 1.0 stays 1.0 and an integer of 64 bits keeps its digits. The zero
// Value is absent.
type Value struct {
	Num  float64 // the number; 0 when Text is not a JSON number
	Text string  // the JSON text: a number token, or whatever else stood there
}

// Kind is the type of a JSON value.
type Kind uint8

const (
	KindAbsent Kind = iota
	KindNull
	KindBool
	KindNumber
	KindString
	KindArray
	KindObject
)

// Kind tells the JSON type of the value by its first byte.
func (v Value) Kind() Kind {
	if v.Text == "" {
		return KindAbsent
	}
	switch v.Text[0] {
	case 'n':
		return KindNull
	case 't', 'f':
		return KindBool
	case '"':
		return KindString
	case '[':
		return KindArray
	case '{':
		return KindObject
	}
	return KindNumber
}

// Number returns the value of a finite number. NaN and infinities, which JSON
// cannot hold, become null.
func Number(f float64) Value {
	switch {
	case f == 0 && !math.Signbit(f):
		return Value{0, "0"}
	case f == 1:
		return Value{1, "1"}
	case math.IsNaN(f) || math.IsInf(f, 0):
		return Value{Text: "null"}
	}
	return Value{f, string(AppendFloat(nil, f))}
}

// Integer returns the value of an integer.
func Integer(i int64) Value {
	return Value{float64(i), strconv.FormatInt(i, 10)}
}

// AppendFloat appends the JSON text that columns are written back with: the
// shortest one that reads back as f, integral values without a point.
func AppendFloat(dst []byte, f float64) []byte {
	if a := math.Abs(f); a != 0 && (a < 1e-6 || a >= 1e21) {
		return strconv.AppendFloat(dst, f, 'e', -1, 64)
	}
	return strconv.AppendFloat(dst, f, 'f', -1, 64)
}

// Float reads the value as a finite number: a JSON number, or a text that is
// one, as in "0.5" or " 1e0 ". Booleans are not numbers here.
func (v Value) Float() (float64, bool) {
	switch v.Kind() {
	case KindNumber:
		return v.Num, !math.IsInf(v.Num, 0)
	case KindString:
		f, ok := parseNumericText(v.Text)
		return f, ok && !math.IsNaN(f) && !math.IsInf(f, 0)
	}
	return 0, false
}

// Int reads a number that is an integer of 64 bits.
func (v Value) Int() (int64, bool) {
	if v.Kind() != KindNumber {
		return 0, false
	}
	if i, err := strconv.ParseInt(v.Text, 10, 64); err == nil {
		return i, true
	}
	if v.Num == math.Trunc(v.Num) && math.Abs(v.Num) < 1<<53 {
		return int64(v.Num), true
	}
	return 0, false
}
