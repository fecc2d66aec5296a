package behaviour_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/formats/rollout/behaviour"
)

// FuzzReader reads any row after another one: nothing of the other one may
// show, and nothing may panic.
func FuzzReader(f *testing.F) {
	for _, id := range []string{"conv-1", "sig-1", "fault-1", "leak-1", "trunc-1"} {
		v := vectors(f)[id]
		for i := range min(len(v.Input), 4) {
			f.Add([]byte(v.Input[i]))
		}
	}
	f.Add([]byte(`{"messages":[{"role":"assistant","tool_calls":[{"id":"1","name":"a","arguments":"{}"}]},{"role":"tool","tool_call_id":"1","content":"{}"}]}`))
	f.Add([]byte(`{"steps":[{"tool":"a\u00e9'","arguments":{"\ud800":{"b":1,"b":[2.50]}},"result":"{\"status\":404}"}],"final_text":"<tool_call>{}</tool_call>"}`))
	other := decode(f, []byte(`{"opener":"o","prompt":"p","steps":[{"tool":"t","arguments":{"a":"p"},"result":{"status":"stale"}},{"text":"long \u00e9"}],"final_text":"f","privileged":{"reference":"long secret here"}}`))
	var used behaviour.Reader
	f.Fuzz(func(t *testing.T, record []byte) {
		var row rollout.Row
		if rollout.NewDecoder(behaviour.Fields).Decode(record, &row) != nil {
			return
		}
		var fresh behaviour.Reader
		fresh.Read(&row)
		want := outcomeOf(&fresh)
		acts := len(fresh.Acts())

		used.Read(other)
		outcomeOf(&used)
		used.Messages()
		used.Read(&row)
		used.Messages()
		if len(used.Acts()) != acts || used.Truncated() != fresh.Truncated() {
			t.Fatal("a reader that was used before reads otherwise")
		}
		if diff := cmp.Diff(want, outcomeOf(&used)); diff != "" {
			t.Fatalf("a reader that was used before reads otherwise (-fresh +used):\n%s", diff)
		}
	})
}
