package behaviour_test

import (
	"testing"

	"github.com/rollmill/rollmill/formats/rollout/behaviour"
)

// A record that tells of its calls in messages alone reads as one whose steps
// tell the same.
func TestStepsOfMessages(t *testing.T) {
	const tail = `"prompt":"Where is A1?","final_text":"It is here."}`
	for _, c := range []struct{ name, messages, steps string }{
		{"a call with an id",
			`{"messages":[{"role":"user","content":"Where is A1?"},{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"get","arguments":"{\"id\":\"A1\"}"}}]},{"role":"tool","tool_call_id":"c1","content":"{\"status\":\"ok\",\"place\":\"Ulm\"}"},{"role":"assistant","content":"It is here."}],` + tail,
			`{"steps":[{"tool":"get","arguments":{"id":"A1"},"result":"{\"status\":\"ok\",\"place\":\"Ulm\"}"}],` + tail},
		{"two calls without ids",
			`{"messages":[{"role":"user","content":"Where is A1?"},{"role":"assistant","content":null,"tool_calls":[{"name":"get","arguments":{"id":"A1"}},{"name":"look","arguments":{"at":"B2"}}]},{"role":"tool","name":"get","content":"{\"status\":\"timeout\"}"},{"role":"tool","name":"look","content":"{\"status\":\"ok\"}"},{"role":"assistant","content":"It is here."}],` + tail,
			`{"steps":[{"tool":"get","arguments":{"id":"A1"},"result":"{\"status\":\"timeout\"}"},{"tool":"look","arguments":{"at":"B2"},"result":"{\"status\":\"ok\"}"}],` + tail},
		{"a call that nothing answers",
			`{"messages":[{"role":"user","content":"Where is A1?"},{"role":"assistant","content":"","tool_calls":[{"id":"c1","name":"get","arguments":{}}]},{"role":"tool","tool_call_id":"c2","content":"late"},{"role":"assistant","content":"It is here."}],` + tail,
			`{"steps":[{"tool":"get","arguments":{}}],` + tail},
	} {
		t.Run(c.name, func(t *testing.T) {
			var a, b behaviour.Reader
			a.Read(decode(t, []byte(c.messages)))
			b.Read(decode(t, []byte(c.steps)))
			if got, want := string(a.AppendShape(nil)), string(b.AppendShape(nil)); got != want {
				t.Errorf("%s, want %s", got, want)
			}
			if a.FaultName() != b.FaultName() || a.ToolCalls() != b.ToolCalls() || a.ToolCalls() == 0 {
				t.Errorf("fault %q and %d calls, want %q and %d", a.FaultName(), a.ToolCalls(), b.FaultName(), b.ToolCalls())
			}
		})
	}
}
