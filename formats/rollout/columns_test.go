package rollout_test

import (
	"testing"

	"github.com/rollmill/rollmill/formats/rollout"
	"pgregory.net/rapid"
)

// throughColumns does what a columnar file does to a row whose columns hold
// texts and numbers: inexact fields go beside the columns and win.
func throughColumns(t interface{ Fatalf(string, ...any) }, r *rollout.Row) *rollout.Row {
	inexact := rollout.FieldTools | rollout.FieldPrivileged | rollout.FieldMarkers
	for _, v := range []struct {
		f     rollout.Fields
		value rollout.Value
	}{
		{rollout.FieldIndex, r.Index}, {rollout.FieldLogprob, r.Logprob}, {rollout.FieldNTokens, r.NTokens},
		{rollout.FieldReward, r.Reward}, {rollout.FieldPriorReward, r.PriorReward},
	} {
		if v.value != rollout.Number(v.value.Num) {
			inexact |= v.f
		}
	}
	extra := r.AppendExtra(nil, inexact)
	back := rollout.Row{
		ID: r.ID, TaskID: r.TaskID, GroupID: r.GroupID, Prompt: r.Prompt, Messages: r.Messages, FinalText: r.FinalText,
		FinishReason: r.FinishReason, Status: r.Status, Reason: r.Reason, Judge: r.Judge, LabelSource: r.LabelSource,
		Gate: r.Gate, Gates: r.Gates, Index: column(r.Index), Logprob: column(r.Logprob),
		NTokens: column(r.NTokens), Reward: column(r.Reward), PriorReward: column(r.PriorReward),
	}
	for f := rollout.FieldID; f < rollout.FieldExtra; f <<= 1 {
		if r.Has(f) {
			back.Hold(f)
		}
	}
	if len(extra) > 0 {
		if err := rollout.NewDecoder(rollout.AllFields).Absorb(extra, &back); err != nil {
			t.Fatalf("%s: %v", extra, err)
		}
	}
	return &back
}

// column is a number as a column of floats gives it back.
func column(v rollout.Value) rollout.Value {
	if v.Kind() != rollout.KindNumber {
		return rollout.Value{}
	}
	return rollout.Number(v.Num)
}

func TestPropertyThroughColumns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := mustDecode(t, record().Draw(t, "record"), rollout.AllFields)
		back := throughColumns(t, r)
		if !back.Equal(r) {
			t.Fatalf("%s\nbeside columns %s\ncame back      %s\nwant           %s", r.Source(), r.AppendExtra(nil, 0), back.Canonical(), r.Canonical())
		}
		if back.Reason != r.Reason || back.TaskID != r.TaskID || back.Prompt != r.Prompt {
			t.Fatalf("%s: %q %q %q", r.Source(), back.Reason, back.TaskID, back.Prompt)
		}
	})
}

func TestReasonOfTheGraderWins(t *testing.T) {
	r := decode(t, `{"reason":"old","grader_reason":"new"}`, rollout.AllFields)
	back := decode(t, string(r.AppendJSON(nil)), rollout.AllFields)
	if r.Reason != "new" || back.Reason != "new" || !back.Equal(r) {
		t.Errorf("%q, and written again %q", r.Reason, back.Reason)
	}
}
