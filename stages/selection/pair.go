package selection

import (
	"unicode/utf8"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stats"
)

// PairFields are the fields of a row that a pair is made of.
const PairFields = rollout.FieldID | rollout.FieldTaskID | rollout.FieldIndex | rollout.FieldPrompt | rollout.FieldMessages |
	rollout.FieldTools | rollout.FieldFinalText | rollout.FieldReward | rollout.FieldReason | rollout.FieldExtra

// PairOf makes the preference row of a chosen and a rejected row: prompt, both
// conversations as chat messages, scores, margin, and how the two differ (spec
// of rows, sections 1.6 and 4.1). What only the grader may know is left behind.
func PairOf(chosen, rejected *rollout.Row) rollout.Row {
	var c, r reader
	c.begin(chosen)
	r.begin(rejected)
	var o object
	o.set("chosen", messagesJSON(&c))
	o.set("rejected", messagesJSON(&r))
	o.set("chosen_score", floatJSON(chosen.Reward.Num))
	o.set("rejected_score", floatJSON(rejected.Reward.Num))
	o.set("margin", floatJSON(stats.Round(chosen.Reward.Num-rejected.Reward.Num, 6)))
	cm, rm := textOf(member(chosen, "model_version")), textOf(member(rejected, "model_version"))
	o.setKnown("chosen_model", cm)
	o.setKnown("rejected_model", rm)
	o.set("same_policy", samePolicy(cm, rm))
	o.set("length_delta", floatJSON(float64(c.ReplyLength()-r.ReplyLength())))
	o.set("first_turn_differs", boolJSON(c.firstTurn() != r.firstTurn()))
	o.setKnown("chosen_reason", chosen.Reason)
	o.setKnown("rejected_reason", rejected.Reason)
	o.setKnown("rejected_failure_class", textOf(member(rejected, "failure_class")))
	var lineage object
	lineage.setText("chosen", chosen.RowKey())
	lineage.setText("rejected", rejected.RowKey())
	o.set("lineage", lineage.json())
	return rollout.Row{Pos: chosen.Pos, Prompt: chosen.Prompt, Tools: chosen.Tools, Extra: o.members}
}

// PairsOf makes pairs of rows that are chosen and rejected in turn.
func PairsOf(rows []rollout.Row) []rollout.Row {
	pairs := make([]rollout.Row, len(rows)/2)
	for i := range pairs {
		pairs[i] = PairOf(&rows[2*i], &rows[2*i+1])
	}
	return pairs
}

// messagesJSON is the message view of a row as JSON text.
func messagesJSON(x *reader) string {
	text := rollout.AppendMessages(nil, x.Messages())
	if !utf8.Valid(text) {
		return string([]rune(string(text)))
	}
	return string(text)
}

func samePolicy(a, b string) string {
	if a == "" || b == "" {
		return "null"
	}
	return boolJSON(a == b)
}

func boolJSON(b bool) string {
	if b {
		return "true"
	}
	return "false"
}
