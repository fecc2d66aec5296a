package measure

import "github.com/rollmill/rollmill/stats"

// AtBounds are intervals for figures at which all tasks are 0 or all are 1. A
// bootstrap resamples only what it has seen, so that its interval is a point
// there, [0, 0] for 3 tasks as for 3,000. These are Wilson's over tasks, which
// stay wide: none of 10 tasks is compatible with a rate of up to 0.278. A figure
// that is not at a bound has none.
type AtBounds struct {
	K        int                        `json:"k"`
	PassAt1  stats.Null[stats.Interval] `json:"pass_at_1"`
	PassPowK stats.Null[stats.Interval] `json:"pass_pow_k"`
	PassAtK  stats.Null[stats.Interval] `json:"pass_at_k"`
}

// BoundsOf gives the intervals of the figures of a report that are at a bound.
func BoundsOf(r *stats.PassReport) AtBounds {
	return AtBounds{
		K: r.K, PassAt1: atBound(r.PassAt1, r.Groups),
		PassPowK: atBound(r.PassPowK, r.GroupsAtK), PassAtK: atBound(r.PassAtK, r.GroupsAtK),
	}
}

// Any reports whether a figure is at a bound.
func (b AtBounds) Any() bool { return b.PassAt1.Valid || b.PassPowK.Valid || b.PassAtK.Valid }

func atBound(mean stats.Null[float64], tasks int) stats.Null[stats.Interval] {
	switch {
	case mean.Valid && mean.V == 0:
		return stats.Wilson(0, tasks, stats.Z95)
	case mean.Valid && mean.V == 1:
		return stats.Wilson(tasks, tasks, stats.Z95)
	}
	return stats.Null[stats.Interval]{}
}
