package stats

import (
	"fmt"
	"slices"
)

// Scale says how far apart two ratings are.
type Scale string

const (
	NominalScale  Scale = "nominal"  // equal or not
	OrdinalScale  Scale = "ordinal"  // by the ratings between them
	IntervalScale Scale = "interval" // by the square of their difference
)

// AlphaReport is Krippendorff's alpha with the counts behind it.
type AlphaReport struct {
	Alpha    Null[float64] `json:"alpha"` // absent when every rating is the same, or none can be paired
	Scale    Scale         `json:"scale"`
	Units    int           `json:"units"`   // with two ratings or more
	Ratings  int           `json:"ratings"` // of those units
	Observed float64       `json:"observed_disagreement"`
	Expected float64       `json:"expected_disagreement"`
}

// KrippendorffAlpha measures how far any number of raters agree, where any of
// them may have left units out (Krippendorff 2011, "Computing Krippendorff's
// Alpha-Reliability"). Each unit lists the ratings it got; units with one are
// not counted. 1 is full agreement, 0 what chance gives.
func KrippendorffAlpha(units [][]float64, scale Scale) (AlphaReport, error) {
	r := AlphaReport{Scale: scale}
	if scale != NominalScale && scale != OrdinalScale && scale != IntervalScale {
		return r, &ArgumentError{Name: "scale", Got: scale, Want: "nominal, ordinal or interval"}
	}
	values := distinctRatings(units)
	coincidences := make([][]float64, len(values))
	for i := range coincidences {
		coincidences[i] = make([]float64, len(values))
	}
	place := func(v float64) int { i, _ := slices.BinarySearch(values, v); return i }
	for _, unit := range units {
		if len(unit) < 2 {
			continue
		}
		r.Units++
		r.Ratings += len(unit)
		for i, a := range unit {
			for j, b := range unit {
				if i != j {
					coincidences[place(a)][place(b)] += 1 / float64(len(unit)-1)
				}
			}
		}
	}
	totals := make([]float64, len(values))
	for c, row := range coincidences {
		for _, x := range row {
			totals[c] += x
		}
	}
	for c := range values {
		for k := range values {
			d := distance(values, totals, c, k, scale)
			r.Observed += float64(coincidences[c][k] * d)
			r.Expected += float64(totals[c] * totals[k] * d)
		}
	}
	if r.Ratings == 0 {
		return r, nil
	}
	n := float64(r.Ratings)
	r.Observed /= n
	r.Expected /= n * (n - 1)
	if r.Expected > 0 {
		r.Alpha = Of(1 - r.Observed/r.Expected)
	}
	return r, nil
}

// distinctRatings lists the ratings of units with two or more, sorted.
func distinctRatings(units [][]float64) []float64 {
	var values []float64
	for _, unit := range units {
		if len(unit) >= 2 {
			values = append(values, unit...)
		}
	}
	slices.Sort(values)
	return slices.Compact(values)
}

// distance is the squared difference of two ratings on the scale.
func distance(values, totals []float64, c, k int, scale Scale) float64 {
	if c == k {
		return 0
	}
	switch scale {
	case NominalScale:
		return 1
	case IntervalScale:
		d := values[c] - values[k]
		return d * d
	}
	between := -(totals[c] + totals[k]) / 2
	for g := min(c, k); g <= max(c, k); g++ {
		between += totals[g]
	}
	return between * between
}

// String prints alpha with what it rests on.
func (r AlphaReport) String() string {
	return fmt.Sprintf("Krippendorff's alpha (%s) %s over %d ratings of %d units", r.Scale, fixed(r.Alpha, 3), r.Ratings, r.Units)
}
