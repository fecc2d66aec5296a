package rollout_test

import (
	"testing"

	"github.com/rollmill/rollmill/formats/rollout"
)

func TestAppendLineSplices(t *testing.T) {
	setReward := func(r *rollout.Row) { r.SetReward(rollout.Number(1), rollout.StatusOK) }
	for _, c := range []struct {
		name, record, want string
		change             func(*rollout.Row)
	}{
		{"untouched", `{ "reward" : 1.0 , "x":1}`, `{ "reward" : 1.0 , "x":1}`, func(*rollout.Row) {}},
		{"appended", `{"x":1}`, `{"x":1,"reward":1,"judge_status":"ok"}`, setReward},
		{"appended to empty", `{ }`, `{ "reward":1,"judge_status":"ok"}`, setReward},
		{"in place", `{"reward":0.50, "x":1}`, `{"reward":1, "x":1,"judge_status":"ok"}`, setReward},
		{"both in place", `{"judge_status":"error","x":"}","reward":null}`, `{"judge_status":"ok","x":"}","reward":1}`, setReward},
		{"last duplicate", `{"reward":0,"x":1,"reward":2}`, `{"x":1,"reward":1,"judge_status":"ok"}`, setReward},
		{"escaped name", `{"\u0072eward":0}`, `{"\u0072eward":1,"judge_status":"ok"}`, setReward},
		{"cleared first", `{"reward":1,"x":2}`, `{"x":2}`, func(r *rollout.Row) { r.Clear(rollout.FieldReward) }},
		{"cleared last", `{"x":2, "reward":1 }`, `{"x":2 }`, func(r *rollout.Row) { r.Clear(rollout.FieldReward) }},
		{"cleared all", `{"reward":1,"judge_status":"ok"}`, `{}`, func(r *rollout.Row) { r.Clear(rollout.FieldReward | rollout.FieldStatus) }},
		{"cleared and set", `{"reward":1}`, `{"judge_name":"j"}`, func(r *rollout.Row) {
			r.Clear(rollout.FieldReward)
			r.Judge = "j"
			r.Touch(rollout.FieldJudge)
		}},
		{"task under its other name", `{"task_id":"a"}`, `{"task_id":"b"}`, func(r *rollout.Row) {
			r.TaskID = "b"
			r.Touch(rollout.FieldTaskID)
		}},
		{"reason under its other name", `{"reason":"x","grader_reason":"y"}`, `{"grader_reason":"z"}`, func(r *rollout.Row) {
			r.Reason = "z"
			r.Touch(rollout.FieldReason)
		}},
		{"kept text is dropped", `{"prompt":null}`, `{"prompt":"p"}`, func(r *rollout.Row) {
			r.Prompt = "p"
			r.Touch(rollout.FieldPrompt)
		}},
		{"finding", `{"x":1}`, `{"x":1,"rollmill_gate":"leak","rollmill_gates":[{"gate":"leak","code":"exact"}]}`, func(r *rollout.Row) {
			r.AddFinding(rollout.Finding{Gate: "leak", Code: "exact"})
			r.EndAt("leak")
			r.EndAt("later")
		}},
		{"other members", `{"x":1,"y":2}`, `{"x":[1,"a"],"y":2,"z":"text"}`, func(r *rollout.Row) {
			assign(t, r, `x=[1, "a"]`)
			assign(t, r, "z=old")
			assign(t, r, "z=text")
		}},
		{"field by its name", `{"reward":1,"x":2}`, `{"reward":0.50,"x":2,"judge_name":"j"}`, func(r *rollout.Row) {
			assign(t, r, "reward=0.50")
			assign(t, r, "judge_name=j")
		}},
		{"marker", `{"markers":{"a":1}}`, `{"markers":{"a":0,"b":1}}`, func(r *rollout.Row) {
			r.SetMarker("a", rollout.Number(0))
			r.SetMarker("b", rollout.Number(1))
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := decode(t, c.record, rollout.AllFields)
			c.change(r)
			if got := string(r.AppendLine(nil)); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func assign(t *testing.T, r *rollout.Row, text string) {
	t.Helper()
	a, err := rollout.ParseAssignment(text)
	if err != nil {
		t.Fatal(err)
	}
	a.Apply(r)
}

func TestParseAssignmentRefuses(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"reward", `rollout: "reward" is no assignment; want name=value`},
		{"=1", `rollout: "=1" is no assignment; want name=value`},
		{`x={"a":1`, `rollout: "x={\"a\":1": the value is not JSON: byte 6: found the end of the record, want ',' or '}'`},
		{"reward=high", `rollout: "reward=high": reward cannot hold "high"; want a number`},
		{"reward=1e400", `rollout: "reward=1e400": reward cannot hold 1e400; want a number`},
		{"prompt=5", `rollout: "prompt=5": prompt cannot hold 5`},
	} {
		if _, err := rollout.ParseAssignment(c.text); err == nil || err.Error() != c.want {
			t.Errorf("ParseAssignment(%q): %v, want %s", c.text, err, c.want)
		}
	}
}
