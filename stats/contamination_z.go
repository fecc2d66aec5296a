package stats

import (
	"fmt"
	"math"
	"strings"
)

// Thresholds of [ContaminationTest] (Llama 2, appendix A.6).
const (
	ContaminationClean = 0.2 // share of contaminated tokens under which a sample is clean
	ContaminationDirty = 0.8 // and from which on it is dirty
	contaminationZ     = 2.0
)

// ScoredItem is an evaluation item with its score and the share of its tokens
// that were found in training data.
type ScoredItem struct {
	Score         float64
	Contamination float64
}

// ContaminationSubset is one of the four subsets that overlap in pairs.
type ContaminationSubset struct {
	Name          string        `json:"name"`
	N             int           `json:"n"`
	Contamination Null[float64] `json:"avg_contamination"`
	Score         Null[float64] `json:"score"`
	Z             Null[float64] `json:"z"` // absent when the subset is empty or no score varies
}

// ContaminationReport says whether contamination changed a score: a subset of n
// items differs from a random one of that size by Z = (score - mean)/(sd/sqrt n),
// and the evidence is sufficient when all four |Z| exceed 2 (Touvron et al.
// 2023, Llama 2, arXiv:2307.09288, appendix A.6).
type ContaminationReport struct {
	N          int                   `json:"n"`
	Mean       Null[float64]         `json:"mean"`
	SD         Null[float64]         `json:"sd"` // of one item's score
	Subsets    []ContaminationSubset `json:"subsets"`
	Affected   bool                  `json:"affected"`   // all four |Z| > 2
	Measurable bool                  `json:"measurable"` // all four have a Z
}

// ContaminationTest applies the four-way test to items.
func ContaminationTest(items []ScoredItem) *ContaminationReport {
	r := &ContaminationReport{N: len(items)}
	scores := make([]float64, len(items))
	for i, it := range items {
		scores[i] = it.Score
	}
	if r.N > 0 {
		r.Mean = Of(Mean(scores))
		r.SD = Of(math.Sqrt(populationVariance(scores)))
	}
	in := []struct {
		name string
		is   func(share float64) bool
	}{
		{"clean", func(s float64) bool { return s < ContaminationClean }},
		{"not_clean", func(s float64) bool { return s >= ContaminationClean }},
		{"not_dirty", func(s float64) bool { return s < ContaminationDirty }},
		{"dirty", func(s float64) bool { return s >= ContaminationDirty }},
	}
	r.Affected, r.Measurable = true, true
	for _, subset := range in {
		s := ContaminationSubset{Name: subset.name}
		score, contamination := 0.0, 0.0
		for _, it := range items {
			if subset.is(it.Contamination) {
				s.N++
				score += it.Score
				contamination += it.Contamination
			}
		}
		if s.N > 0 {
			s.Score, s.Contamination = Of(score/float64(s.N)), Of(contamination/float64(s.N))
			s.Z = SubsetZ(s.Score.V, s.N, r.Mean.V, r.SD.V)
		}
		r.Measurable = r.Measurable && s.Z.Valid
		r.Affected = r.Affected && s.Z.Valid && math.Abs(s.Z.V) > contaminationZ
		r.Subsets = append(r.Subsets, s)
	}
	return r
}

// SubsetZ is how many standard errors the mean score of n items lies from that
// of random ones: (score - mean)/(sd/sqrt(n)). Absent when sd is 0.
func SubsetZ(score float64, n int, mean, sd float64) Null[float64] {
	if sd <= 0 || n <= 0 {
		return Null[float64]{}
	}
	return Of((score - mean) / (sd / math.Sqrt(float64(n))))
}

// String prints a line a subset and the conclusion.
func (r *ContaminationReport) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "contamination: mean %s over %d items\n", fixed(r.Mean, 4), r.N)
	for _, s := range r.Subsets {
		fmt.Fprintf(&b, "  %-10s n=%-7d contaminated %s  score %s  Z %s\n", s.Name, s.N, fixed(s.Contamination, 3), fixed(s.Score, 4), signed(s.Z, 2))
	}
	switch {
	case !r.Measurable:
		b.WriteString("not measurable: a subset is empty, or no score varies")
	case r.Affected:
		b.WriteString("contamination changed the score: all four |Z| > 2")
	default:
		b.WriteString("no sufficient evidence that contamination changed the score")
	}
	return b.String()
}
