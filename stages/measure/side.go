package measure

import "github.com/rollmill/rollmill/stats"

// Side is what was counted as one side of a comparison, for [stats.Delta]. Its
// options should be those of [ForComparison]; training seeds are added as
// further accumulators, each with its own label: side.TrainRuns =
// append(side.TrainRuns, seed.Part()).
func (r *Result) Side() stats.Side {
	s := stats.Side{Metrics: r.Metrics(), Config: r.Config, EvalRuns: r.Runs}
	rate := s.Metrics[0]
	s.Config.Tasks = len(rate.Tasks)
	for i, t := range rate.Tasks {
		if i == 0 || t.N < s.Config.K {
			s.Config.K = t.N
		}
	}
	for _, sl := range r.Slices {
		if len(sl.Parts) == 0 {
			continue
		}
		slicing := stats.Slicing{Field: sl.Field}
		for i := range sl.Parts {
			slicing.Parts = append(slicing.Parts, sl.Parts[i].Part())
		}
		s.Slices = append(s.Slices, slicing)
	}
	return s
}

// ForComparison are the options of a side of a comparison: with the keys of
// tasks, all markers, eval runs, the configuration, and slices by the fields
// given, else by category and slice, where rows have them.
func ForComparison(by ...Field) Options {
	if len(by) == 0 {
		for _, name := range []string{"category", "slice"} {
			f, _ := ParseField(name)
			f.maybe = true
			by = append(by, f)
		}
	}
	return Options{By: by, Run: EvalRun, Markers: true, Config: true, Keys: true}
}
