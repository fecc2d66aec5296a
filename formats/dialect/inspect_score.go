package dialect

import (
	"strings"

	"github.com/rollmill/rollmill/formats/internal/jsonwalk"
	"github.com/rollmill/rollmill/formats/rollout"
)

// scores sets what was thought of a sample. The first scorer that gives a number
// gives reward, judge and reason; every scorer's number is a marker of its
// name, and the numbers within a score that is an object are markers named
// scorer.key. When no scorer gives a number, the status says why.
func (d *draft) scores(scores []byte) {
	if value := find(scores, "value"); value != nil && !isKind(value, '{') {
		d.score("", scores) // the one score of old logs
		return
	}
	for scorer, score := range members(scores) {
		d.score(scorer, score)
	}
}

func (d *draft) score(scorer string, score []byte) {
	value := find(score, "value")
	v, ok := scoreNumber(value)
	switch {
	case ok && scorer != "":
		d.marker(scorer, []byte(v.Text))
	case isKind(value, '{'):
		for key, part := range members(value) {
			if v, ok := scoreNumber(part); ok {
				d.marker(scorer+"."+key, []byte(v.Text))
			}
		}
	}
	switch {
	case d.row.Status == rollout.StatusOK || d.row.Status != rollout.StatusAbsent && !ok:
		return // an earlier scorer was it
	case ok:
		d.number(rollout.FieldReward, &d.row.Reward, []byte(v.Text))
		d.status(rollout.StatusOK)
	case isNull(value), isKind(value, '{'): // NaN is how a scorer says that it has no score
		d.status(rollout.StatusMissingReward)
	default:
		d.status(rollout.StatusInvalidResult)
	}
	d.row.Reason, d.set = "", d.set&^rollout.FieldReason
	if scorer != "" {
		d.text(rollout.FieldJudge, &d.row.Judge, scorer)
	}
	if why, ok := jsonwalk.Text(find(score, "explanation")); ok && why != "" {
		d.text(rollout.FieldReason, &d.row.Reason, why)
	}
}

// scoreNumber reads a score as Inspect does: C is 1, P is 0.5, I and N (no
// answer) are 0, and so are yes and no, true and false; numbers keep their
// token.
func scoreNumber(value []byte) (rollout.Value, bool) {
	if text, ok := jsonwalk.Text(value); ok {
		switch text {
		case "C":
			return rollout.Number(1), true
		case "P":
			return rollout.Number(0.5), true
		case "I", "N":
			return rollout.Number(0), true
		}
		switch strings.ToLower(text) {
		case "yes", "true":
			return rollout.Number(1), true
		case "no", "false":
			return rollout.Number(0), true
		}
		f, ok := rollout.Value{Text: string(value)}.Float()
		return rollout.Number(f), ok
	}
	v := numberOf(value)
	_, ok := v.Float()
	return v, ok
}
