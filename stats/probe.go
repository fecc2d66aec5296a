package stats

import (
	"encoding/json"
	"fmt"
	"math"
)

// ProbeMinN is the denominator under which a probe is not flagged.
const ProbeMinN = 20

// Rejudging is what asking a judge again found: the same row as it is, and with
// a neutral sentence appended (Zheng et al. 2023, arXiv:2306.05685, on
// verbosity bias). Fill the counts; the rest is derived by [Trust].
type Rejudging struct {
	N          int // rows judged again as they are
	Flips      int
	FillerN    int // rows judged with the filler sentence
	FillerUp   int // fail became pass
	FillerDown int // pass became fail

	FlipRate           Null[float64]
	FillerRate         Null[float64]
	Net                Null[float64] // |up - down| of FillerN
	SignP              float64       // exact sign test of up against down
	FlaggedConsistency bool
	FlaggedLength      bool
}

func (p *Rejudging) flag(flipFlag float64) {
	p.FlipRate = share(p.Flips, p.N)
	p.FillerRate = share(p.FillerUp+p.FillerDown, p.FillerN)
	p.Net = share(max(p.FillerUp-p.FillerDown, p.FillerDown-p.FillerUp), p.FillerN)
	p.SignP = SignTest(p.FillerUp, p.FillerDown)
	p.FlaggedConsistency = p.FlipRate.Or(0) >= flipFlag
	p.FlaggedLength = p.Net.Or(0) >= flipFlag && p.SignP < DefaultAlpha
}

// MarshalJSON writes the rates with the counts behind them.
func (p *Rejudging) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		N           int           `json:"n"`
		FlipRate    Null[float64] `json:"consistency_flip_rate"`
		FillerN     int           `json:"filler_n"`
		FillerRate  Null[float64] `json:"filler_flip_rate"`
		Up          int           `json:"up"`
		Down        int           `json:"down"`
		Net         Null[float64] `json:"net"`
		P           float64       `json:"p_value"`
		Consistency bool          `json:"flagged_consistency"`
		Length      bool          `json:"flagged_length"`
	}{p.N, p.FlipRate, p.FillerN, p.FillerRate, p.FillerUp, p.FillerDown, p.Net, p.SignP, p.FlaggedConsistency, p.FlaggedLength})
}

// String prints the flips in one line.
func (p *Rejudging) String() string {
	share := func(v Null[float64]) string {
		if !v.Valid {
			return "n/a"
		}
		return percent(v.V, 0)
	}
	return fmt.Sprintf("re-judged: %s flip as is (n=%d)%s; with filler %s, %d up, %d down (n=%d)%s",
		share(p.FlipRate), p.N, flagWord(p.FlaggedConsistency),
		share(p.FillerRate), p.FillerUp, p.FillerDown, p.FillerN, flagWord(p.FlaggedLength))
}

// Probe is one way to talk a judge into passing, tried on a sample of rows
// (exploit rates after arXiv:2606.19544).
type Probe struct {
	Name     string         `json:"name"`
	Skipped  string         `json:"skipped,omitempty"` // why it was not tried
	N        int            `json:"n"`                 // rows with both verdicts
	Up       int            `json:"up"`
	Down     int            `json:"down"`
	Hits     int            `json:"hits"`
	Of       int            `json:"of"` // denominator of the rate
	Rate     Null[float64]  `json:"exploit_rate"`
	CI95     Null[Interval] `json:"ci95"` // Wilson
	LowPower bool           `json:"low_power"`
	Resolves Null[float64]  `json:"resolves"` // smallest rate a probe of low power shows
	Flagged  bool           `json:"flagged"`
}

// AdditiveProbe is a probe that adds to a reply: what it lifts on balance, of the
// rows that failed before. flipFlag 0 is the default.
func AdditiveProbe(name string, n, up, down, failing int, flipFlag float64) Probe {
	p := Probe{Name: name, N: n, Up: up, Down: down, Hits: max(0, up-down), Of: failing}
	return p.rate(flipFlag)
}

// ReplacementProbe is a probe that replaces a reply by an empty one: whatever
// passes afterwards is a hit. flipFlag 0 is the default.
func ReplacementProbe(name string, n, up, down, passes int, flipFlag float64) Probe {
	p := Probe{Name: name, N: n, Up: up, Down: down, Hits: passes, Of: n}
	return p.rate(flipFlag)
}

func (p Probe) rate(flipFlag float64) Probe {
	if flipFlag == 0 {
		flipFlag = DefaultFlipFlag
	}
	p.Rate = share(p.Hits, p.Of)
	p.CI95 = Wilson(p.Hits, p.Of, Z95)
	p.LowPower = p.Of > 0 && p.Of < ProbeMinN
	if p.LowPower {
		p.Resolves = ProbeResolves(p.Of, flipFlag)
	}
	p.Flagged = p.Rate.Or(0) >= flipFlag && p.Rate.Valid && !p.LowPower
	return p
}

// ProbeResolves is the smallest exploit rate, in steps of 0.01 above the flag,
// that n rows tell from it at 95 % with a power of 80 %; 1 when there is none,
// absent when n is 0.
func ProbeResolves(n int, flipFlag float64) Null[float64] {
	if n <= 0 {
		return Null[float64]{}
	}
	zAlpha, zPower := NormalQuantile(0.975), NormalQuantile(0.8)
	for p := Round(flipFlag+0.01, 2); p < 1; p = Round(p+0.01, 2) {
		root := (float64(zAlpha*math.Sqrt(flipFlag*(1-flipFlag))) + float64(zPower*math.Sqrt(p*(1-p)))) / (p - flipFlag)
		if root*root <= float64(n) {
			return Of(p)
		}
	}
	return Of(1.0)
}

// String prints the probe in one line.
func (p Probe) String() string {
	if p.Skipped != "" {
		return fmt.Sprintf("probe %s: skipped, %s", p.Name, p.Skipped)
	}
	if !p.Rate.Valid {
		return fmt.Sprintf("probe %s: n/a (n=%d)", p.Name, p.N)
	}
	s := fmt.Sprintf("probe %s: %s (95%% %s..%s, %d/%d)", p.Name, percent(p.Rate.V, 0),
		percent(p.CI95.V.Low, 0), percent(p.CI95.V.High, 0), p.Hits, p.Of)
	if p.LowPower {
		s += "  low power, resolves " + percent(p.Resolves.V, 0)
	}
	return s + flagWord(p.Flagged)
}
