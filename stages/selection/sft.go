package selection

import (
	"cmp"
	"math"
	"slices"

	"github.com/rollmill/rollmill/formats/rollout/behaviour"
	"github.com/rollmill/rollmill/stats"
)

// SFTReport says what rejection sampling kept (spec of gates, section 5.4).
type SFTReport struct {
	Rows                 int                 `json:"n"`
	LeaksDropped         int                 `json:"privileged_leaks_dropped"`
	Leaks                LeakReport          `json:"privileged_leaks"`
	Eligible             int                 `json:"n_eligible"` // the pool, or for rules per prompt the picks before the target
	Selected             int                 `json:"n_selected"`
	NotPassing           int                 `json:"n_not_pass"`
	Junk                 int                 `json:"n_junk"`
	UniqueBehaviors      int                 `json:"unique_behaviors"` // of what is eligible
	BehaviorsCovered     int                 `json:"behaviors_covered"`
	Target               int                 `json:"target"` // 0: all
	Rule                 Rule                `json:"selection"`
	MinReward            float64             `json:"min_reward"`
	MeanEligible         stats.Null[float64] `json:"reward_mean_eligible"`
	MeanSelected         stats.Null[float64] `json:"reward_mean_selected"`
	EvalSourced          int                 `json:"eval_sourced"`
	K                    int                 `json:"k,omitzero"` // of the overall rules
	CompletionsMax       int                 `json:"completions_per_prompt_max"`
	CompletionsMean      float64             `json:"completions_per_prompt_mean"`
	CompletionsMedian    int                 `json:"completions_per_prompt_median"` // the upper one
	PromptsOneCompletion int                 `json:"prompts_with_one_completion"`
	SpreadPassing        stats.Null[float64] `json:"reward_spread_passing"`
	Effective            string              `json:"selection_effective,omitempty"` // what ran: the rule, or pass_filter where it had no choice
	Findings             []stats.Finding     `json:"findings"`
}

// PassFilter is what a rule comes to when it has nothing to rank.
const PassFilter = "pass_filter"

// Codes of the findings of a selection for SFT.
const (
	CodeFewCompletions stats.Code = "few_completions" // too few replies a prompt for rejection sampling
	CodeNothingToRank  stats.Code = "nothing_to_rank" // all that passes has one reward
	CodeEvalSourced    stats.Code = "eval_sourced"    // rows whose score comes from an evaluation
)

// wantsCompletions is how many replies a prompt rejection sampling wants, up to
// 30 (Lambert 2025, chapter Rejection Sampling).
const wantsCompletions = 10

// sampling is one rejection sampling.
type sampling struct {
	o     Options
	rows  *column[sftSketch]
	gates []Gate
	pool  []uint32 // rows that pass
	out   SFTReport
}

// run runs the gates and the rule, and returns the rows in their order.
func (s *sampling) run(prompts int) []uint32 {
	s.gate()
	s.completions(prompts)
	rule := s.o.SFT.Rule
	r := &s.out
	r.Target, r.Rule, r.MinReward, r.Findings = s.o.Target, rule, s.o.SFT.MinReward.V, []stats.Finding{}
	var eligible, order []uint32
	if rule.overall() {
		eligible, order = s.pool, s.overall()
	} else {
		eligible = s.perPrompt(prompts)
		order = s.spread(eligible)
		if goal := s.o.Target; goal > 0 && goal < len(order) {
			order = order[:goal]
		}
	}
	s.settle(eligible, order)
	r.Eligible, r.Selected = len(eligible), len(order)
	r.MeanEligible, r.MeanSelected = s.mean(eligible), s.mean(order)
	r.UniqueBehaviors, r.BehaviorsCovered = s.behaviors(eligible), s.behaviors(order)
	for _, i := range order {
		if s.rows.at(int(i)).marks.has(markEval) {
			r.EvalSourced++
		}
	}
	s.effective()
	return order
}

// gate runs the gates that judge each row alone.
func (s *sampling) gate() {
	for i := range s.gates {
		x := s.rows.at(i)
		if x.marks.has(markHeld) {
			s.gates[i] = GateHoldout
			continue
		}
		s.out.Rows++
		if x.marks.has(markChecked) {
			s.out.Leaks.Checked++
		}
		switch {
		case x.marks.has(markLeaked):
			s.gates[i] = GateLeak
			s.out.LeaksDropped++
		case !x.marks.has(markScored) || x.reward < s.o.SFT.MinReward.V:
			s.gates[i] = GateNotPassing
			s.out.NotPassing++
		case x.marks.has(markJunk):
			s.gates[i] = GateIncompleteJunk
			s.out.Junk++
		default:
			s.pool = append(s.pool, uint32(i))
		}
	}
}

// completions counts all rows by prompt.
func (s *sampling) completions(prompts int) {
	counts := make([]int, prompts)
	for i := range s.gates {
		if s.gates[i] != GateHoldout {
			counts[s.rows.at(i).prompt]++
		}
	}
	counts = slices.DeleteFunc(counts, func(n int) bool { return n == 0 })
	if len(counts) == 0 {
		return
	}
	slices.Sort(counts)
	s.out.CompletionsMax = counts[len(counts)-1]
	s.out.CompletionsMedian = counts[len(counts)/2]
	s.out.CompletionsMean = stats.Round(float64(s.out.Rows)/float64(len(counts)), 2)
	s.out.PromptsOneCompletion, _ = slices.BinarySearch(counts, 2)
}

// overall takes the first of all rows that pass, ranked or shuffled.
func (s *sampling) overall() []uint32 {
	order := slices.Clone(s.pool)
	if s.o.SFT.Rule == RandomKOverall {
		stats.NewMersenneTwister(s.o.SFT.Seed).Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	} else {
		slices.SortStableFunc(order, func(a, b uint32) int {
			x, y := s.rows.at(int(a)), s.rows.at(int(b))
			return cmp.Or(cmp.Compare(y.reward, x.reward), cmp.Compare(x.spread, y.spread))
		})
	}
	limit := s.o.SFT.K
	if limit == 0 {
		limit = s.o.Target
	}
	if limit == 0 {
		limit = len(order)
	}
	s.out.K = limit
	return order[:min(limit, len(order))]
}

// perPrompt takes one row of each prompt, in the order of the prompts.
func (s *sampling) perPrompt(prompts int) []uint32 {
	byPrompt := groupBy(s.pool, prompts, func(i uint32) uint32 { return s.rows.at(int(i)).prompt })
	var rng *stats.MersenneTwister
	if s.o.SFT.Rule == RandomPerPrompt {
		rng = stats.NewMersenneTwister(s.o.SFT.Seed)
	}
	var picks []uint32
	seen := make([]bool, prompts)
	for _, i := range s.pool {
		p := s.rows.at(int(i)).prompt
		if seen[p] {
			continue
		}
		seen[p] = true
		list := byPrompt.of(p)
		if rng != nil {
			picks = append(picks, list[rng.Below(len(list))])
		} else {
			picks = append(picks, s.best(list))
		}
	}
	return picks
}

// best is the row of the highest reward; a tie goes to the least stable key, then
// to the first.
func (s *sampling) best(list []uint32) uint32 {
	top := list[0]
	for _, i := range list[1:] {
		x, y := s.rows.at(int(i)), s.rows.at(int(top))
		if x.reward > y.reward || x.reward == y.reward && x.order < y.order {
			top = i
		}
	}
	return top
}

// spread deals picks out over behaviours: one of each signature in turn, the
// signature with most picks first.
func (s *sampling) spread(picks []uint32) []uint32 {
	sorted := slices.Clone(picks)
	slices.SortStableFunc(sorted, func(a, b uint32) int {
		x, y := s.rows.at(int(a)), s.rows.at(int(b))
		return cmp.Or(x.signature.Compare(y.signature), cmp.Compare(x.spread, y.spread))
	})
	var buckets [][]uint32
	for from := 0; from < len(sorted); {
		signature := s.rows.at(int(sorted[from])).signature
		to := from + 1
		for to < len(sorted) && s.rows.at(int(sorted[to])).signature == signature {
			to++
		}
		buckets = append(buckets, sorted[from:to])
		from = to
	}
	slices.SortStableFunc(buckets, func(a, b []uint32) int { return cmp.Compare(len(b), len(a)) })
	return deal(buckets)
}

// settle sets the gates of rows that pass and are not taken.
func (s *sampling) settle(eligible, order []uint32) {
	left := GateOutranked
	if s.o.SFT.Rule.overall() {
		left = GateTarget
	}
	for _, i := range s.pool {
		s.gates[i] = left
	}
	for _, i := range eligible {
		s.gates[i] = GateTarget
	}
	for _, i := range order {
		s.gates[i] = Kept
	}
}

func (s *sampling) behaviors(rows []uint32) int {
	seen := map[behaviour.Signature]bool{}
	for _, i := range rows {
		seen[s.rows.at(int(i)).signature] = true
	}
	return len(seen)
}

func (s *sampling) mean(rows []uint32) stats.Null[float64] {
	if len(rows) == 0 {
		return stats.Null[float64]{}
	}
	sum := 0.0
	for _, i := range rows {
		sum += s.rows.at(int(i)).reward
	}
	return stats.Of(stats.Round(sum/float64(len(rows)), 4))
}

// effective says what the rule came to, and what is thin about it.
func (s *sampling) effective() {
	low, high := math.Inf(1), math.Inf(-1)
	for _, i := range s.pool {
		x := s.rows.at(int(i)).reward
		low, high = min(low, x), max(high, x)
	}
	r := &s.out
	flat := len(s.pool) > 0 && low == high
	if len(s.pool) > 0 {
		r.SpreadPassing = stats.Of(stats.Round(high-low, 4))
	}
	if r.Rows > 0 {
		r.Effective = string(r.Rule)
		if r.CompletionsMedian <= 1 || flat {
			r.Effective = PassFilter
		}
	}
	s.note(flat)
}
