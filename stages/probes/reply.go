package probes

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rollmill/rollmill/formats/rollout"
)

// verdicts are the members of a record that tell of a verdict or of what the
// agent did, which a probe has neither of.
var verdicts = []string{"judge_meta", "lineage", "failure_class", "tool_trace", "steps", "grader_reason", "reward", "reason", "judge_status", "judge_name", "markers"}

// replies are other names for the final text.
var replies = []string{"response", "completion", "output"}

const verdictFields = rollout.FieldReward | rollout.FieldReason | rollout.FieldStatus | rollout.FieldJudge | rollout.FieldMarkers

// withReply is a copy of a row in which the agent said nothing but a reply to
// the last message of the user. Nothing of a verdict is left in it.
func withReply(row *rollout.Row, reply string) rollout.Row {
	r := *row
	r.Extra = slices.DeleteFunc(slices.Clone(r.Extra), func(m rollout.Member) bool { return slices.Contains(verdicts, m.Name) })
	for i := range r.Extra {
		if slices.Contains(replies, r.Extra[i].Name) {
			r.Extra[i].JSON = quoted(reply)
		}
	}
	r.Clear(verdictFields)
	history := row.Conversation()
	for len(history) > 0 && history[len(history)-1].Role != rollout.RoleUser {
		history = history[:len(history)-1]
	}
	r.Messages = append(slices.Clone(history), rollout.Message{Role: rollout.RoleAssistant, Content: reply})
	r.FinalText = reply
	r.Touch(rollout.FieldMessages | rollout.FieldFinalText)
	return r
}

func quoted(s string) string {
	b, _ := jsontext.AppendQuote(nil, s) // of text that is no UTF-8 what can be kept
	return string(b)
}

// question is what the last message of the user says, or the prompt.
func question(r *rollout.Row) string {
	if r.Prompt != "" {
		return r.Prompt
	}
	for i := len(r.Messages) - 1; i >= 0; i-- {
		if r.Messages[i].Role == rollout.RoleUser {
			return r.Messages[i].Text()
		}
	}
	return ""
}
