package rollout_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rollmill/rollmill/formats/rollout"
)

func ExampleMessagesFromSteps() {
	messages, err := rollout.MessagesFromSteps(
		`[{"tool": "add", "arguments": {"a": 2, "b": 2.0}, "result": {"sum": 4}}, {"text": "It is 4."}]`,
		"", "What is 2+2?", "It is 4.")
	fmt.Println(string(rollout.AppendMessages(nil, messages)), err)
	// Output: [{"role":"user","content":"What is 2+2?"},{"role":"assistant","content":"","tool_calls":[{"function":{"name":"add","arguments":"{\"a\": 2, \"b\": 2.0}"}}]},{"role":"tool","content":"{\"sum\": 4}","name":"add"},{"role":"assistant","content":"It is 4."}] <nil>
}

// said writes messages in a short form: a letter for the role, the text, and
// the calls in brackets.
func said(messages []rollout.Message) string {
	var parts []string
	for _, m := range messages {
		s := m.Role[:1] + ":" + m.Content
		if m.Role == rollout.RoleTool {
			s = "t(" + m.Name + "):" + m.Content
		}
		for _, c := range m.ToolCalls {
			s += "[" + c.Name + " " + c.Arguments + "]"
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, " | ")
}

func TestMessagesFromSteps(t *testing.T) {
	for _, c := range []struct{ name, steps, opener, prompt, final, want string }{
		{"nothing", "", "", "", "", ""},
		{"a prompt", "[]", "", "p", "", "u:p"},
		{"a prompt and an answer", "", "", "p", "f", "u:p | a:f"},
		{"an opener", "[]", "hello", "p", "f", "a:hello | u:p | a:f"},
		{"an opener and no answer", "[]", "hello", "p", "", "a:hello | u:p"},
		{"a call", `[{"tool":"f","arguments":{"x":1.0},"result":"ok"}]`, "", "p", "f", `u:p | a:[f {"x":1.0}] | t(f):ok | a:f`},
		{"a call with words before it", `[{"text":"let me","tool":"f","arguments":{}}]`, "", "p", "f", `u:p | a:let me[f {}] | a:f`},
		{"a call that was never answered", `[{"tool":"f","arguments":{},"result":null}]`, "", "p", "f", `u:p | a:[f {}] | a:f`},
		{"a call without arguments", `[{"tool":"f","result":0}]`, "", "p", "f", `u:p | a:[f ] | t(f):0 | a:f`},
		{"arguments as text", `[{"tool":"f","arguments":"{\"x\": 1","result":[1, null]}]`, "", "p", "f", `u:p | a:[f {"x": 1] | t(f):[1, null] | a:f`},
		{"a tool trace", `[{"tool":"f","input":{"x":1},"output":"ok"},{"tool":"g","input":"{\"y\":2}","output":null}]`, "", "p", "f",
			`u:p | a:[f {"x":1}] | t(f):ok | a:[g {"y":2}] | a:f`},
		{"several turns", `[{"text":"a1"},{"user":"u2"},{"text":"a2"}]`, "", "p", "a2", "u:p | a:a1 | u:u2 | a:a2"},
		{"an answer that was said before", `[{"text":"f"},{"user":"thanks"}]`, "", "p", "f", "u:p | a:f"},
		{"several unanswered turns", `[{"text":"f"},{"user":"one"},{"user":"two"}]`, "", "p", "f", "u:p | a:f"},
		{"the final text answers the last turn", `[{"text":"a1"},{"user":"more?"}]`, "", "p", "f", "u:p | a:a1 | u:more? | a:f"},
		{"no final text, an unanswered turn", `[{"text":"a1"},{"user":"more?"}]`, "", "p", "", "u:p | a:a1"},
		{"the agent failed", `[{"text":"a1"},{"user":"more?"}]`, "", "p", "<agent error: timeout>", "u:p | a:a1 | u:more? | a:<agent error: timeout>"},
		{"an empty last word is filled", `[{"text":""}]`, "", "p", "f", "u:p | a:f"},
		{"an empty word before is not", `[{"text":""},{"text":"x"}]`, "", "p", "f", "u:p | a: | a:x | a:f"},
		{"a step of another kind", `[{"logprob":-1},{"text":"x"}]`, "", "p", "", "u:p | a:x"},
		{"steps without a prompt", `[{"user":"u"},{"text":"x"}]`, "", "", "x", "u:u | a:x"},
	} {
		t.Run(c.name, func(t *testing.T) {
			messages, err := rollout.MessagesFromSteps(c.steps, c.opener, c.prompt, c.final)
			if got := said(messages); err != nil || got != c.want {
				t.Errorf("got %s, %v\nwant %s", got, err, c.want)
			}
		})
	}
}

func TestMessagesFromStepsRefuses(t *testing.T) {
	for steps, want := range map[string]string{
		`{"text":"x"}`:            "want a list of steps",
		`[{"text":"x"},"y"]`:      "step 1: found a string, want an object",
		`[{"user":5}]`:            `step 0: "user", "tool" and "text" must be texts`,
		`[{"tool":{"name":"f"}}]`: `step 0: "user", "tool" and "text" must be texts`,
	} {
		if _, err := rollout.MessagesFromSteps(steps, "", "p", "f"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", steps, err, want)
		}
	}
}

func TestMessageText(t *testing.T) {
	for record, want := range map[string]string{
		`{"role":"assistant","content":"x"}`: "x",
		`{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}]}`: "",
		`{"role":"assistant","tool_calls":[]}`: "",
		`{"role":"user","content":[{"type":"text","text":"hi"},{"type":"image_url","image_url":{"url":"a.png"}}]}`:    "hi",
		`{"role":"user","content":[{"type":"text","text":"a"},"b",{"type":"input_text","text":"c"},{"type":"text"}]}`: "a\nb\nc",
		`{"role":"user","content":[{"type":"reasoning","text":"hidden"}]}`:                                            "",
		`{"role":"user","content":{"type":"text","text":"no list"}}`:                                                  "",
	} {
		row := decoded(t, `{"messages":[`+record+`]}`)
		if got := row.Messages[0].Text(); got != want {
			t.Errorf("%s: got %q, want %q", record, got, want)
		}
	}
}

func TestPromptAndFinalTextOf(t *testing.T) {
	row := decoded(t, `{"messages":[{"role":"system","content":"s"},{"role":"user","content":[{"type":"text","text":"q"}]},`+
		`{"role":"assistant","content":"a"},{"role":"assistant","content":null},{"role":"user","content":"thanks"}]}`)
	if got, ok := rollout.PromptOf(row.Messages); got != "q" || !ok {
		t.Errorf("prompt: got %q, %v", got, ok)
	}
	if got, ok := rollout.FinalTextOf(row.Messages); got != "a" || !ok {
		t.Errorf("final text: got %q, %v", got, ok)
	}
	if got, ok := rollout.PromptOf(row.Messages[:1]); ok {
		t.Errorf("prompt of a system message: got %q", got)
	}
	if got, ok := rollout.FinalTextOf(row.Messages[:2]); ok {
		t.Errorf("final text without an assistant: got %q", got)
	}
}

func TestConversation(t *testing.T) {
	row := rollout.Row{Prompt: "q", FinalText: "a"}
	if got := said(row.Conversation()); got != "u:q | a:a" {
		t.Errorf("from prompt and final text: %s", got)
	}
	row.Messages = []rollout.Message{{Role: "user", Content: "other"}}
	if got := said(row.Conversation()); got != "u:other" {
		t.Errorf("from messages: %s", got)
	}
}

func FuzzMessagesFromSteps(f *testing.F) {
	f.Add(`[{"tool":"f","arguments":{"x":1.0},"result":"ok"},{"user":"u"},{"text":"t"}]`, "o", "p", "f")
	f.Add(`[{"tool":"f","input":"{","output":[1]}]`, "", "", "<agent error")
	f.Fuzz(func(t *testing.T, steps, opener, prompt, final string) {
		messages, err := rollout.MessagesFromSteps(steps, opener, prompt, final)
		if err != nil {
			return
		}
		for i, m := range messages {
			if m.Role == "" {
				t.Fatalf("message %d has no role", i)
			}
		}
		if got, ok := rollout.PromptOf(messages); prompt != "" && (!ok || got != prompt) {
			t.Fatalf("the prompt became %q", got)
		}
	})
}
