package stats

import (
	"slices"
)

// bootstrapRange says how far the size answer would have moved with another
// pilot of the same size: 2000 resamples of the pilot's tasks at seed 0, each
// turned into a size, of which the middle 95 % is told (spec of statistics,
// section 7.4). Absent under three tasks.
func (s *sizing) bootstrapRange(r *HoldoutReport) {
	values, size := s.rates, func(resample []float64) int {
		return s.tasks(UniformSD(Mean(resample), s.effect, s.k))
	}
	if s.source == SourceRows {
		values, size = s.differences, func(resample []float64) int {
			return s.tasks(SampleSD(resample).V)
		}
	}
	if len(values) < MinCITasks {
		return
	}
	rng := NewMersenneTwister(0)
	sizes := make([]int, DefaultDraws)
	resample := make([]float64, len(values))
	for i := range sizes {
		for j := range resample {
			resample[j] = values[rng.Below(len(values))]
		}
		sizes[i] = size(resample)
	}
	slices.Sort(sizes)
	low, high := PercentileIndices(DefaultLevel, DefaultDraws)
	r.TasksLow, r.TasksHigh = Of(sizes[low]), Of(sizes[high])
	r.RangeMethod = Of("percentile bootstrap over the tasks of the pilot")
}
