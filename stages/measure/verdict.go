package measure

import (
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stats"
)

// verdict is what a row's reward is worth.
type verdict struct {
	own   stats.Label // of the reward (reader A of the spec of statistics, section 1.2)
	prior stats.Label // where the reward gives none: of the one that a judge overwrote (reader B)
	worth worth       // where neither gives one
}

// worth says what stands in place of a verdict.
type worth uint8

const (
	missing    worth = iota // nothing, or the grader failed: unscored
	partial                 // a number between 0 and 1
	outOfRange              // a number below 0 or above 1
	noNumber                // something else
)

// pass is a verdict that counts in pass@k.
func (v verdict) pass() stats.Label {
	if v.own != stats.NoLabel {
		return v.own
	}
	return v.prior
}

// verdictOf reads a row. With a threshold every finite reward is a verdict: a
// pass from the threshold on, else a fail.
func verdictOf(r *rollout.Row, status string, threshold stats.Null[float64]) verdict {
	v := verdict{own: stats.NoLabel, prior: stats.NoLabel}
	known := r.Status != rollout.StatusAbsent || status == ""
	if !known && status != rollout.StatusOK.String() {
		v.prior = labelOf(r.PriorReward, threshold)
		return v // the grader says in words of its own that it failed
	}
	if r.State() == rollout.Scored {
		v.own = labelOf(r.Reward, threshold)
	}
	if v.own != stats.NoLabel {
		return v
	}
	if v.prior = labelOf(r.PriorReward, threshold); v.prior == stats.NoLabel {
		v.worth = worthOf(r)
	}
	return v
}

func labelOf(value rollout.Value, threshold stats.Null[float64]) stats.Label {
	if threshold.Valid {
		if f, ok := value.Float(); ok {
			return label(f >= threshold.V)
		}
		return stats.NoLabel
	}
	if pass, ok := value.Binary(); ok {
		return label(pass)
	}
	return stats.NoLabel
}

func label(pass bool) stats.Label {
	if pass {
		return stats.Pass
	}
	return stats.Fail
}

func worthOf(r *rollout.Row) worth {
	switch r.State() {
	case rollout.Invalid:
		return noNumber
	case rollout.Unscored:
		if f, ok := r.PriorReward.Float(); ok {
			return rangeOf(f)
		}
		return missing
	}
	f, _ := r.Reward.Float()
	return rangeOf(f)
}

func rangeOf(f float64) worth {
	if f < 0 || f > 1 {
		return outOfRange
	}
	return partial
}
