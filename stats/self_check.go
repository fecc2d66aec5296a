package stats

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Shape of the trials of [SelfCheck] (spec of statistics, section 15).
const (
	selfCheckCases  = 30  // tasks of a false-alarm trial
	selfCheckGain   = 0.1 // true gain of a coverage trial
	selfCheckBase   = 0.6 // pass rate of every task of a power trial
	selfCheckEasy   = 0.7 // easiest and
	selfCheckHard   = 0.2 // hardest task of the others
	selfCheckRepeat = 0.5 // share of restated tasks of the near-duplicate check
	defaultTrials   = 40
	defaultFlagAt   = 3.0
)

// SelfCheckOptions are the arguments of [SelfCheck]; zero values are the
// defaults.
type SelfCheckOptions struct {
	Trials int     // of each check; default 40, and 400 for a full run
	Seed   int64   // default 0
	Draws  int     // default 2000
	Alpha  float64 // default 0.05
	FlagAt float64 // Monte Carlo errors from the target that raise a flag; default 3
	Only   []string
}

// SelfCheckReport is what the comparison of this package does on data whose
// truth is known: how often it sees a change that is not there, how often its
// interval holds the true gain, how often it finds one (Miller 2024,
// arXiv:2411.00640).
type SelfCheckReport struct {
	Trials int         `json:"trials"`
	Seed   int64       `json:"seed"`
	OK     bool        `json:"ok"`
	Checks []SelfTrial `json:"checks"`
}

// SelfTrial is the result of one check.
type SelfTrial struct {
	Check   string  `json:"check"`
	Hits    int     `json:"hits"`
	Rate    float64 `json:"rate"`
	Target  float64 `json:"target"`
	MCError float64 `json:"mc_error"` // of the rate, by the number of trials
	OK      bool    `json:"ok"`
	Agrees  bool    `json:"agrees_with_delta_report"` // its first trial, number by number
}

// selfCheck is one kind of trial.
type selfCheck struct {
	name    string
	draw    func(rng *MersenneTwister) (before, after []Task)
	hit     func(c Comparison) bool
	target  func(alpha float64) float64
	outside func(rate, target, margin float64) bool
}

func selfChecks() []selfCheck {
	falseAlarm := func(c Comparison) bool { return c.Verdict == ABetter || c.Verdict == BBetter }
	covers := func(c Comparison) bool { return c.CI95.Valid && c.CI95.V.Contains(selfCheckGain) }
	found := func(c Comparison) bool { return c.Verdict == BBetter }
	alpha := func(a float64) float64 { return a }
	level := func(a float64) float64 { return 1 - a }
	above := func(rate, target, margin float64) bool { return rate > target+margin }
	below := func(rate, target, margin float64) bool { return rate < target-margin }
	aside := func(rate, target, margin float64) bool { return math.Abs(rate-target) > margin }
	power := func(n int, effect float64) selfCheck {
		return selfCheck{
			fmt.Sprintf("power_%d_%.0f", n, effect*100), drawEqual(n, effect), found,
			func(a float64) float64 {
				return NormalCDF(effect*math.Sqrt(float64(n))/UniformSD(selfCheckBase, effect, 1) - NormalQuantile(1-a/2))
			}, aside,
		}
	}
	return []selfCheck{
		{"false_alarm", drawSpread(selfCheckCases, 0), falseAlarm, alpha, above},
		{"coverage_10", drawSpread(10, selfCheckGain), covers, level, below},
		{"coverage_20", drawSpread(20, selfCheckGain), covers, level, below},
		power(30, 0.10), power(30, 0.16), power(60, 0.10), power(60, 0.16),
		{"near_duplicates", drawRestated(selfCheckCases), falseAlarm, alpha, above},
	}
}

// SelfCheck runs the checks. A name in Only that is no check is an error.
func SelfCheck(o SelfCheckOptions) (*SelfCheckReport, error) {
	if o.Trials == 0 {
		o.Trials = defaultTrials
	}
	if o.Draws == 0 {
		o.Draws = DefaultDraws
	}
	if o.Alpha == 0 {
		o.Alpha = DefaultAlpha
	}
	if o.FlagAt == 0 {
		o.FlagAt = defaultFlagAt
	}
	if err := openUnit("Alpha", o.Alpha); err != nil {
		return nil, err
	}
	if o.Trials < 1 {
		return nil, &ArgumentError{Name: "Trials", Got: o.Trials, Want: "1 or more"}
	}
	checks := selfChecks()
	for _, name := range o.Only {
		if !slices.ContainsFunc(checks, func(c selfCheck) bool { return c.name == name }) {
			return nil, &ArgumentError{Name: "Only", Got: name, Want: "names of checks"}
		}
	}
	r := &SelfCheckReport{Trials: o.Trials, Seed: o.Seed, OK: true}
	for _, c := range checks {
		if o.Only != nil && !slices.Contains(o.Only, c.name) {
			continue
		}
		t, err := c.run(o)
		if err != nil {
			return nil, err
		}
		r.OK = r.OK && t.OK && t.Agrees
		r.Checks = append(r.Checks, t)
	}
	return r, nil
}

func (c selfCheck) run(o SelfCheckOptions) (SelfTrial, error) {
	t := SelfTrial{Check: c.name, Target: c.target(o.Alpha), Agrees: true}
	for trial := range o.Trials {
		rng := NewMersenneTwisterString(fmt.Sprintf("%d/%s/%d", o.Seed, c.name, trial))
		before, after := c.draw(rng)
		seed := int64(rng.Below(1 << 31))
		a, b := RateMetric(before), RateMetric(after)
		got := Compare(a, b, CompareOptions{Draws: o.Draws, Seed: seed, Level: 1 - o.Alpha, Method: Parity})
		if c.hit(got) {
			t.Hits++
		}
		if trial == 0 {
			report, err := Delta(Side{Metrics: []Metric{a}}, Side{Metrics: []Metric{b}},
				DeltaOptions{Draws: o.Draws, Seed: seed, Alpha: o.Alpha, Method: Parity})
			if err != nil {
				return t, err
			}
			t.Agrees = report.Metrics[0].Comparison == got
		}
	}
	n := float64(o.Trials)
	t.Rate = float64(t.Hits) / n
	t.MCError = math.Sqrt(t.Target * (1 - t.Target) / n)
	t.OK = !c.outside(t.Rate, t.Target, o.FlagAt*t.MCError)
	return t, nil
}

// drawSpread draws n tasks of unlike difficulty, first all difficulties, then
// all outcomes before, then all after a gain.
func drawSpread(n int, gain float64) func(*MersenneTwister) (before, after []Task) {
	return func(rng *MersenneTwister) (before, after []Task) {
		rates := make([]float64, n)
		for i := range rates {
			rates[i] = rng.Uniform(selfCheckHard, selfCheckEasy)
		}
		return drawArms(rng, rates, gain, caseID)
	}
}

// drawEqual draws n tasks of the same difficulty.
func drawEqual(n int, gain float64) func(*MersenneTwister) (before, after []Task) {
	return func(rng *MersenneTwister) (before, after []Task) {
		rates := make([]float64, n)
		for i := range rates {
			rates[i] = selfCheckBase
		}
		return drawArms(rng, rates, gain, caseID)
	}
}

// drawRestated draws tasks of which the second half restates the first.
func drawRestated(n int) func(*MersenneTwister) (before, after []Task) {
	return func(rng *MersenneTwister) (before, after []Task) {
		restated := int(float64(n) * selfCheckRepeat)
		originals := n - restated
		rates := make([]float64, n)
		for i := range rates {
			if i < originals {
				rates[i] = rng.Uniform(selfCheckHard, selfCheckEasy)
			} else {
				rates[i] = rates[i-originals]
			}
		}
		return drawArms(rng, rates, 0, func(i int) string {
			if i < originals {
				return caseID(i)
			}
			return caseID(i-originals) + "-restated"
		})
	}
}

func caseID(i int) string { return fmt.Sprintf("case-%03d", i) }

func drawArms(rng *MersenneTwister, rates []float64, gain float64, id func(int) string) (before, after []Task) {
	arm := func(shift float64) []Task {
		tasks := make([]Task, len(rates))
		for i, p := range rates {
			tasks[i] = Task{Key: id(i), N: 1}
			if rng.Float64() < p+shift {
				tasks[i].Passes = 1
			}
		}
		return tasks
	}
	before = arm(0)
	return before, arm(gain)
}

// String prints a line a check.
func (r *SelfCheckReport) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "self check: %d trials a check, seed %d", r.Trials, r.Seed)
	for _, c := range r.Checks {
		fmt.Fprintf(&b, "\n  %-16s %6s  target %6s  mc error %5s  %s", c.Check,
			percent(c.Rate, 1), percent(c.Target, 1), percent(c.MCError, 1), map[bool]string{true: "ok", false: "FLAG"}[c.OK])
		if !c.Agrees {
			b.WriteString("  differs from the delta report")
		}
	}
	return b.String()
}
