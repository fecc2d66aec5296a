package rollout_test

import (
	"fmt"
	"testing"

	"github.com/rollmill/rollmill/formats/rollout"
)

func ExampleToolCall_ArgumentsObject() {
	for _, arguments := range []string{`{"city": "Oslo"}`, ``, `{"cmd": "ls`} {
		call := rollout.ToolCall{Name: "f", Arguments: arguments}
		fmt.Println(call.ArgumentsObject())
	}
	// Output:
	// {"city": "Oslo"} arguments_valid
	// {} arguments_missing
	// {"cmd": "ls arguments_invalid
}

func TestArgumentsObject(t *testing.T) {
	for _, c := range []struct {
		name, arguments, want string
		state                 rollout.ArgumentsState
	}{
		{"object", `{"a":1}`, `{"a":1}`, rollout.ArgumentsValid},
		{"object with space", " {\"a\": 1.0}\n", `{"a": 1.0}`, rollout.ArgumentsValid},
		{"encoded twice", `"{\"a\": 1}"`, `{"a": 1}`, rollout.ArgumentsValid},
		{"encoded four times", `"\"\\\"{\\\\\\\"a\\\\\\\": 1}\\\"\""`, `{"a": 1}`, rollout.ArgumentsValid},
		{"empty", ``, `{}`, rollout.ArgumentsMissing},
		{"null", `null`, `{}`, rollout.ArgumentsMissing},
		{"empty text within text", `""`, `{}`, rollout.ArgumentsMissing},
		{"bad escape", `{"path": "C:\temp\d"}`, `{"path": "C:\temp\d"}`, rollout.ArgumentsInvalid},
		{"cut off", `{"cmd": "ls`, `{"cmd": "ls`, rollout.ArgumentsInvalid},
		{"text", `not json`, `not json`, rollout.ArgumentsInvalid},
		{"text within text", `"not json"`, `"not json"`, rollout.ArgumentsInvalid},
		{"list", `[1, 2]`, `[1, 2]`, rollout.ArgumentsInvalid},
		{"number", `5`, `5`, rollout.ArgumentsInvalid},
		{"bare NaN", `{"a":NaN}`, `{"a":NaN}`, rollout.ArgumentsInvalid},
	} {
		t.Run(c.name, func(t *testing.T) {
			call := rollout.ToolCall{Arguments: c.arguments}
			if got, state := call.ArgumentsObject(); got != c.want || state != c.state {
				t.Errorf("got %s, %v, want %s, %v", got, state, c.want, c.state)
			}
		})
	}
}

func TestParseToolCall(t *testing.T) {
	for _, c := range []struct {
		name, json string
		want       rollout.ToolCall
		exact, ok  bool
	}{
		{"wire", `{"id":"c","type":"function","function":{"name":"f","arguments":"{\"a\": 1}"}}`,
			rollout.ToolCall{ID: "c", Type: "function", Name: "f", Arguments: `{"a": 1}`}, true, true},
		{"flat", `{"name":"f","arguments":{"a": 1.0}}`, rollout.ToolCall{Name: "f", Arguments: `{"a": 1.0}`}, true, true},
		{"function by name", `{"id":"c","function":"f","arguments":{},"type":"function"}`,
			rollout.ToolCall{ID: "c", Type: "function", Name: "f", Arguments: `{}`}, true, true},
		{"no arguments", `{"name":"list_files"}`, rollout.ToolCall{Name: "list_files"}, true, true},
		{"null arguments", `{"name":"f","arguments":null}`, rollout.ToolCall{Name: "f"}, true, true},
		{"more than a call holds", `{"name":"f","index":0}`, rollout.ToolCall{Name: "f"}, false, true},
		{"a name of another type", `{"name":5}`, rollout.ToolCall{}, false, false},
		{"no call", `"f"`, rollout.ToolCall{}, true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, exact, ok := rollout.ParseToolCall(c.json)
			if got != c.want || exact != c.exact || ok != c.ok {
				t.Errorf("got %+v, %v, %v, want %+v, %v, %v", got, exact, ok, c.want, c.exact, c.ok)
			}
		})
	}
	if call, _, _ := rollout.ParseToolCall(`{"name":"list_files"}`); true {
		if object, state := call.ArgumentsObject(); object != "{}" || state != rollout.ArgumentsMissing {
			t.Errorf("a call without arguments: %s, %v", object, state)
		}
	}
}
