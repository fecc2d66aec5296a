package rollout_test

import (
	"strings"
	"testing"

	"github.com/rollmill/rollmill/formats/rollout"
)

// turnsText gives a conversation in a line.
func turnsText(messages []rollout.Message) string {
	var turns []string
	for i := range messages {
		turns = append(turns, messages[i].Role+": "+messages[i].Text())
	}
	return strings.Join(turns, " | ")
}

func TestTrainersRecords(t *testing.T) {
	const (
		user  = `{"role":"user","content":"q"}`
		reply = `{"role":"assistant","content":"a"}`
		other = `{"role":"assistant","content":"b"}`
	)
	for _, c := range []struct{ name, record, messages, prompt, final string }{
		{"prompt alone", `{"prompt":[` + user + `]}`, "user: q", "q", ""},
		{"prompt and completion", `{"prompt":[` + user + `],"completion":[` + reply + `]}`, "user: q | assistant: a", "q", "a"},
		{"in another order", `{"completion":[` + reply + `],"prompt":[` + user + `]}`, "user: q | assistant: a", "q", "a"},
		{"texts", `{"prompt":"q","completion":"a"}`, "user: q | assistant: a", "q", "a"},
		{"a message in place of a list", `{"prompt":"q","completion":` + reply + `}`, "user: q | assistant: a", "q", "a"},
		{"preference", `{"prompt":[` + user + `],"chosen":[` + reply + `],"rejected":[` + other + `]}`, "user: q | assistant: a", "q", "a"},
		{"preference of texts", `{"prompt":"q","chosen":"a","rejected":"b"}`, "user: q | assistant: a", "q", "a"},
		{"implicit prompt", `{"chosen":[` + user + `,` + reply + `],"rejected":[` + user + `,` + other + `]}`, "user: q | assistant: a", "q", "a"},
		{"the chosen side repeats the prompt", `{"prompt":"q","chosen":[` + user + `,` + reply + `],"rejected":[]}`, "user: q | assistant: a", "q", "a"},
		{"the chosen side goes on", `{"prompt":[` + user + `],"chosen":[` + reply + `,{"role":"user","content":"q2"}]}`, "user: q | assistant: a | user: q2", "q", "a"},
		{"parts", `{"prompt":[{"role":"user","content":[{"type":"text","text":"q"}]}],"completion":[` + reply + `]}`, "user: q | assistant: a", "q", "a"},
		{"the last prompt wins", `{"prompt":[` + user + `],"prompt":"p"}`, "", "p", ""},
		{"an empty prompt", `{"prompt":[]}`, "", "", ""},
		{"a prompt of texts", `{"prompt":["q"]}`, "", "", ""},
		{"ShareGPT", `{"id":"1","conversations":[{"from":"system","value":"s"},{"from":"human","value":"q"},{"from":"gpt","value":"c"},{"from":"observation","value":"o"},{"from":"gpt","value":"a"}]}`,
			"system: s | user: q | assistant: c | tool: o | assistant: a", "q", "a"},
		{"ShareGPT, its system beside it", `{"system":"s","conversations":[{"value":"q","from":"human"}]}`, "system: s | user: q", "q", ""},
		{"ShareGPT, preference", `{"conversations":[{"from":"human","value":"q"}],"chosen":{"from":"gpt","value":"a"},"rejected":{"from":"gpt","value":"b"}}`, "user: q | assistant: a", "q", "a"},
		{"conversations in OpenAI's words", `{"conversations":[` + user + `,` + reply + `]}`, "user: q | assistant: a", "q", "a"},
		{"ShareGPT under the name of messages", `{"messages":[{"from":"human","value":"q"},{"from":"gpt","value":"a"}]}`, "user: q | assistant: a", "q", "a"},
		{"conversations of another kind", `{"conversations":["a",{"b":1}]}`, "", "", ""},
		{"messages count before", `{"messages":[` + user + `],"completion":"a"}`, "user: q", "q", ""},
		{"steps count before", `{"prompt":"q","steps":[{"text":"s"}],"completion":"a"}`, "user: q | assistant: s", "q", "s"},
		{"a rollout with its own last word", `{"prompt":"q","final_text":"f","completion":"a"}`, "", "q", "f"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, want := range []rollout.Fields{rollout.AllFields, rollout.FieldMessages, rollout.FieldPrompt | rollout.FieldFinalText} {
				var row rollout.Row
				if err := rollout.NewDecoder(want).Decode([]byte(c.record), &row); err != nil {
					t.Fatal(err)
				}
				if got := turnsText(row.Messages); want.Has(rollout.FieldMessages) && got != c.messages {
					t.Errorf("wanting %v: messages %q, want %q", want.Names(), got, c.messages)
				}
				if row.Prompt != c.prompt || row.FinalText != c.final {
					t.Errorf("wanting %v: prompt %q, final text %q, want %q, %q", want.Names(), row.Prompt, row.FinalText, c.prompt, c.final)
				}
				if row.Rebuilt() != (c.name == "steps count before" && want.Has(rollout.FieldMessages)) {
					t.Errorf("wanting %v: rebuilt from steps is %v", want.Names(), row.Rebuilt())
				}
				if want != rollout.AllFields {
					continue
				}
				if got := string(row.AppendLine(nil)); got != c.record {
					t.Errorf("the line became %s", got)
				}
				var back rollout.Row
				if err := rollout.NewDecoder(want).Decode(row.AppendJSON(nil), &back); err != nil || !back.Equal(&row) {
					t.Errorf("read back as another row (%v):\n%s\n%s", err, row.Canonical(), back.Canonical())
				}
			}
		})
	}
}

// What stays of a record of a trainer is every member, to the letter.
func TestTrainersRecordsKeepTheirMembers(t *testing.T) {
	const record = `{"prompt": [{"role": "user", "content": "q", "weight": 1}], "chosen": "a", "rejected": "b", "margin": 1.0}`
	var row rollout.Row
	if err := rollout.NewDecoder(rollout.AllFields).Decode([]byte(record), &row); err != nil {
		t.Fatal(err)
	}
	const want = `{"schema_version":"1","messages":[{"role":"user","content":"q"},{"role":"assistant","content":"a"}],"final_text":"a",` +
		`"prompt":[{"role":"user","content":"q","weight":1}],"chosen":"a","rejected":"b","margin":1.0}`
	if got := string(row.AppendJSON(nil)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestTurns(t *testing.T) {
	for json, want := range map[string]string{
		`"b"`:                        "assistant: b",
		`{"from":"gpt","value":"b"}`: "assistant: b",
		`[{"role":"user","content":"q"},{"n":1}]`: "user: q",
		`[]`: "", `1`: "", `null`: "", ``: "",
	} {
		if got := turnsText(rollout.Turns(json, rollout.RoleAssistant)); got != want {
			t.Errorf("%s: %q, want %q", json, got, want)
		}
	}
}
