package stats

import (
	"fmt"
	"math"
)

// NoiseOptions say what a [NoiseBand] rests on; zero values are the defaults.
type NoiseOptions struct {
	RunsA int     // runs averaged on side A; default 1
	RunsB int     // and on side B; default 1
	DF    int     // degrees of freedom behind the standard deviation; 0: taken as known
	Level float64 // default 0.95
}

// NoiseBand is how far the means of two sides lie apart by re-running alone:
// q * runStd * sqrt(1/a + 1/b), where runStd is the standard deviation of ONE
// run's mean, and q the normal quantile, or Student's when runStd was itself
// measured on few runs (Miller 2024, arXiv:2411.00640).
func NoiseBand(runStd float64, o NoiseOptions) (float64, error) {
	o = o.withDefaults()
	if o.RunsA < 1 || o.RunsB < 1 {
		return 0, &ArgumentError{Name: "RunsA and RunsB", Got: min(o.RunsA, o.RunsB), Want: "1 or more"}
	}
	q, err := o.quantile()
	return q * runStd * math.Sqrt(1/float64(o.RunsA)+1/float64(o.RunsB)), err
}

func (o NoiseOptions) withDefaults() NoiseOptions {
	if o.RunsA == 0 {
		o.RunsA = 1
	}
	if o.RunsB == 0 {
		o.RunsB = 1
	}
	if o.Level == 0 {
		o.Level = DefaultLevel
	}
	return o
}

func (o NoiseOptions) quantile() (float64, error) {
	if o.DF > 0 {
		return TQuantile(o.DF, o.Level)
	}
	return ZLevel(o.Level), openUnit("Level", o.Level)
}

// String is the rule in words: 1.96 x run_std x sqrt(1/1 + 1/1).
func (o NoiseOptions) String() string {
	o = o.withDefaults()
	q, _ := o.quantile()
	name := fmt.Sprintf("%.2f", q)
	if o.DF > 0 {
		name = fmt.Sprintf("t(df=%d)=%.2f", o.DF, q)
	}
	return fmt.Sprintf("%s x run_std x sqrt(1/%d + 1/%d)", name, o.RunsA, o.RunsB)
}

// Stability labels a run-to-run standard deviation, in points of 100: under
// 0.35 very_stable, under 0.7 stable, else high_variance (bands read off the
// Olmo 3 figures in Lambert 2025, arXiv:2504.12501).
func Stability(runStd float64) string {
	switch points := runStd * 100; {
	case points < 0.35:
		return "very_stable"
	case points < 0.7:
		return "stable"
	}
	return "high_variance"
}
