package rollout_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rollmill/rollmill/formats/rollout"
)

func decode(t testing.TB, text string, want rollout.Fields) *rollout.Row {
	t.Helper()
	var r rollout.Row
	if err := rollout.NewDecoder(want).Decode([]byte(text), &r); err != nil {
		t.Fatalf("Decode(%s): %v", text, err)
	}
	return &r
}

const chat = `{"schema_version":"1","rollout_id":"r1","scenario_id":"t1","rollout_index":3,"prompt":"Add 2 and 2.",` +
	`"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"Add 2 and 2."},` +
	`{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"add","arguments":"{\"a\": 2, \"b\": 2}"}}]},` +
	`{"role":"tool","content":"4","name":"add","tool_call_id":"c1"},{"role":"assistant","content":"It is \"4\".\n"}],` +
	`"tools":[{"type":"function","function":{"name":"add"}}],"final_text":"It is \"4\".\n","finish_reason":"stop","logprob":-12.5,"n_tokens":9,` +
	`"reward":1.0,"judge_status":"ok","reason":"right","judge_name":"j","label_source":"given","markers":{"polite":1,"brief":0.5},` +
	`"privileged":{"reference":"4"},"rollmill_gates":[{"gate":"dup","code":"x"}],"seed":9007199254740993,"x y":[1, 2]}`

func TestDecodeReadsEveryField(t *testing.T) {
	r := decode(t, chat, rollout.AllFields)
	want := rollout.Row{
		ID: "r1", TaskID: "t1", Index: rollout.Value{Num: 3, Text: "3"}, Prompt: "Add 2 and 2.",
		Messages: []rollout.Message{
			{Role: "system", Content: "Be brief."},
			{Role: "user", Content: "Add 2 and 2."},
			{Role: "assistant", NoContent: rollout.Null, ToolCalls: []rollout.ToolCall{{ID: "c1", Type: "function", Name: "add", Arguments: `{"a": 2, "b": 2}`}}},
			{Role: "tool", Content: "4", Name: "add", ToolCallID: "c1"},
			{Role: "assistant", Content: "It is \"4\".\n"},
		},
		Tools:     `[{"type":"function","function":{"name":"add"}}]`,
		FinalText: "It is \"4\".\n", FinishReason: "stop",
		Logprob: rollout.Value{Num: -12.5, Text: "-12.5"}, NTokens: rollout.Value{Num: 9, Text: "9"},
		Reward: rollout.Value{Num: 1, Text: "1.0"}, Status: rollout.StatusOK, Reason: "right", Judge: "j", LabelSource: "given",
		Markers:    []rollout.Marker{{Name: "polite", Value: rollout.Value{Num: 1, Text: "1"}}, {Name: "brief", Value: rollout.Value{Num: 0.5, Text: "0.5"}}},
		Privileged: `{"reference":"4"}`,
		Gates:      []rollout.Finding{{Gate: "dup", Code: "x"}},
		Extra:      []rollout.Member{{Name: "seed", JSON: "9007199254740993"}, {Name: "x y", JSON: "[1, 2]"}},
	}
	type fields rollout.Row // without the method Equal, which cmp would call
	if diff := cmp.Diff(fields(want), fields(*r), cmp.FilterPath(unexported, cmp.Ignore())); diff != "" {
		t.Error(diff)
	}
}

func unexported(p cmp.Path) bool {
	f, ok := p.Last().(cmp.StructField)
	return ok && f.Name()[0] >= 'a' && f.Name()[0] <= 'z'
}

func TestDecodeKeepsWhatColumnsCannotHold(t *testing.T) {
	for _, c := range []struct{ name, record, kept string }{
		{"null text", `{"prompt":null}`, `prompt=null`},
		{"number for text", `{"final_text":5}`, `final_text=5`},
		{"lone surrogate", `{"prompt":"half \ud835 letter"}`, `prompt="half \ud835 letter"`},
		{"unknown status", `{"judge_status":"odd"}`, `judge_status="odd"`},
		{"status of another type", `{"judge_status":5}`, `judge_status=5`},
		{"messages null", `{"messages":null}`, `messages=null`},
		{"unknown message member", `{"messages":[{"role":"user","content":"x","weight":1}]}`, `messages=[{"role":"user","content":"x","weight":1}]`},
		{"message without a role", `{"messages":[{"content":"x"}]}`, `messages=[{"content":"x"}]`},
		{"empty role", `{"messages":[{"role":"","content":"x"}]}`, ``},
		{"empty call list", `{"messages":[{"role":"assistant","content":"x","tool_calls":[]}]}`, `messages=[{"role":"assistant","content":"x","tool_calls":[]}]`},
		{"arguments as object", `{"messages":[{"role":"assistant","tool_calls":[{"name":"f","arguments":{"a":1}}]}]}`, `messages=[{"role":"assistant","tool_calls":[{"name":"f","arguments":{"a":1}}]}]`},
		{"numeric task id", `{"scenario_id":7}`, `scenario_id=7`},
		{"other version", `{"schema_version":"2"}`, `schema_version="2"`},
		{"second task id", `{"scenario_id":"a","task_id":"b"}`, `task_id="b"`},
		{"markers of another type", `{"markers":[1]}`, `markers=[1]`},
		{"list content", `{"messages":[{"role":"user","content":[{"type":"text","text":"hi"}]}]}`, ``},
		{"null content", `{"messages":[{"role":"assistant","content":null}]}`, ``},
		{"reward as text", `{"reward":"0.5"}`, ``},
		{"version 1", `{"schema_version":"1"}`, ``},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := decode(t, c.record, rollout.AllFields)
			var kept []string
			for _, m := range r.Extra {
				kept = append(kept, m.Name+"="+m.JSON)
			}
			if got := strings.Join(kept, " "); got != c.kept {
				t.Errorf("kept %q, want %q", got, c.kept)
			}
			back := decode(t, string(r.AppendJSON(nil)), rollout.AllFields)
			if !back.Equal(r) {
				t.Errorf("came back as %s, want %s", back.Canonical(), r.Canonical())
			}
		})
	}
}

func TestDecodeSettlesIDs(t *testing.T) {
	for _, c := range []struct{ record, want string }{
		{`{"scenario_id":"a"}`, "a"},
		{`{"task_id":"b"}`, "b"},
		{`{"task_id":"b","scenario_id":"a"}`, "a"},
		{`{"scenario_id":"","task_id":"b"}`, "b"},
		{`{"scenario_id":null,"task_id":7}`, "7"},
		{`{"scenario_id":0}`, ""},
		{`{"scenario_id":0.0,"task_id":"b"}`, "b"},
		{`{"task_id":-0}`, ""},
		{`{"scenario_id":1e3}`, "1e3"},
	} {
		if got := decode(t, c.record, rollout.FieldTaskID).TaskID; got != c.want {
			t.Errorf("%s: TaskID %q, want %q", c.record, got, c.want)
		}
	}
}

func TestDecodeLastOfDuplicateNamesWins(t *testing.T) {
	d := rollout.NewDecoder(rollout.AllFields)
	var r rollout.Row
	if err := d.Decode([]byte(`{"prompt":null,"x":1,"prompt":"b","x":2,"reward":1,"reward":0,"markers":{"m":1,"m":2}}`), &r); err != nil {
		t.Fatal(err)
	}
	if got, want := string(r.Canonical()), `{"markers":{"m":2},"prompt":"b","reward":0,"schema_version":"1","x":2}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if n := d.Notes().DuplicateNames; n != 4 {
		t.Errorf("counted %d duplicate names, want 4", n)
	}
}

func TestDecodeMendsNonFinite(t *testing.T) {
	d := rollout.NewDecoder(rollout.AllFields)
	var r rollout.Row
	if err := d.Decode([]byte(`{"reward":NaN,"x":[-Infinity,1],"s":"NaN"}`), &r); err != nil {
		t.Fatal(err)
	}
	if got, want := string(r.AppendLine(nil)), `{"reward":null,"x":[null,1],"s":"NaN"}`; got != want {
		t.Errorf("line %s, want %s", got, want)
	}
	if r.State() != rollout.Unscored {
		t.Errorf("state %v, want unscored", r.State())
	}
	if n := d.Notes().NonFinite; n != 2 {
		t.Errorf("counted %d, want 2", n)
	}
}

func TestDecodeRefuses(t *testing.T) {
	for _, c := range []struct{ record, code string }{
		{``, rollout.CodeBadJSON},
		{`{"a":1`, rollout.CodeBadJSON},
		{`{"a":1} x`, rollout.CodeBadJSON},
		{`{"messages":[{"role":"user"]}`, rollout.CodeBadJSON},
		{"{\"a\":\"\xff\"}", rollout.CodeBadUTF8},
		{"{\"prompt\":\"\xff\"}", rollout.CodeBadUTF8},
		{`[1]`, rollout.CodeNotAnObject},
		{`"x"`, rollout.CodeNotAnObject},
		{`null`, rollout.CodeNotAnObject},
		{`[1`, rollout.CodeBadJSON},
	} {
		for _, want := range []rollout.Fields{rollout.AllFields, rollout.FieldReward, 0} {
			var r rollout.Row
			err := rollout.NewDecoder(want).Decode([]byte(c.record), &r)
			var de *rollout.DecodeError
			if !errors.As(err, &de) || de.Code != c.code {
				t.Errorf("Decode(%q) with %v: %v, want code %s", c.record, want.Names(), err, c.code)
			}
		}
	}
}

func TestDecodeDerives(t *testing.T) {
	record := `{"messages":[{"role":"user","content":"ask"},{"role":"assistant","content":"answer"}]}`
	for _, want := range []rollout.Fields{rollout.AllFields, rollout.FieldPrompt | rollout.FieldFinalText} {
		r := decode(t, record, want)
		if r.Prompt != "ask" || r.FinalText != "answer" {
			t.Errorf("prompt %q, final text %q", r.Prompt, r.FinalText)
		}
		if got := string(r.AppendLine(nil)); got != record {
			t.Errorf("an untouched row was written as %s", got)
		}
	}
	flat := `{"messages_json":"[{\"role\":\"user\",\"content\":\"ask\"}]","steps_json":"[{\"text\":\"hm\"}]","metadata_json":"{broken"}`
	r := decode(t, flat, rollout.AllFields)
	if len(r.Messages) != 1 || r.Prompt != "ask" {
		t.Errorf("hf_flat: messages %v", r.Messages)
	}
	if got, want := string(r.Canonical()), `{"messages":[{"content":"ask","role":"user"}],"metadata_json":"{broken","prompt":"ask","schema_version":"1","steps":[{"text":"hm"}]}`; got != want {
		t.Errorf("hf_flat: got %s, want %s", got, want)
	}
}

func TestState(t *testing.T) {
	for _, c := range []struct {
		record string
		state  rollout.State
		value  float64
	}{
		{`{}`, rollout.Unscored, 0},
		{`{"reward":null}`, rollout.Unscored, 0},
		{`{"reward":0}`, rollout.Scored, 0},
		{`{"reward":"0.5"}`, rollout.Scored, 0.5},
		{`{"reward":" 1e0 "}`, rollout.Scored, 1},
		{`{"reward":"0x1p0"}`, rollout.Invalid, 0},
		{`{"reward":"n/a"}`, rollout.Invalid, 0},
		{`{"reward":true}`, rollout.Invalid, 0},
		{`{"reward":1e999}`, rollout.Invalid, 0},
		{`{"reward":1,"judge_status":"timeout"}`, rollout.Unscored, 1},
		{`{"reward":1,"judge_status":"invalid_result"}`, rollout.Invalid, 1},
	} {
		r := decode(t, c.record, rollout.AllFields)
		if r.State() != c.state {
			t.Errorf("%s: %v, want %v", c.record, r.State(), c.state)
		}
		if f, ok := r.Reward.Float(); c.state == rollout.Scored && (!ok || f != c.value) {
			t.Errorf("%s: %v, want %v", c.record, f, c.value)
		}
	}
}

func TestDecodeManyNames(t *testing.T) {
	var record strings.Builder
	record.WriteString(`{"markers":{"m0":5`)
	for i := range 20000 {
		fmt.Fprintf(&record, `,"m%d":%d`, i, i)
	}
	record.WriteString(`},"x0":0`)
	for i := range 20000 {
		fmt.Fprintf(&record, `,"x%d":%d`, i, i)
	}
	record.WriteString(`}`)
	d := rollout.NewDecoder(rollout.AllFields)
	var r rollout.Row
	if err := d.Decode([]byte(record.String()), &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Markers) != 20000 || r.Markers[0].Value.Num != 0 || len(r.Extra) != 20000 || d.Notes().DuplicateNames != 2 {
		t.Errorf("%d markers, first %v, %d other members, %+v", len(r.Markers), r.Markers[0], len(r.Extra), d.Notes())
	}
}

// How deep a record may nest does not depend on the fields that are wanted.
func TestDecodeDepth(t *testing.T) {
	for _, c := range []struct {
		prefix, suffix string
		levels         int // around the nest
	}{
		{`{"x":`, `}`, 1},
		{`{"messages":[{"role":"user","content":`, `}]}`, 3},
		{`{"messages":[{"tool_calls":[{"function":{"arguments":`, `}}]}]}`, 6},
		{`{"markers":{"m":`, `}}`, 2},
	} {
		for _, want := range []rollout.Fields{0, rollout.AllFields} {
			for _, depth := range []int{10000, 10001} {
				nest := depth - c.levels
				record := c.prefix + strings.Repeat("[", nest) + strings.Repeat("]", nest) + c.suffix
				var r rollout.Row
				err := rollout.NewDecoder(want).Decode([]byte(record), &r)
				if (err == nil) != (depth == 10000) {
					t.Errorf("%s with %d levels and %d fields: %v", c.prefix, depth, len(want.Names()), err)
				}
			}
		}
	}
}

func TestRowsMadeByHandAreWritten(t *testing.T) {
	r := rollout.Row{TaskID: "t", Prompt: "p", Reward: rollout.Number(1), Messages: []rollout.Message{{Role: "user", Content: "p"}}}
	want := `{"schema_version":"1","scenario_id":"t","prompt":"p","messages":[{"role":"user","content":"p"}],"reward":1}`
	if got := string(r.AppendLine(nil)); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	r.Touch(rollout.FieldFinalText) // empty, and meant
	if got := string(r.AppendLine(nil)); !strings.Contains(got, `"final_text":""`) {
		t.Errorf("got %s", got)
	}
}
