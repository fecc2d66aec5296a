package hackscan

import (
	"cmp"
	"slices"

	"github.com/rollmill/rollmill/stats"
)

// LengthBias says whether a reward pays for length alone: it rises with length
// while what is right does not.
type LengthBias struct {
	Rows          int                 `json:"n"`
	RewardRho     stats.Null[float64] `json:"pearson_len_reward"`
	CorrectRho    stats.Null[float64] `json:"pearson_len_correct"` // absent where correctness never varies
	CorrectChange float64             `json:"correct_rate_change"` // from the shorter half to the longer
	Flagged       bool                `json:"flagged"`
}

// lengthFlag is from where on a correlation of length and reward is flagged: the
// threshold of pooled correlations (spec of gates, section 3).
const lengthFlag = 0.3

// MeasureLengthBias compares lengths, rewards and an independent label of each
// row. It is flagged when the reward goes with length by at least 0.3 and by at
// least 0.3 more than correctness does.
func MeasureLengthBias(lengths, rewards []float64, correct []bool) LengthBias {
	b := LengthBias{Rows: len(lengths), RewardRho: stats.Pearson(lengths, rewards)}
	right := make([]float64, len(correct))
	for i, ok := range correct {
		if ok {
			right[i] = 1
		}
	}
	b.CorrectRho = stats.Pearson(lengths, right)
	b.CorrectChange = changeByLength(lengths, right)
	rho := b.RewardRho.Or(0)
	b.Flagged = rho >= lengthFlag && rho-b.CorrectRho.Or(0) >= lengthFlag
	return b
}

// changeByLength is the mean of values over the longer half of the rows less
// that over the shorter; a row in the middle is in neither.
func changeByLength(lengths, values []float64) float64 {
	order := make([]int, len(lengths))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(lengths[a], lengths[b]) })
	half := len(order) / 2
	if half == 0 {
		return 0
	}
	change := 0.0
	for i := range half {
		change += values[order[len(order)-1-i]] - values[order[i]]
	}
	return change / float64(half)
}
