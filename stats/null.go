package stats

import (
	"encoding/json"
	"math"
)

// Null is a value that may be absent: an interval of too few tasks, pass@k of
// groups shorter than k, a share of nothing. The zero value is absent. It is
// written as JSON null, and so is a number that is not finite.
type Null[T any] struct {
	V     T
	Valid bool
}

// Of returns a present value.
func Of[T any](v T) Null[T] { return Null[T]{V: v, Valid: true} }

// Or returns the value, or def when it is absent.
func (n Null[T]) Or(def T) T {
	if n.Valid {
		return n.V
	}
	return def
}

// MarshalJSON writes the value, or null when it is absent or not finite.
func (n Null[T]) MarshalJSON() ([]byte, error) {
	if !n.Valid {
		return []byte("null"), nil
	}
	if f, ok := any(n.V).(float64); ok && !isFinite(f) {
		return []byte("null"), nil
	}
	return json.Marshal(n.V)
}

// finite returns x, or absent when x is NaN.
func finite(x float64) Null[float64] {
	if math.IsNaN(x) {
		return Null[float64]{}
	}
	return Of(x)
}

// rounded rounds a value that may be absent.
func rounded(n Null[float64], digits int) Null[float64] {
	if !n.Valid {
		return n
	}
	return Of(Round(n.V, digits))
}

// ratio is num/den rounded to 4 digits, absent when den is 0.
func ratio(num, den int) Null[float64] {
	return rounded(share(num, den), 4)
}

// share is num/den, absent when den is 0.
func share(num, den int) Null[float64] {
	if den == 0 {
		return Null[float64]{}
	}
	return Of(float64(num) / float64(den))
}

func isFinite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
