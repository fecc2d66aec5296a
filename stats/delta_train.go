package stats

import (
	"fmt"
	"math"
)

// MinTrainSeeds is the fewest training seeds an arm whose scatter can be seen.
const MinTrainSeeds = 2

// TrainSeeds is what training again with another seed does to the headline
// metric.
type TrainSeeds struct {
	Before          Arm            `json:"before"`
	After           Arm            `json:"after"`
	UnderReplicated bool           `json:"under_replicated"` // a trained arm has one seed
	DF              Null[int]      `json:"df"`
	Delta           Null[float64]  `json:"delta"` // between the means of the seeds
	CI95            Null[Interval] `json:"ci95"`
	Rule            string         `json:"rule"`
}

// Arm is the seeds of one side; none when it was not trained.
type Arm struct {
	Seeds int           `json:"seeds"`
	Mean  Null[float64] `json:"mean"`
	SD    Null[float64] `json:"sd"`
}

func (t TrainSeeds) trained() bool { return t.Before.Seeds+t.After.Seeds > 0 }

// trainSeeds measures the seeds of both arms around the headline metric.
func (d *delta) trainSeeds() (TrainSeeds, error) {
	var t TrainSeeds
	if d.before.TrainRuns == nil && d.after.TrainRuns == nil {
		return t, nil
	}
	var err error
	if t.Before, err = d.arm(d.before.TrainRuns, "before"); err != nil {
		return t, err
	}
	if t.After, err = d.arm(d.after.TrainRuns, "after"); err != nil {
		return t, err
	}
	df, spread := 0, 0.0
	for _, arm := range []Arm{t.Before, t.After} {
		if arm.Seeds == 0 {
			continue
		}
		if arm.Seeds < MinTrainSeeds {
			t.UnderReplicated = true
			return t, nil
		}
		df += arm.Seeds - 1
		spread += arm.SD.V * arm.SD.V / float64(arm.Seeds)
	}
	q, err := TQuantile(df, d.level)
	if err != nil {
		return t, err
	}
	before, after := t.Before.Mean, t.After.Mean
	if t.Before.Seeds == 0 {
		before = d.headline.MeanA
	}
	if t.After.Seeds == 0 {
		after = d.headline.MeanB
	}
	t.DF = Of(df)
	t.Rule = fmt.Sprintf("sqrt(half-width^2 + t(df=%d)^2 x sum(sd^2/seeds)), t=%.2f", df, q)
	if before.Valid && after.Valid && d.headline.CI95.Valid {
		half := d.headline.CI95.V.HalfWidth()
		half = math.Sqrt(float64(half*half) + float64(q*q*spread))
		t.Delta = Of(after.V - before.V)
		t.CI95 = Of(Interval{Low: t.Delta.V - half, High: t.Delta.V + half})
	}
	return t, nil
}

func (d *delta) arm(seeds []Part, side string) (Arm, error) {
	if seeds == nil {
		return Arm{}, nil
	}
	if len(seeds) == 0 {
		return Arm{}, &ArgumentError{Name: "TrainRuns", Got: "an empty list " + side, Want: "seeds, or nil for an arm that was not trained"}
	}
	var means []float64
	for _, s := range seeds {
		if m := find(s.Metrics, d.headline.Metric); len(m.Tasks) > 0 {
			means = append(means, m.Mean())
		}
	}
	return Arm{Seeds: len(seeds), Mean: finite(Mean(means)), SD: SampleSD(means)}, nil
}
