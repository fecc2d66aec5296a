package verify_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/grade"
	"github.com/rollmill/rollmill/stages/grade/verify"
)

// callRow makes a row whose agent made calls, each a name and JSON arguments,
// and whose private reference is JSON.
func callRow(t testing.TB, reference string, calls ...string) *rollout.Row {
	t.Helper()
	var list []any
	for i := 0; i < len(calls); i += 2 {
		list = append(list, map[string]any{"id": fmt.Sprint(i), "type": "function", "function": map[string]any{"name": calls[i], "arguments": calls[i+1]}})
	}
	text, err := json.Marshal(map[string]any{
		"messages":   []any{map[string]any{"role": "user", "content": "q"}, map[string]any{"role": "assistant", "content": "", "tool_calls": list}},
		"privileged": map[string]any{"reference": json.RawMessage(reference)},
	})
	if err != nil {
		t.Fatal(err)
	}
	return decode(t, string(text))
}

func TestToolCalls(t *testing.T) {
	set, ordered, extra := verify.ToolCalls(verify.ToolCallOptions{}), verify.ToolCalls(verify.ToolCallOptions{Ordered: true}), verify.ToolCalls(verify.ToolCallOptions{Extra: true})
	const two = `[{"name":"f","arguments":{"a":1}},{"name":"g","arguments":{}}]`
	for _, c := range []struct {
		name      string
		grader    grade.Grader
		reference string
		calls     []string
		want      string
	}{
		{"as written", set, two, []string{"f", `{"a":1}`, "g", `{}`}, "1: the calls fit"},
		{"in another order", set, two, []string{"g", ``, "f", `{"a": 1.0}`}, "1: the calls fit"},
		{"in order", ordered, two, []string{"f", `{"a":1}`, "g", `{}`}, "1: the calls fit"},
		{"out of order", ordered, two, []string{"g", `{}`, "f", `{"a":1}`}, "0: no call of g that fits"},
		{"one too few", set, two, []string{"f", `{"a":1}`}, "0: 1 calls, want 2"},
		{"one too many", set, two, []string{"f", `{"a":1}`, "g", `{}`, "g", `{}`}, "0: 3 calls, want 2"},
		{"one more does no harm", extra, two, []string{"h", `{}`, "f", `{"a":1}`, "g", `{}`}, "1: the calls fit"},
		{"another tool", set, two, []string{"f", `{"a":1}`, "h", `{}`}, "0: no call of g that fits"},
		{"another value", set, two, []string{"f", `{"a":2}`, "g", `{}`}, "0: f: another a"},
		{"a missing argument", set, two, []string{"f", `{}`, "g", `{}`}, "0: f: no argument a"},
		{"an argument too many", set, two, []string{"f", `{"a":1}`, "g", `{"b":1}`}, "0: g: an argument b that is not wanted"},
		{"arguments that are none", set, two, []string{"f", `{"a":`, "g", `{}`}, "0: f: its arguments are no JSON object"},
		{"no calls wanted, none made", set, `[]`, nil, "1: the calls fit"},
		{"no calls wanted", set, `[]`, []string{"f", `{}`}, "0: 1 calls, want 0"},
		{"the reference within a text", set, `"[{\"name\":\"f\",\"arguments\":{\"a\":[1,{\"b\":null}]}}]"`, []string{"f", `{"a":[1,{"b":null}]}`}, "1: the calls fit"},
		{"deep down", set, `[{"name":"f","arguments":{"a":[1,{"b":null}]}}]`, []string{"f", `{"a":[1,{"b":false}]}`}, "0: f: another a"},
		{"text is written out", set, `[{"name":"f","arguments":{"a":"New York"}}]`, []string{"f", `{"a":"new york"}`}, "0: f: another a"},
		{"big numbers", set, `[{"name":"f","arguments":{"a":9007199254740993}}]`, []string{"f", `{"a":9007199254740992}`}, "0: f: another a"},

		{"possible values", set, `[{"f":{"a":[1,2]}}]`, []string{"f", `{"a":2}`}, "1: the calls fit"},
		{"no possible value", set, `[{"f":{"a":[1,2]}}]`, []string{"f", `{"a":3}`}, "0: f: another a"},
		{"text and space", set, `[{"f":{"a":["New York, NY"]}}]`, []string{"f", `{"a":"new york ny"}`}, "1: the calls fit"},
		{"true is not 1", set, `[{"f":{"a":[1]}}]`, []string{"f", `{"a":true}`}, "0: f: another a"},
		{"a number is no text", set, `[{"f":{"a":["1"]}}]`, []string{"f", `{"a":1}`}, "0: f: another a"},
		{"it may be missing", set, `[{"f":{"a":[1,""]}}]`, []string{"f", `{}`}, "1: the calls fit"},
		{"it may not be missing", set, `[{"f":{"a":[1]}}]`, []string{"f", `{}`}, "0: f: no argument a"},
		{"a list", set, `[{"f":{"a":[["x","y"]]}}]`, []string{"f", `{"a":["X","Y"]}`}, "1: the calls fit"},
		{"a list in another order", set, `[{"f":{"a":[["x","y"]]}}]`, []string{"f", `{"a":["y","x"]}`}, "0: f: another a"},
		{"a longer list", set, `[{"f":{"a":[["x"]]}}]`, []string{"f", `{"a":["x","x"]}`}, "0: f: another a"},
		{"an object", set, `[{"f":{"a":[{"b":["x","y"],"c":[1,""]}]}}]`, []string{"f", `{"a":{"b":"y"}}`}, "1: the calls fit"},
		{"another object", set, `[{"f":{"a":[{"b":["x"]}]}}]`, []string{"f", `{"a":{"b":"x","c":1}}`}, "0: f: another a"},
		{"a list of objects", set, `[{"f":{"a":[[{"b":["x"]},{"b":["y"]}]]}}]`, []string{"f", `{"a":[{"b":"x"},{"b":"y"}]}`}, "1: the calls fit"},
		{"a dotted name", set, `[{"m.f":{"a":[1]}}]`, []string{"m_f", `{"a":1}`}, "1: the calls fit"},
		{"each wants a call of its own", set, `[{"f":{"a":[1,2]}},{"f":{"a":[1]}}]`, []string{"f", `{"a":1}`, "f", `{"a":2}`}, "1: the calls fit"},
		{"and there are too few of them", set, `[{"f":{"a":[1,2]}},{"f":{"a":[1]}}]`, []string{"f", `{"a":2}`, "f", `{"a":2}`}, "0: f: another a"},

		{"no list", set, `{"f":1}`, nil, "invalid_result: the reference is no list of calls"},
		{"no JSON within", set, `"[f(a=1)]"`, nil, "invalid_result: the reference is no list of calls"},
		{"no calls in the list", set, `[1]`, nil, "invalid_result: call 1: want {name, arguments}, or one name with its possible arguments"},
		{"no lists of values", set, `[{"f":{"a":1}}]`, nil, "invalid_result: call 1: the possible values of a are no list"},
		{"wanted arguments that are none", set, `[{"name":"f","arguments":[1]}]`, nil, "invalid_result: call 1: its arguments are no object"},
		{"nothing", set, `null`, nil, "invalid_result: no reference"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := verdict(t, c.grader, callRow(t, c.reference, c.calls...)); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestToolCallsOfSteps reads the calls of rows in other shapes.
func TestToolCallsOfSteps(t *testing.T) {
	v := verify.ToolCalls(verify.ToolCallOptions{})
	for _, text := range []string{
		`{"prompt":"q","steps":[{"tool":"f","arguments":{"a":1},"result":"ok"}],"final_text":"done","reference":[{"name":"f","arguments":{"a":1}}]}`,
		`{"prompt":"q","tool_trace":[{"tool":"f","input":"{\"a\":1}","output":"ok"}],"final_text":"done","reference":[{"f":{"a":[1]}}]}`,
		`{"messages":[{"role":"assistant","tool_calls":[{"name":"f","arguments":{"a":1}}]}],"reference":[{"f":{"a":[1]}}]}`,
	} {
		var row rollout.Row
		if err := rollout.NewDecoder(v.Info().Needs).Decode([]byte(text), &row); err != nil {
			t.Fatal(err)
		}
		if got := verdict(t, v, &row); got != "1: the calls fit" {
			t.Errorf("%s: %s", text, got)
		}
	}
}

func TestReadCallAnswers(t *testing.T) {
	answers, err := verify.ReadCallAnswers(strings.NewReader("{\"id\":\"a\",\"ground_truth\":[{\"f\":{\"x\":[1]}}]}\n\n{\"id\":2,\"ground_truth\":[]}\n"))
	if err != nil || len(answers) != 2 || answers["a"] != `[{"f":{"x":[1]}}]` || answers["2"] != "[]" {
		t.Errorf("got %v, %v", answers, err)
	}
	v := verify.ToolCalls(verify.ToolCallOptions{Answers: answers})
	for row, want := range map[string]string{
		`{"scenario_id":"a","messages":[{"role":"assistant","tool_calls":[{"name":"f","arguments":{"x":1}}]}]}`: "1: the calls fit",
		`{"rollout_id":"2"}`: "1: the calls fit",
		`{"id":"2"}`:         "1: the calls fit",
		`{"id":"3"}`:         "invalid_result: no answer for this task",
	} {
		if got := verdict(t, v, decode(t, row)); got != want {
			t.Errorf("%s: got %q, want %q", row, got, want)
		}
	}
	for text, want := range map[string]string{
		"{\"id\":\"a\",\"ground_truth\":[]}\n{":                                "line 2 is not JSON",
		`{"ground_truth":[]}`:                                                  "line 1 has no id",
		`{"id":"a","ground_truth":{}}`:                                         "line 1: ground_truth: the reference is no list of calls",
		`{"id":"a","ground_truth":[]}` + "\n" + `{"id":"a","ground_truth":[]}`: "line 2: the id a stands there twice",
	} {
		if _, err := verify.ReadCallAnswers(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", text, err, want)
		}
	}
}

// bfcl reads the tasks of an answer file: by id, their calls with possible values.
func bfcl(t testing.TB, file string) (ids []string, truth map[string][]map[string]map[string][]any, answers map[string]verify.CallAnswer) {
	t.Helper()
	text, err := os.Open(data(t, "bfcl/"+file))
	if err != nil {
		t.Fatal(err)
	}
	defer text.Close()
	truth = map[string][]map[string]map[string][]any{}
	lines := bufio.NewScanner(text)
	for lines.Scan() {
		var record struct {
			ID    string                        `json:"id"`
			Truth []map[string]map[string][]any `json:"ground_truth"`
		}
		d := json.NewDecoder(strings.NewReader(lines.Text()))
		d.UseNumber()
		if err := d.Decode(&record); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, record.ID)
		truth[record.ID] = record.Truth
	}
	if _, err := text.Seek(0, 0); err != nil {
		t.Fatal(err)
	}
	if answers, err = verify.ReadCallAnswers(text); err != nil {
		t.Fatal(err)
	}
	return ids, truth, answers
}

// choose takes a possible value of each argument, the n-th that there is; an
// object takes one of each of its members. A value that may be missing is.
func choose(possible any, n int) any {
	switch p := possible.(type) {
	case map[string]any:
		object := map[string]any{}
		for name, values := range p {
			list := values.([]any)
			object[name] = choose(list[n%len(list)], n)
		}
		return object
	case []any:
		list := make([]any, len(p))
		for i, element := range p {
			list[i] = choose(element, n)
		}
		return list
	}
	return possible
}

func arguments(possible map[string][]any, n int) map[string]any {
	chosen := map[string]any{}
	for name, values := range possible {
		if value := values[n%len(values)]; value != "" {
			chosen[name] = choose(value, n)
		}
	}
	return chosen
}

// bfclRow makes the row of a task from calls with arguments.
func bfclRow(t testing.TB, id string, names []string, args []map[string]any) *rollout.Row {
	var calls []rollout.ToolCall
	for i, name := range names {
		text, err := json.Marshal(args[i])
		if err != nil {
			t.Fatal(err)
		}
		calls = append(calls, rollout.ToolCall{Name: name, Arguments: string(text)})
	}
	return &rollout.Row{TaskID: id, Messages: []rollout.Message{{Role: rollout.RoleAssistant, ToolCalls: calls}}}
}

// altered is a value that is not the one given, nor like it.
func altered(value any) any {
	switch v := value.(type) {
	case string:
		return v + " altered"
	case bool:
		return "neither"
	case json.Number:
		return json.Number("-987654.25")
	case []any:
		return append(slices.Clone(v), "altered")
	case map[string]any:
		other := maps.Clone(v)
		other["altered"] = 1
		return other
	}
	return errors.New("no such value")
}

// TestBFCL grades the possible answers of the Berkeley Function Calling
// Leaderboard: each of them passes, and with any argument altered, left out or
// added none does.
func TestBFCL(t *testing.T) {
	for file, tasks := range map[string]int{"answer.BFCL_v4_simple_python.json": 400, "answer.BFCL_v4_parallel_multiple.json": 200} {
		ids, truth, answers := bfcl(t, file)
		if len(ids) != tasks {
			t.Errorf("%s: %d tasks, want %d", file, len(ids), tasks)
		}
		v := verify.ToolCalls(verify.ToolCallOptions{Answers: answers})
		check := func(id string, names []string, args []map[string]any, want string) {
			if got := verdict(t, v, bfclRow(t, id, names, args)); !strings.HasPrefix(got, want) {
				t.Errorf("%s: %v of %v: %s", id, args, truth[id], got)
			}
		}
		passed, failed := 0, 0
		for _, id := range ids {
			most := 1
			var names []string
			for _, call := range truth[id] {
				for name, possible := range call {
					names = append(names, name)
					for _, values := range possible {
						most = max(most, len(values))
					}
				}
			}
			for n := range most {
				var args []map[string]any
				for i, call := range truth[id] {
					args = append(args, arguments(call[names[i]], n))
				}
				check(id, names, args, "1: ")
				check(id, reversed(names), reversed(args), "1: ")
				passed++
				for i := range args {
					for name, value := range args[i] {
						for _, wrong := range []func(map[string]any){
							func(m map[string]any) { m[name] = altered(value) },
							func(m map[string]any) { m[name+"_altered"] = value },
						} {
							with := slices.Clone(args)
							with[i] = maps.Clone(args[i])
							wrong(with[i])
							check(id, names, with, "0: ")
							failed++
						}
						if !slices.Contains(truth[id][i][names[i]][name], any("")) {
							with := slices.Clone(args)
							with[i] = maps.Clone(args[i])
							delete(with[i], name)
							check(id, names, with, "0: ")
							failed++
						}
					}
				}
				if len(args) > 1 {
					check(id, names[1:], args[1:], "0: ")
				}
				check(id, append([]string{"other_tool"}, names[1:]...), args, "0: ")
			}
		}
		t.Logf("%s: %d answers pass, %d altered ones fail", file, passed, failed)
	}
}

func reversed[T any](s []T) []T {
	s = slices.Clone(s)
	slices.Reverse(s)
	return s
}

// TestEqualJSON has a value that was written anew be equal to itself.
func TestEqualJSON(t *testing.T) {
	var value func(depth int) *rapid.Generator[any]
	value = func(depth int) *rapid.Generator[any] {
		return rapid.Custom(func(t *rapid.T) any {
			switch kind := rapid.IntRange(0, 6).Draw(t, "kind"); {
			case kind == 5 && depth > 0:
				return rapid.SliceOfN(value(depth-1), 0, 3).Draw(t, "list")
			case kind == 6 && depth > 0:
				return rapid.MapOfN(rapid.StringN(1, 4, 8), value(depth-1), 0, 3).Draw(t, "object")
			case kind == 1:
				return rapid.Bool().Draw(t, "bool")
			case kind == 2:
				return rapid.Float64Range(-1e6, 1e6).Draw(t, "number")
			case kind == 3:
				return nil
			}
			return rapid.String().Draw(t, "text")
		})
	}
	v := verify.ToolCalls(verify.ToolCallOptions{})
	rapid.Check(t, func(r *rapid.T) {
		args := rapid.MapOfN(rapid.StringN(1, 4, 8), value(3), 0, 4).Draw(r, "arguments")
		text, err := json.Marshal(args)
		if err != nil {
			r.Skip()
		}
		indented, _ := json.MarshalIndent(args, "", " ")
		row := callRow(t, `[{"name":"f","arguments":`+string(text)+`}]`, "f", string(indented))
		if got := verdict(t, v, row); got != "1: the calls fit" {
			r.Errorf("%s: %s", text, got)
		}
	})
}
