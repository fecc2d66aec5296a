package behaviour_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rollmill/rollmill/formats/rollout/behaviour"
)

func TestActs(t *testing.T) {
	for _, c := range []struct {
		name, record string
		want         []behaviour.Act
	}{
		{"steps", `{"steps":[{"text":"hm"},{"tool":"a","arguments":{"x":1},"result":{"ok":1}},{"tool":"b","arguments":"{\"y\":2}","result":"Error: no"},{"tool":"c","result":null,"failed":true}]}`,
			[]behaviour.Act{
				{Tool: "a", Arguments: `{"x":1}`, Result: `{"ok":1}`},
				{Tool: "b", Arguments: `{"y":2}`, ResultText: "Error: no"},
				{Tool: "c", Arguments: `{}`, Failed: true},
			}},
		{"steps before messages", `{"steps":[{"tool":"a"}],"messages":[{"role":"assistant","content":null,"tool_calls":[{"function":{"name":"b","arguments":"{}"}}]}]}`,
			[]behaviour.Act{{Tool: "a", Arguments: `{}`}}},
		{"trace", `{"steps":[],"tool_trace":[{"tool":"t","input":"{\"p\":\"k\"}","output":"fine"},{"tool":"u","input":[1],"error":"x"}]}`,
			[]behaviour.Act{{Tool: "t", Arguments: `{"p":"k"}`, ResultText: "fine"}, {Tool: "u", Arguments: `{}`, Failed: true}}},
		{"messages", `{"steps":[{"text":"said"}],"messages":[{"role":"assistant","content":"","tool_calls":[
			{"id":"1","type":"function","function":{"name":"a","arguments":"{\"x\":1}"}},{"id":"2","name":"b","arguments":{"y":2}},{"function":{"name":"c","arguments":"{bad"}}]},
			{"role":"tool","tool_call_id":"2","content":"two"},{"role":"tool","tool_call_id":"1","content":" {\"status\":\"error\"}"},{"role":"tool","content":"none's"}]}`,
			[]behaviour.Act{
				{Tool: "a", Arguments: `{"x":1}`, Result: `{"status":"error"}`},
				{Tool: "b", Arguments: `{"y":2}`, ResultText: "two"},
				{Tool: "c", Arguments: `{}`},
			}},
		{"ids used again", `{"messages":[
			{"role":"assistant","tool_calls":[{"id":"1","name":"a","arguments":{}}]},{"role":"tool","tool_call_id":"1","content":"first"},
			{"role":"assistant","tool_calls":[{"id":"1","name":"b","arguments":{}}]},{"role":"tool","tool_call_id":"1","content":"second"}]}`,
			[]behaviour.Act{{Tool: "a", Arguments: `{}`, ResultText: "first"}, {Tool: "b", Arguments: `{}`, ResultText: "second"}}},
		{"text", `{"final_text":"I do <tool_call>\n{\"name\":\"d\",\"arguments\":{\"path\":\"x\"}}\n</tool_call> and <tool_call>no json</tool_call> and <tool_call>{\"arguments\":{}}</tool_call><tool_call>{\"name\":\"e\"}"}`,
			[]behaviour.Act{{Tool: "d", Arguments: `{"path":"x"}`}}},
		{"none", `{"prompt":"p","final_text":"f"}`, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var b behaviour.Reader
			b.Read(decode(t, []byte(c.record)))
			if diff := cmp.Diff(c.want, append([]behaviour.Act(nil), b.Acts()...)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestToolCalls(t *testing.T) {
	for record, want := range map[string]int{
		`{}`: 0,
		`{"steps":[{"tool":"a"},{"tool":""},{"tool":null},{"text":"x"},"tool",{"tool":"b"}]}`: 2,
		`{"steps":null,"tool_trace":[{"tool":"a"}]}`:                                          1,
		`{"steps":[{"text":"x"}],"tool_trace":[{"tool":"a"}]}`:                                0,
		`{"steps":{"tool":"a"}}`:                                                              0,
	} {
		var b behaviour.Reader
		b.Read(decode(t, []byte(record)))
		if got := b.ToolCalls(); got != want {
			t.Errorf("%s: %d calls, want %d", record, got, want)
		}
	}
}
