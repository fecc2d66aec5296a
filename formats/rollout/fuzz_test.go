package rollout_test

import (
	"bytes"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/rollmill/rollmill/formats/rollout"
)

var seeds = []string{
	chat, `{}`, `{"reward":"0.5","qwen_reward":1}`, `{"task_id":7,"reason":"a","grader_reason":null}`,
	`{"steps":[{"tool":"f","arguments":{"a":1},"result":null},{"text":"done"}],"prompt":"p","final_text":"done"}`,
	`{"messages_json":"[{\"role\":\"user\"}]"}`, `{"tool_trace":[{"tool":"f","input":"{}","output":1}]}`,
	`{"prompt":[{"role":"user","content":"q"}],"chosen":"a","rejected":{"role":"x"}}`, `{"conversations":[{"from":"gpt","value":"v","role":1}],"system":"s"}`,
	`{"markers":{"a":true,"a":"1"},"rollmill_gates":[{"gate":"g","x":1},7]}`, `{"\u0072eward":1,"prompt":"\ud835"}`,
}

// FuzzDecode holds the row decoder against go-json-experiment: the same
// records are valid, and texts and numbers read the same.
func FuzzDecode(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		d := rollout.NewDecoder(rollout.AllFields)
		var r rollout.Row
		err := d.Decode(text, &r)
		var few rollout.Row
		if fewErr := rollout.NewDecoder(rollout.FieldReward).Decode(text, &few); errText(fewErr) != errText(err) {
			t.Fatalf("%q: %v with all fields, %v with one", text, err, fewErr)
		}
		if err != nil || d.Notes().NonFinite > 0 {
			return
		}
		var want struct {
			Prompt    jsontext.Value `json:"prompt"`
			FinalText jsontext.Value `json:"final_text"`
			Reward    jsontext.Value `json:"reward"`
		}
		opts := json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
		if err := json.Unmarshal(text, &want, opts); err != nil {
			t.Fatalf("%q was decoded, and is %v", text, err)
		}
		if got := r.Reward.Text; got != string(want.Reward) {
			t.Fatalf("reward %q, want %q", got, want.Reward)
		}
		for _, c := range []struct {
			got  string
			want jsontext.Value
		}{{r.Prompt, want.Prompt}, {r.FinalText, want.FinalText}} {
			if c.want.Kind() != '"' {
				continue // absent, and perhaps derived, or of another type
			}
			var text string
			if err := json.Unmarshal(c.want, &text, opts); err != nil || text != c.got {
				t.Fatalf("text %q, want %q (%v)", c.got, text, err)
			}
		}
		back := mustDecode(t, string(r.AppendJSON(nil)), rollout.AllFields)
		if !back.Equal(&r) {
			t.Fatalf("%q came back as %s, want %s", text, back.Canonical(), r.Canonical())
		}
	})
}

// FuzzSplice changes rows and holds what is written against what is meant.
func FuzzSplice(f *testing.F) {
	for i, s := range seeds {
		f.Add([]byte(s), byte(i*37))
	}
	f.Fuzz(func(t *testing.T, text []byte, changes byte) {
		var r rollout.Row
		if rollout.NewDecoder(rollout.AllFields).Decode(text, &r) != nil {
			return
		}
		src := r.Source()
		if changes == 0 {
			if got := r.AppendLine(nil); string(got) != src {
				t.Fatalf("untouched %q written as %q", src, got)
			}
		}
		if changes&1 != 0 {
			r.SetReward(rollout.Number(0.5), rollout.StatusOK)
		}
		if changes&2 != 0 {
			r.Clear(rollout.FieldReason | rollout.FieldPrompt)
		}
		if changes&4 != 0 {
			r.TaskID = "t"
			r.Touch(rollout.FieldTaskID)
		}
		if changes&8 != 0 {
			r.SetMarker("m", rollout.Integer(3))
		}
		if changes&16 != 0 {
			r.Clear(rollout.FieldReward | rollout.FieldMessages | rollout.FieldMarkers)
		}
		line := r.AppendLine(nil)
		if !jsontext.Value(bytes.Clone(line)).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) {
			t.Fatalf("%q spliced to %q, which is not JSON", src, line)
		}
		back := mustDecode(t, string(line), rollout.AllFields)
		if changes&2 != 0 || changes&16 != 0 {
			return // what was cleared may be derived again
		}
		if !back.Equal(&r) {
			t.Fatalf("%q spliced to %q reads %s, want %s", src, line, back.Canonical(), r.Canonical())
		}
	})
}
