package stats

import "math"

// floors are the re-run standard deviations that a move must leave behind.
type floors struct {
	source   string // given, eval_run, or "" for none
	all      Null[float64]
	byMetric map[string]Null[float64]
	options  NoiseOptions
}

func (f floors) of(metric string) Null[float64] {
	if f.byMetric != nil {
		return f.byMetric[metric]
	}
	return f.all
}

// floors takes the standard deviations as given, else from the eval runs when
// both sides have two or more.
func (d *delta) floors(names []string) floors {
	runs := d.r.EvalRuns
	f := floors{options: NoiseOptions{RunsA: max(1, runs.Before), RunsB: max(1, runs.After), Level: d.level}}
	switch {
	case d.o.RunStdByMetric != nil:
		f.source, f.byMetric = "given", map[string]Null[float64]{}
		for name, v := range d.o.RunStdByMetric {
			f.byMetric[MetricName(name)] = v
		}
	case d.o.RunStd.Valid:
		f.source, f.all = "given", d.o.RunStd
	case runs.Before >= 2 && runs.After >= 2:
		f.byMetric = map[string]Null[float64]{}
		for _, name := range names {
			if sd := pooledRunStd(d.before.EvalRuns, d.after.EvalRuns, name); sd.Valid {
				f.byMetric[name], f.source = sd, "eval_run"
			}
		}
		if f.source != "" {
			f.options.DF = runs.Before - 1 + runs.After - 1
		}
	}
	if f.source == "given" && d.o.RunStdRuns > 0 {
		f.options.DF = d.o.RunStdRuns - 1
	}
	return f
}

// pooledRunStd pools the rounded standard deviations of both sides, as the
// reference does; absent when a side has fewer than two runs with the metric.
func pooledRunStd(before, after []Part, metric string) Null[float64] {
	a, runsA := runStd(before, metric)
	b, runsB := runStd(after, metric)
	if !a.Valid || !b.Valid {
		return Null[float64]{}
	}
	sdA, sdB := Round(a.V, 4), Round(b.V, 4)
	weightA, weightB := float64(runsA-1), float64(runsB-1)
	return Of(math.Sqrt((float64(sdA*sdA*weightA) + float64(sdB*sdB*weightB)) / (weightA + weightB)))
}
