package selection

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/rollmill/rollmill/stats"
)

// PairReport says which pairs were made (spec of gates, section 5.6).
type PairReport struct {
	Rows                int                 `json:"n"`
	Pairs               int                 `json:"pairs"`
	PromptsSeen         int                 `json:"prompts_seen"`
	PromptsWithContrast int                 `json:"prompts_with_contrast"`
	MinMargin           float64             `json:"min_margin"`
	MeanMargin          stats.Null[float64] `json:"mean_margin"`
	PartialScorePairs   int                 `json:"partial_score_pairs"` // a score of a pair is neither 0 nor 1
	FirstTurnIdentical  int                 `json:"first_turn_identical"`
	TrainerPairs        int                 `json:"trainer_pairs"` // the others
	SamePolicyPairs     int                 `json:"same_policy_pairs"`
	MixedPolicyPairs    int                 `json:"mixed_policy_pairs"`
	EvalSourced         int                 `json:"eval_sourced"` // pairs with a score of an evaluation
	Target              int                 `json:"target"`       // 0: all
	Length              PairLengths         `json:"length"`
	Findings            []stats.Finding     `json:"findings"`
}

// PairLengths says whether the better replies are the longer ones.
type PairLengths struct {
	MedianDelta      stats.Null[int]     `json:"median_delta"` // chosen - rejected, in characters; the upper one
	ChosenLonger     int                 `json:"chosen_longer"`
	ChosenLongerFrac stats.Null[float64] `json:"chosen_longer_frac"`
}

// Codes of the findings of preference pairs.
const (
	CodeNoPairs        stats.Code = "no_pairs"
	CodeLengthConfound stats.Code = "length_confound"       // the better reply is the longer one
	CodeSameFirstTurn  stats.Code = "identical_first_turns" // which trainers on one diverging turn cannot use
	CodeMixedPolicies  stats.Code = "mixed_policies"
)

// pairing is one building of pairs.
type pairing struct {
	o       PairOptions
	target  int
	rows    *column[pairSketch]
	gates   []Gate
	byScore groups // rows that may pair, of each prompt
	used    []bool
	order   []uint32 // chosen and rejected in turn
	out     PairReport
}

// run builds the pairs and returns their rows: chosen, rejected, chosen, ...
func (p *pairing) run(prompts int) []uint32 {
	p.out.MinMargin, p.out.Target, p.out.Findings = p.o.MinMargin, p.target, []stats.Finding{}
	var usable []uint32
	for i := range p.gates {
		x := p.rows.at(i)
		if p.gates[i] = x.marks.pairGate(); p.gates[i] == Kept {
			usable = append(usable, uint32(i))
			p.gates[i] = GateUnpaired
		}
		if p.gates[i] != GateHoldout {
			p.out.Rows++
		}
	}
	p.byScore = groupBy(usable, prompts, func(i uint32) uint32 { return p.rows.at(int(i)).prompt })
	p.used = make([]bool, len(p.gates))
	seen := make([]bool, prompts)
	for _, i := range usable {
		if prompt := p.rows.at(int(i)).prompt; !seen[prompt] {
			seen[prompt] = true
			p.out.PromptsSeen++
			p.prompt(p.byScore.of(prompt))
		}
	}
	p.sum()
	return p.order
}

// pairGate is the gate of a row that cannot pair, Kept for one that can.
func (m marks) pairGate() Gate {
	switch {
	case m.has(markHeld):
		return GateHoldout
	case m.has(markJudgeFailed):
		return GateJudgeFailed
	case !m.has(markScored):
		return GateNoScore
	case m.has(markNoPrompt):
		return GateNoPrompt
	}
	return Kept
}

// prompt pairs the rows of one prompt: the best first, with the candidate of the
// nearest length. A row pairs at most once.
func (p *pairing) prompt(rows []uint32) {
	slices.SortStableFunc(rows, func(a, b uint32) int { return cmp.Compare(p.at(b).score, p.at(a).score) })
	made := 0
	for _, chosen := range rows {
		if made == p.o.MaxPerPrompt {
			break
		}
		if p.used[chosen] {
			continue
		}
		rejected, ok := p.partner(chosen, rows)
		if !ok {
			break // nor has one of the lower scores behind it
		}
		p.used[chosen], p.used[rejected] = true, true
		made++
		gate := Kept
		if p.target > 0 && p.out.Pairs >= p.target {
			gate = GateTarget
		} else {
			p.out.Pairs++
			p.order = append(p.order, chosen, rejected)
		}
		p.gates[chosen], p.gates[rejected] = gate, gate
	}
	if made > 0 {
		p.out.PromptsWithContrast++
	}
}

func (p *pairing) at(i uint32) *pairSketch { return p.rows.at(int(i)) }

// partner finds the row to reject beside a chosen one.
func (p *pairing) partner(chosen uint32, rows []uint32) (best uint32, ok bool) {
	c := p.at(chosen)
	apart := 0
	for _, i := range rows {
		x := p.at(i)
		if i == chosen || p.used[i] || !(c.score-x.score >= p.o.MinMargin) {
			continue
		}
		d := abs(int(c.length) - int(x.length))
		if !ok || d < apart {
			best, apart, ok = i, d, true
		}
		if p.o.AnyLength {
			break
		}
	}
	return best, ok
}

func abs(x int) int {
	if x < 0 {
		return -x
	}
	return x
}

// sum sums the pairs up.
func (p *pairing) sum() {
	r := &p.out
	margins := 0.0
	var deltas []int
	for i := 0; i < len(p.order); i += 2 {
		c, x := p.at(p.order[i]), p.at(p.order[i+1])
		margins += stats.Round(c.score-x.score, 6)
		deltas = append(deltas, int(c.length)-int(x.length))
		if c.length > x.length {
			r.Length.ChosenLonger++
		}
		if partial(c.score) || partial(x.score) {
			r.PartialScorePairs++
		}
		if c.turn == x.turn {
			r.FirstTurnIdentical++
		}
		if c.model > 0 && x.model > 0 {
			if c.model == x.model {
				r.SamePolicyPairs++
			} else {
				r.MixedPolicyPairs++
			}
		}
		if c.marks.has(markEval) || x.marks.has(markEval) {
			r.EvalSourced++
		}
	}
	r.TrainerPairs = r.Pairs - r.FirstTurnIdentical
	if r.Pairs > 0 {
		slices.Sort(deltas)
		r.MeanMargin = stats.Of(stats.Round(margins/float64(r.Pairs), 4))
		r.Length.MedianDelta = stats.Of(deltas[len(deltas)/2])
		r.Length.ChosenLongerFrac = stats.Of(stats.Round(float64(r.Length.ChosenLonger)/float64(r.Pairs), 3))
	}
	p.warn()
}

func partial(score float64) bool { return score != 0 && score != 1 }

// warn says what weakens the pairs.
func (p *pairing) warn() {
	r := &p.out
	add := func(code stats.Code, level stats.Level, text string, pairs ...any) {
		r.Findings = append(r.Findings, finding(code, level, text, pairs...))
	}
	if r.Pairs == 0 {
		add(CodeNoPairs, stats.Note, fmt.Sprintf("no prompt has two rewards that differ by %v or more: grade more rollouts a prompt, or lower the margin", r.MinMargin), "prompts", r.PromptsSeen)
		return
	}
	if n, longer := r.Pairs, r.Length.ChosenLonger; n >= 8 && 4*longer >= 3*n || n >= 3 && longer == n {
		add(CodeLengthConfound, stats.Warning, fmt.Sprintf("the chosen reply is the longer one in %d of %d pairs: what is learned may be length", longer, n), "pairs", n, "longer", longer)
	}
	if r.FirstTurnIdentical > 0 {
		add(CodeSameFirstTurn, stats.Warning, fmt.Sprintf("%d pairs begin with the same turn: a trainer that compares the first turns learns nothing of them", r.FirstTurnIdentical), "pairs", r.FirstTurnIdentical)
	}
	if r.MixedPolicyPairs > 0 {
		add(CodeMixedPolicies, stats.Warning, fmt.Sprintf("%d pairs set one model against another: what is learned may be the model's manner", r.MixedPolicyPairs), "pairs", r.MixedPolicyPairs)
	}
	if r.EvalSourced > 0 {
		add(CodeEvalSourced, stats.Warning, fmt.Sprintf("%d pairs carry a score of an evaluation: training on them spends the evaluation", r.EvalSourced), "pairs", r.EvalSourced)
	}
}
