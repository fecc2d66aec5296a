package selection

import (
	"slices"

	"github.com/rollmill/rollmill/stats"
)

// maxSpread is how many times its median the longest reply of a prompt may be
// before that is told (spec of gates, section 3).
const maxSpread = 4.0

// Lengths says how long replies are, in characters.
type Lengths struct {
	Rows       int     `json:"n"`
	Median     float64 `json:"median_chars"` // the mean of the middle two when even
	Max        int     `json:"max_chars"`
	Truncated  int     `json:"n_truncated"`
	Multi      int     `json:"n_groups_multi"`       // prompts of two replies or more
	WideSpread int     `json:"n_groups_wide_spread"` // of them, those whose longest is more than MaxSpread medians
	MaxSpread  float64 `json:"max_spread"`
}

// lengthsOf measures rows.
func (t *table) lengthsOf(rows []uint32) Lengths {
	r := Lengths{Rows: len(rows), MaxSpread: maxSpread}
	all := make([]uint32, len(rows))
	for k, i := range rows {
		s := t.rows.at(int(i))
		all[k] = s.length
		if s.marks.has(markCut) {
			r.Truncated++
		}
	}
	r.Median, r.Max = middle(all)
	byPrompt := groupBy(rows, t.prompts, func(i uint32) uint32 { return t.rows.at(int(i)).prompt })
	var of []uint32
	for prompt := range uint32(t.prompts) {
		list := byPrompt.of(prompt)
		if len(list) < 2 {
			continue
		}
		r.Multi++
		of = of[:0]
		for _, i := range list {
			of = append(of, t.rows.at(int(i)).length)
		}
		if median, most := middle(of); median > 0 && float64(most)/median > maxSpread {
			r.WideSpread++
		}
	}
	return r
}

// middle sorts lengths and tells their median and the largest.
func middle(list []uint32) (median float64, most int) {
	n := len(list)
	if n == 0 {
		return 0, 0
	}
	slices.Sort(list)
	median = float64(list[n/2])
	if n%2 == 0 {
		median = (float64(list[n/2-1]) + median) / 2
	}
	return median, int(list[n-1])
}

// medianOf is the upper median of numbers, absent for none. It sorts them.
func medianOf(list []int) stats.Null[int] {
	if len(list) == 0 {
		return stats.Null[int]{}
	}
	slices.Sort(list)
	return stats.Of(list[len(list)/2])
}
