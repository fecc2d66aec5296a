package behaviour_test

import (
	"strings"
	"testing"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/formats/rollout/behaviour"
)

func said(messages []rollout.Message) string {
	var parts []string
	for _, m := range messages {
		parts = append(parts, m.Role[:1]+":"+m.Text())
	}
	return strings.Join(parts, " | ")
}

func TestMessages(t *testing.T) {
	for _, c := range []struct{ name, record, want string }{
		{"stated", `{"prompt":"p","messages":[{"role":"user","content":"q"}],"steps":[{"text":"x"}],"final_text":"f"}`, "u:q"},
		{"stated, empty", `{"prompt":"p","messages":[],"final_text":"f"}`, "u:p | a:f"},
		{"stated, no list", `{"prompt":"p","messages":"m","final_text":"f"}`, "u:p | a:f"},
		{"stated, no objects", `{"prompt":"p","messages":[1,"x"],"final_text":"f"}`, ""},
		{"user turn at the end goes", `{"prompt":"p","steps":[{"text":"x"},{"user":"and?"}],"final_text":"f"}`, "u:p | a:x"},
		{"but for a failed agent", `{"prompt":"p","steps":[{"text":"x"},{"user":"and?"}],"final_text":"<agent error: y"}`, "u:p | a:x | u:and? | a:<agent error: y"},
		{"unanswered call", `{"prompt":"p","steps":[{"tool":"t"}],"final_text":"f"}`, "u:p | a: | t:null | a:f"},
		{"text and call", `{"prompt":"p","steps":[{"text":"s","tool":"t","result":{"é":[1.0,null]}}]}`, `u:p | a:s | t:{"\u00e9": [1.0, null]}`},
		{"blank last message", `{"opener":" ","final_text":"f"}`, "a:f"},
		{"said before", `{"prompt":"p","steps":[{"text":"f"},{"text":"g"}],"final_text":"f"}`, "u:p | a:f | a:g"},
		{"trace is not read", `{"prompt":"p","tool_trace":[{"tool":"t"}],"final_text":"f"}`, "u:p | a:f"},
		{"nothing", `{}`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var b behaviour.Reader
			b.Read(decode(t, []byte(c.record)))
			if got := said(b.Messages()); got != c.want {
				t.Errorf("got %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestContentInParts(t *testing.T) {
	var b behaviour.Reader
	b.Read(decode(t, []byte(`{"messages":[{"role":"assistant","content":[{"type":"text","text":"é1"},{"type":"image"},{"type":"text","text":"2"}]}],"final_text":"F"}`)))
	if n := b.ReplyLength(); n != 5 {
		t.Errorf("ReplyLength %d, want 5", n)
	}
	if got := string(b.AppendScanText(nil)); got != "F\né1\n2" {
		t.Errorf("scan text %q", got)
	}
}

// TestMade reads rows that no decoder made: text that is no JSON has no steps.
func TestMade(t *testing.T) {
	for _, json := range []string{`[{"tool":"t"`, `"`, ``, `[`, `[{]`, "\x00", `{"a":1`} {
		row := rollout.Row{Prompt: "p", FinalText: "f", Privileged: json}
		for _, name := range []string{"steps", "tool_trace", "opener", "reason", "faults", "messages"} {
			row.Extra = append(row.Extra, rollout.Member{Name: name, JSON: json})
		}
		var b behaviour.Reader
		b.Read(&row)
		if got := b.ToolCalls(); got != 0 {
			t.Errorf("%q: %d calls", json, got)
		}
		if got := outcomeOf(&b).Shape; got != "((), False, 0)" {
			t.Errorf("%q: shape %s", json, got)
		}
		b.Acts()
		b.Truncated()
	}
}
