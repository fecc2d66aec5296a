package stats

import "math"

// DetectableOptions are the arguments of [DetectableEffect]; zero values are
// the defaults.
type DetectableOptions struct {
	Base  Null[float64] // pass rate before; default 0.6
	K     int           // rollouts a task; default 4
	Power float64       // default 0.8
	Alpha float64       // default 0.05
}

// DetectableEffect is the smallest gain that this many paired tasks resolve
// (Miller 2024, arXiv:2411.00640, section 5), rounded to 4 digits and at most 1;
// absent under two tasks. The gain is on both sides of its equation, so 12 steps
// of a fixed-point iteration solve it; a base of 0 or 1 stays at 0.
func DetectableEffect(tasks int, o DetectableOptions) (Null[float64], error) {
	if o.Power == 0 {
		o.Power = DefaultPower
	}
	if o.Alpha == 0 {
		o.Alpha = DefaultAlpha
	}
	if o.K == 0 {
		o.K = DefaultRollouts
	}
	if err := openUnit("Power", o.Power); err != nil {
		return Null[float64]{}, err
	}
	if err := openUnit("Alpha", o.Alpha); err != nil {
		return Null[float64]{}, err
	}
	if tasks < 2 {
		return Null[float64]{}, nil
	}
	z := NormalQuantile(1-o.Alpha/2) + NormalQuantile(o.Power)
	effect := 0.0
	for range 12 {
		effect = z * UniformSD(o.Base.Or(DefaultBase), effect, o.K) / math.Sqrt(float64(tasks))
	}
	return Of(Round(min(1, effect), 4)), nil
}
