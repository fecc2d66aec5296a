package hackscan

import (
	"fmt"
	"math"
	"strings"

	"github.com/rollmill/rollmill/stats"
)

// Thresholds of the verdict (spec of gates, section 4).
const (
	saturated     = 0.2   // share of always passed tasks from which on a pool is exhausted
	rivalShare    = 0.2   // share of what is paid that may go to others before they are named
	degenerateRho = 0.999 // a correlation that is 1 but for rounding
	minDistinct   = 3     // different replies a task, under which tied features cannot be told apart
	coarseSize    = 4     // rollouts a task under which the floor is coarse
	adviseSize    = 8
	tiedShown     = 4
	othersShown   = 3
)

// Codes of the warnings of a [Report].
const (
	CodeNoReward       stats.Code = "no_numeric_reward"
	CodeSingles        stats.Code = "one_rollout_per_ask"
	CodeUnanimous      stats.Code = "all_unanimous"
	CodeUnmatched      stats.Code = "endorsed_matches_nothing"
	CodeDegenerate     stats.Code = "degenerate"
	CodeEndorsedTie    stats.Code = "endorsed_in_tie"
	CodeNoSignal       stats.Code = "no_signal"
	CodeOtherOnTop     stats.Code = "hack_best_explained_by_other"
	CodePunished       stats.Code = "hack_punishes_endorsed"
	CodeExhausted      stats.Code = "pool_exhausted"
	CodeAlsoPunished   stats.Code = "also_punishes"
	CodeRivals         stats.Code = "rivals"
	CodeCoarseFloor    stats.Code = "coarse_floor"
	CodeTermsUncertain stats.Code = "terms_uncertain"
)

// judge gives the verdict on ranked features (spec of gates, section 4.6).
func (r *Report) judge(list []ranked) {
	given := len(r.Endorsed) > 0
	if given && r.EndorsedMatched == 0 {
		r.warn(CodeUnmatched, fmt.Sprintf("no feature matches %s: name what the reward is meant to pay for by the names of features", quoted(r.Endorsed)))
		return
	}
	var wanted, others float64 // the largest correlation above the floor of either
	var rivals, tied []string
	tieEndorsed := false
	for _, f := range list {
		rho := math.Abs(f.shown)
		if rho >= degenerateRho {
			r.Collinear = append(r.Collinear, f.name)
			tied = append(tied, f.name)
			tieEndorsed = tieEndorsed || f.endorsed
		}
		switch {
		case !f.above:
		case !f.endorsed:
			others = max(others, rho)
			rivals = append(rivals, f.name)
		case f.rho > 0:
			wanted = max(wanted, rho)
		default:
			r.Inverted = append(r.Inverted, f.name)
		}
	}
	if len(tied) >= 2 && r.DistinctPerTask < minDistinct {
		r.degenerate(tied, given && tieEndorsed)
		return
	}
	if given {
		top := len(list) > 0 && list[0].endorsed && list[0].rho > 0
		r.EndorsedOnTop = stats.Of(top)
		r.Integrity = stats.Of(0.0)
		if wanted+others > 0 {
			r.Integrity = stats.Of(stats.Round(wanted/(wanted+others), 4))
		}
	}
	punishedTop := r.decide(list, given, wanted)
	r.warnMore(punishedTop, rivals)
}

// degenerate is the verdict where replies are too much alike.
func (r *Report) degenerate(tied []string, endorsed bool) {
	r.Regime, r.Degenerate = Degenerate, true
	r.TopFeature, r.Inverted = stats.Null[string]{}, []string{}
	shown := strings.Join(tied[:min(len(tied), tiedShown)], ", ")
	r.warn(CodeDegenerate, fmt.Sprintf("a task has %d different replies, and %d features are all the reward itself (%s): no scan can tell them apart; sample replies that differ more",
		r.DistinctPerTask, len(tied), shown), quantity("distinct_per_ask", float64(r.DistinctPerTask)), quantity("tied", float64(len(tied))))
	if endorsed {
		r.warn(CodeEndorsedTie, "an endorsed feature is among those, and is no more proven than the others")
	}
}

// decide is the verdict where features can be told apart. It returns the name
// of the feature on top where that is endorsed and punished.
func (r *Report) decide(list []ranked, given bool, wanted float64) (punished string) {
	tau := quantity("tau", r.Tau.V)
	if r.AboveFloor == 0 {
		r.Regime = NoSignal
		r.warn(CodeNoSignal, fmt.Sprintf("nothing goes with the reward more than chance: the largest correlation is %.3f, and %d shuffles reach %.3f", r.RhoMax, r.Shuffles, r.Tau.V),
			quantity("rho", r.RhoMax), tau)
		return ""
	}
	top := list[0]
	rho := quantity("rho", stats.Round(top.rho, 4))
	switch {
	case given && !top.endorsed:
		r.Regime = RewardHack
		best := "nothing endorsed is paid"
		if wanted > 0 {
			best = fmt.Sprintf("what is endorsed reaches %+.3f", wanted)
		}
		r.warn(CodeOtherOnTop, fmt.Sprintf("the reward is best explained by %s (%+.3f within tasks, chance reaches %.3f), which is not endorsed; %s", top.name, top.rho, r.Tau.V, best),
			rho, tau, quantity("endorsed", wanted))
	case given && top.rho < 0:
		r.Regime = RewardHack
		r.warn(CodePunished, fmt.Sprintf("the reward punishes %s (%+.3f within tasks), which is endorsed", top.name, top.rho), rho, tau)
		return top.name
	case r.Support.Sat > saturated:
		r.Regime = PoolExhausted
		r.warn(CodeExhausted, fmt.Sprintf("%.0f %% of the tasks are passed by every rollout and teach nothing", 100*r.Support.Sat), quantity("sat", r.Support.Sat))
	default:
		r.Regime = Train
	}
	return ""
}

// warnMore adds what is worth knowing whatever the verdict.
func (r *Report) warnMore(punished string, rivals []string) {
	var also []string
	for _, name := range r.Inverted {
		if name != punished {
			also = append(also, name)
		}
	}
	if len(also) > 0 {
		r.warn(CodeAlsoPunished, "the reward also punishes what is endorsed: "+strings.Join(also[:min(len(also), othersShown)], ", "), quantity("features", float64(len(also))))
	}
	if (r.Regime == Train || r.Regime == PoolExhausted) && r.Integrity.Valid && len(rivals) > 0 && r.Integrity.V < 1-rivalShare {
		r.warn(CodeRivals, fmt.Sprintf("the reward pays for others as well: %s (integrity %.2f)", strings.Join(rivals[:min(len(rivals), othersShown)], ", "), r.Integrity.V),
			quantity("integrity", r.Integrity.V), quantity("features", float64(len(rivals))))
	}
	if r.RolloutsPerGroup < coarseSize {
		r.warn(CodeCoarseFloor, fmt.Sprintf("with %d rollouts a task the floor is coarse; scan again with %d", r.RolloutsPerGroup, adviseSize), quantity("rollouts_per_group", float64(r.RolloutsPerGroup)))
	}
}

func quantity(name string, v float64) stats.Quantity {
	return stats.Quantity{Name: name, Value: stats.Of(v)}
}

func quoted(patterns []string) string {
	var b strings.Builder
	for i, p := range patterns {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%q", p)
	}
	return b.String()
}
