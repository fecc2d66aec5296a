package stats

import "encoding/json"

// Interval is a closed interval, written as JSON [low, high].
type Interval struct {
	Low, High float64
}

// HalfWidth is half of High - Low.
func (iv Interval) HalfWidth() float64 { return (iv.High - iv.Low) / 2 }

// Contains reports whether x lies in the interval, its ends included.
func (iv Interval) Contains(x float64) bool { return iv.Low <= x && x <= iv.High }

// MarshalJSON writes [low, high]; an end that is not finite is null.
func (iv Interval) MarshalJSON() ([]byte, error) {
	return json.Marshal([2]Null[float64]{Of(iv.Low), Of(iv.High)})
}

// clamp returns the interval cut to [0, 1].
func (iv Interval) clamp() Interval {
	return Interval{Low: max(0, iv.Low), High: min(1, iv.High)}
}
