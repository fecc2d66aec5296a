package selection

import (
	"fmt"
	"sort"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/formats/rollout/behaviour"
)

// Finish writes on a row what the plan found about it: on a kept one of mode RL
// the difficulty of its task and, where the policy says so, that its reply was
// overlong; on any other the gate at which it ended. It may be called for
// different rows at the same time. Pass each row once.
func (p *Plan) Finish(r *rollout.Row, pick Pick) {
	switch {
	case pick.Gate != Kept:
		p.drop(r, pick)
	case p.a.o.Mode == RL:
		p.finishRL(r, pick)
	}
}

// NeedsWhole reports whether Finish wants the row of a pick with all its fields.
// Of other rows it reads nothing, and sets no more than the gate and the findings.
func (p *Plan) NeedsWhole(pick Pick) bool { return pick.Gate == Kept || pick.Gate == GateLeak }

// Sets returns the fields, but for Extra, that Finish may set.
func (p *Plan) Sets() rollout.Fields {
	fields := rollout.FieldGate | rollout.FieldGates
	if p.a.o.Mode == RL && p.a.o.RL.Truncated != DropTruncated {
		fields |= rollout.FieldMarkers | rollout.FieldReward | rollout.FieldStatus | rollout.FieldJudge | rollout.FieldReason
	}
	return fields
}

func (p *Plan) finishRL(r *rollout.Row, pick Pick) {
	s := p.a.rl.at(pick.row)
	p.name(r, pick.Rank)
	if policy := p.a.o.RL.Truncated; policy != DropTruncated && s.marks.has(markCut) {
		markOverlong(r, policy == PenalizeTruncated)
	}
	if of := p.scores[s.task]; of.n > 0 {
		stamp(r, of, Student{})
	}
}

// name names the task of a row in the report, if the row is the first of a task
// that stands there. Other rows may be named at the same time, so nothing but the
// rank of other tasks is looked at.
func (p *Plan) name(r *rollout.Row, rank int) {
	list := p.report.RL.Calibration.List
	i := sort.Search(len(list), func(i int) bool { return list[i].rank >= rank })
	if i < len(list) && list[i].rank == rank {
		list[i].TaskID = clipped(r.TaskKey())
	}
}

// maxKey is how many bytes of a task key a report shows.
const maxKey = 256

// clipped is a copy of a text, cut to maxKey bytes.
func clipped(s string) string {
	if len(s) > maxKey {
		s = s[:maxKey]
	}
	return string([]byte(s))
}

const (
	overlongPenalty = "overlong_penalty" // the name of the rule as a judge
	overlongReason  = "the reply was cut off: 0 by the rule on overlong replies"
)

// markOverlong marks a reply that was cut off, and where it is penalized gives it
// a reward of 0 by rule (spec of gates, section 5.3, step 3).
func markOverlong(r *rollout.Row, penalize bool) {
	r.SetExtra("overlong", "true")
	r.SetMarker("finished", rollout.Number(0))
	if !penalize {
		return
	}
	before := r.Reward.Text
	if before == "" {
		before = "null"
	}
	var meta object
	meta.set("reward_before_penalty", before)
	meta.setKnown("judge_before", r.Judge)
	meta.setKnown("reason_before", r.Reason)
	meta.setText("scorer_kind", "rule")
	r.SetExtra("reward_before_penalty", before)
	r.SetExtra("judge_meta", meta.json())
	if member(r, "failure_class") != "" {
		r.SetExtra("failure_class", "null") // the class was of the verdict before
	}
	r.SetReward(rollout.Number(0), rollout.StatusOK)
	r.Judge, r.Reason = overlongPenalty, overlongReason
	r.Touch(rollout.FieldJudge | rollout.FieldReason)
}

// drop writes on a row at which gate it ended, and what can be said of it.
func (p *Plan) drop(r *rollout.Row, pick Pick) {
	r.EndAt(pick.Gate.String())
	r.AddFinding(rollout.Finding{Gate: "select", Code: pick.Gate.String(), Detail: p.detail(r, pick)})
}

func (p *Plan) detail(r *rollout.Row, pick Pick) string {
	switch pick.Gate {
	case GateLeak:
		var b behaviour.Reader
		b.Read(r)
		if leak, state := b.Leak(leastNeedle); state == behaviour.LeakFound {
			return fmt.Sprintf("%s: %.60s", leak.Field, leak.Needle)
		}
	case GateUnanimous, GateCollapsed, GateTooEasy, GateTooHard:
		if s := p.scores[p.a.rl.at(pick.row).task]; s.n > 0 {
			return fmt.Sprintf("%d of %d rollouts passed", s.passes, s.n)
		}
	}
	return ""
}
