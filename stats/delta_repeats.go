package stats

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
)

// Repeats says whether the runs of both sides tell the same story one by one.
type Repeats struct {
	Before RunSpread    `json:"before"`
	After  RunSpread    `json:"after"`
	Pairs  []RepeatPair `json:"pairs"`
	Agree  Null[int]    `json:"agree"` // pairs with the tag of the whole; absent with one run a side
	Tag    string       `json:"tag"`   // of the whole
	Note   string       `json:"note"`
}

// RunSpread is the run means of one side.
type RunSpread struct {
	Runs   int            `json:"n_runs"`
	Means  Quantities     `json:"means"`
	Spread Null[float64]  `json:"spread"` // largest less smallest
	Range  Null[Interval] `json:"range"`
}

// RepeatPair is one run compared with another, or with the whole other side.
type RepeatPair struct {
	Before string         `json:"before"`
	After  string         `json:"after"`
	Delta  Null[float64]  `json:"delta"`
	CI95   Null[Interval] `json:"ci95"`
	Tag    string         `json:"tag"`
}

// repeat compares the runs of both sides pair by pair: equally many one with
// one, else each of the longer side with all rows of the other.
func (d *delta) repeat() {
	name := d.headline.Metric
	before, after := d.runsOf(d.before), d.runsOf(d.after)
	rep := &d.r.Repeats
	rep.Pairs = []RepeatPair{}
	rep.Before, rep.After = spreadOf(before, name), spreadOf(after, name)
	// A move inside the band counts as none here, since runs are tagged by
	// their own intervals.
	rep.Tag = tagOf(d.headline.Verdict, d.headline.LowerIsBetter, d.headline.WithinNoise)
	if rep.Tag == "noise" {
		rep.Tag = "flat"
	}
	if len(before) < 2 && len(after) < 2 {
		rep.Note = "1 run, noise unknown"
		if d.r.RunStdSource.Or("") == "given" {
			rep.Note = "1 run, noise from the given run_std"
		}
		return
	}
	whole := func(s Side) Part { return Part{"all", s.Metrics} }
	agree := 0
	for i := range max(len(before), len(after)) {
		a, b := whole(d.before), whole(d.after)
		if len(before) >= len(after) {
			a = before[i]
		}
		if len(after) >= len(before) {
			b = after[i]
		}
		c := d.compare(find(a.Metrics, name), find(b.Metrics, name), d.o.Seed+1000+int64(i))
		tag := tagOf(c.Verdict, d.headline.LowerIsBetter, false)
		if tag == rep.Tag {
			agree++
		}
		rep.Pairs = append(rep.Pairs, RepeatPair{a.Label, b.Label, c.Delta, c.CI95, tag})
	}
	rep.Agree = Of(agree)
	rep.Note = fmt.Sprintf("%d/%d runs agree", agree, len(rep.Pairs))
}

// runsOf splits a side by eval run when there are two or more, else by training
// seed, else not at all.
func (d *delta) runsOf(s Side) []Part {
	switch {
	case len(s.EvalRuns) >= 2:
		runs := slices.Clone(s.EvalRuns)
		slices.SortStableFunc(runs, func(a, b Part) int { return compareLabels(a.Label, b.Label) })
		return runs
	case len(s.TrainRuns) >= 2:
		return s.TrainRuns
	}
	return []Part{{"all", s.Metrics}}
}

// compareLabels orders numbers by value before other texts.
func compareLabels(a, b string) int {
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	switch {
	case errX == nil && errY == nil:
		return cmp.Or(cmp.Compare(x, y), cmp.Compare(a, b))
	case errX == nil:
		return -1
	case errY == nil:
		return 1
	}
	return cmp.Compare(a, b)
}

func spreadOf(runs []Part, metric string) RunSpread {
	s := RunSpread{Runs: len(runs)}
	var means []float64
	for _, run := range runs {
		mean := finite(find(run.Metrics, metric).Mean())
		s.Means = append(s.Means, Quantity{run.Label, mean})
		if mean.Valid {
			means = append(means, mean.V)
		}
	}
	if len(means) >= 2 {
		s.Range = Of(Interval{Low: slices.Min(means), High: slices.Max(means)})
		s.Spread = Of(s.Range.V.High - s.Range.V.Low)
	}
	return s
}
