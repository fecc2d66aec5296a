package dialect_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rollmill/rollmill/formats/dialect"
	"github.com/rollmill/rollmill/formats/rollout"
)

func ExampleParseMap() {
	m, err := dialect.ParseMap([]string{"prompt=question,final_text=.solution,reward=.is_correct"}, "small,large")
	if err != nil {
		panic(err)
	}
	rows, err := m.Rows(nil, dialect.Record{JSON: []byte(
		`{"question":"1+1?","small":{"solution":"3","is_correct":false},"large":{"solution":"2","is_correct":true}}`)})
	if err != nil {
		panic(err)
	}
	for i := range rows {
		fmt.Println(rows[i].Prompt, rows[i].FinalText, rows[i].Reward.Text, rows[i].Extra[0].JSON)
	}
	fmt.Println(rows[0].TaskKey() == rows[1].TaskKey())
	// Output:
	// 1+1? 3 0 "small"
	// 1+1? 2 1 "large"
	// true
}

func TestMapping(t *testing.T) {
	for _, c := range []struct {
		name   string
		maps   []string
		each   string
		record string
		key    string
		want   []string // without schema_version
	}{
		{"flat", []string{"prompt=question", "reward=ok", "final_text=answer"}, "",
			`{"question":"q","z":{"b": 1},"answer":"a","ok":true,"a":null}`, "",
			[]string{`{"prompt":"q","final_text":"a","reward":1,"z":{"b":1},"a":null}`}},
		{"nested and numbered", []string{"prompt=q.text,reward=solutions.0.is_correct"}, "",
			`{"q":{"text":"1+1","lang":"en"},"solutions":[{"is_correct":0.50}]}`, "",
			[]string{`{"prompt":"1+1","reward":0.50,"q":{"lang":"en"},"solutions":[{"is_correct":0.50}]}`}},
		{"all of a nested object", []string{"prompt=q.text"}, "", `{"q":{"text":"1+1"},"x":1}`, "",
			[]string{`{"prompt":"1+1","x":1}`}},
		{"numbers of text fields, texts of numbers", []string{"scenario_id=n,reward=r,rollout_index=i"}, "",
			`{"n":7,"r":"0.5","i":2.0}`, "", []string{`{"scenario_id":"7","rollout_index":2.0,"reward":"0.5"}`}},
		{"null and nowhere are absent", []string{"reward=r,prompt=p.x"}, "", `{"r":null,"p":{"y":1}}`, "",
			[]string{`{"p":{"y":1}}`}},
		{"the record's own fields", []string{"reward=score"}, "",
			`{"task_id":"t","prompt":"p","final_text":"f","score":1.0,"reason":"why","tools":[{"type":"function"}],"n_tokens":3}`, "",
			[]string{`{"scenario_id":"t","prompt":"p","tools":[{"type":"function"}],"final_text":"f","n_tokens":3,"reward":1.0,"reason":"why"}`}},
		{"a field of another type stays as it was", []string{"reward=score"}, "", `{"prompt":5,"score":1,"markers":[1]}`, "",
			[]string{`{"reward":1,"prompt":5,"markers":[1]}`}},
		{"a mapped field hides the record's own", []string{"reward=score"}, "", `{"reward":1,"prompt":"p"}`, "",
			[]string{`{"prompt":"p","source.reward":1}`}},
		{"two spellings", []string{"reward=r"}, "", `{"task_id":"t","scenario_id":"s","reason":"x","grader_reason":"g","r":0}`, "",
			[]string{`{"scenario_id":"s","reward":0,"reason":"g","source.task_id":"t","source.reason":"x"}`}},
		{"markers and privileged", []string{"markers.fast=speed,privileged.reference=gold,markers.safe=s"}, "",
			`{"speed":0.1,"gold":{"a": 1},"privileged":{"hidden_state":1,"reference":2},"markers":{"kind":1},"s":true}`, "",
			[]string{`{"markers":{"kind":1,"fast":0.1,"safe":1},"privileged":{"hidden_state":1,"reference":{"a":1}}}`}},
		{"privileged, empty", []string{"privileged=p"}, "", `{"p":{}}`, "", []string{`{"privileged":{}}`}},
		{"model and extra", []string{"model_version=m.name,extra.lang=l"}, "", `{"m":{"name":"x"},"l":"en"}`, "",
			[]string{`{"model_version":"x","lang":"en"}`}},
		{"messages", []string{"messages=chat"}, "",
			`{"chat":[{"role":"user","content":"q"},{"role":"assistant","content":null,"tool_calls":[{"name":"f","arguments":{"a":1.0}}]},{"role":"assistant","content":"a","w":1}]}`, "",
			[]string{`{"prompt":"q","messages":[{"role":"user","content":"q"},{"role":"assistant","content":null,"tool_calls":[{"function":{"name":"f","arguments":"{\"a\":1.0}"}}]},{"role":"assistant","content":"a"}],"final_text":"a","message_extra":[null,null,{"w":1}]}`}},
		{"messages of ShareGPT", []string{"messages=conversations"}, "",
			`{"conversations":[{"from":"human","value":"q"},{"from":"gpt","value":"a","value2":1},{"role":"tool","content":"o","from":"x"}]}`, "",
			[]string{`{"prompt":"q","messages":[{"role":"user","content":"q"},{"role":"assistant","content":"a"},{"role":"tool","content":"o"}],"final_text":"a","message_extra":[null,{"value2":1},{"from":"x"}]}`}},
		{"a prompt of messages and a final text", []string{"final_text=completion"}, "",
			`{"prompt":[{"role":"system","content":"s"},{"role":"user","content":"q"}],"completion":"a"}`, "",
			[]string{`{"prompt":"q","messages":[{"role":"system","content":"s"},{"role":"user","content":"q"},{"role":"assistant","content":"a"}],"final_text":"a"}`}},
		{"a prompt and a final text of messages", []string{"final_text=completion"}, "",
			`{"prompt":"q","completion":[{"role":"assistant","content":"a"}]}`, "",
			[]string{`{"prompt":"q","messages":[{"role":"user","content":"q"},{"role":"assistant","content":"a"}],"final_text":"a"}`}},
		{"steps", []string{"reward=r"}, "", `{"prompt":"q","final_text":"a","steps":[{"tool":"f","arguments":{"x":1},"result":"ok"}],"r":1}`, "",
			[]string{`{"prompt":"q","messages":[{"role":"user","content":"q"},{"role":"assistant","content":"","tool_calls":[{"function":{"name":"f","arguments":"{\"x\":1}"}}]},{"role":"tool","content":"ok","name":"f"},{"role":"assistant","content":"a"}],"final_text":"a","reward":1,"steps":[{"tool":"f","arguments":{"x":1},"result":"ok"}]}`}},
		{"names with dots and commas", []string{`prompt=a\.b,final_text=c\,d`}, "", `{"a.b":"q","c,d":"a"}`, "",
			[]string{`{"prompt":"q","final_text":"a"}`}},
		{"keyed record", []string{"prompt=q"}, "", `{"q":"x"}`, "row 7", []string{`{"prompt":"x","key":"row 7"}`}},
		{"keyed record, key mapped", []string{"prompt=q,rollout_id=@key"}, "", `{"q":"x"}`, "row 7", []string{`{"rollout_id":"row 7","prompt":"x"}`}},
		{"duplicate names", []string{"reward=r"}, "", `{"prompt":"1","r":0,"x":1,"prompt":"2","r":1,"x":2}`, "", []string{`{"prompt":"2","reward":1,"x":2}`}},
		{"lone surrogate", []string{"prompt=q"}, "", `{"q":"half \ud835 letter"}`, "", []string{"{\"prompt\":\"half \ufffd letter\"}"}},
		{"record that is a list", []string{"prompt=0,final_text=1"}, "", `["q","a",3]`, "", []string{`{"prompt":"q","final_text":"a","record":["q","a",3]}`}},

		{"each named member", []string{"prompt=q,final_text=.s,reward=.ok,model_version=@key"}, "a,b",
			`{"q":"1+1","a":{"s":"2","ok":true,"t":9},"b":{"s":"3","ok":false},"src":"x"}`, "",
			[]string{
				`{"scenario_id":"task_1","rollout_index":0,"prompt":"1+1","final_text":"2","reward":1,"src":"x","t":9,"model_version":"a","each":"a"}`,
				`{"scenario_id":"task_1","rollout_index":1,"prompt":"1+1","final_text":"3","reward":0,"src":"x","model_version":"b","each":"b"}`}},
		{"each element", []string{"reward=."}, "scores", `{"task_id":"t","scores":[1, 0.0, null]}`, "",
			[]string{
				`{"scenario_id":"t","rollout_index":0,"reward":1}`,
				`{"scenario_id":"t","rollout_index":1,"reward":0.0}`,
				`{"scenario_id":"t","rollout_index":2}`}},
		{"each element not mapped", []string{"prompt=p"}, "xs", `{"p":"q","xs":["a"]}`, "",
			[]string{`{"scenario_id":"task_q","rollout_index":0,"prompt":"q","value":"a"}`}},
		{"each member of an object", []string{"final_text=."}, "by.model", `{"by":{"model":{"x":"1","y":"2"},"n":2},"prompt":"q"}`, "",
			[]string{
				`{"scenario_id":"task_q","rollout_index":0,"prompt":"q","final_text":"1","by":{"n":2},"each":"x"}`,
				`{"scenario_id":"task_q","rollout_index":1,"prompt":"q","final_text":"2","by":{"n":2},"each":"y"}`}},
		{"each with fields of its own", nil, "rollouts",
			`{"prompt":"q","reward":0,"rollout_id":"r","rollouts":[{"reward":1,"final_text":"a","rollout_index":5},{"final_text":"b"}]}`, "",
			[]string{
				`{"scenario_id":"task_q","rollout_index":5,"prompt":"q","final_text":"a","reward":1,"source.rollout_id":"r"}`,
				`{"scenario_id":"task_q","rollout_index":1,"prompt":"q","final_text":"b","reward":0,"source.rollout_id":"r"}`}},
		{"each without a prompt of the record", []string{"prompt=.p"}, "xs", `{"xs":[{"p":"1"},{"p":"2"}]}`, "",
			[]string{
				`{"scenario_id":"task_{\"xs\":[{\"p\":\"1\"},{\"p\":\"2\"}]}","rollout_index":0,"prompt":"1"}`,
				`{"scenario_id":"task_{\"xs\":[{\"p\":\"1\"},{\"p\":\"2\"}]}","rollout_index":1,"prompt":"2"}`}},
		{"each of a keyed record", []string{"final_text=."}, "xs", `{"xs":["a"]}`, "7", []string{`{"scenario_id":"7","rollout_index":0,"final_text":"a"}`}},
		{"record and part share a name", []string{"reward=.r"}, "xs", `{"prompt":"q","lang":"en","xs":[{"r":1,"lang":"de"}]}`, "",
			[]string{`{"scenario_id":"task_q","rollout_index":0,"prompt":"q","reward":1,"source.lang":"en","lang":"de"}`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := dialect.ParseMap(c.maps, c.each)
			if err != nil {
				t.Fatal(err)
			}
			rows := rowsBy(t, m, []dialect.Record{{JSON: []byte(c.record), Key: c.key}})
			var got []string
			for i := range rows {
				got = append(got, strings.Replace(string(rows[i].AppendJSON(nil)), `"schema_version":"1",`, "", 1))
			}
			for i := range c.want { // derived ids are written with what they are derived from
				for derived, from := range map[string]string{
					`"task_1"`: "1+1", `"task_q"`: "q", `"task_{\"xs\":[{\"p\":\"1\"},{\"p\":\"2\"}]}"`: `{"xs":[{"p":"1"},{"p":"2"}]}`,
				} {
					c.want[i] = strings.Replace(c.want[i], derived, `"`+rollout.DerivedTaskID(from)+`"`, 1)
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestMappingManyNames asserts that records of thousands of members are read in
// the same way as small ones, and not in quadratic time.
func TestMappingManyNames(t *testing.T) {
	const n = 5_000
	record := []byte(`{"prompt":"p","same":1,"same":2,"markers":{"same":0`)
	for i := range n {
		record = fmt.Appendf(record, `,"m%d":%d`, i, i)
	}
	record = append(record, `,"same":1}`...)
	for i := range n {
		record = fmt.Appendf(record, `,"x%d":%d`, i, i)
	}
	record = append(record, `,"same":3,"xs":[1,2]}`...)
	m, err := dialect.ParseMap([]string{"reward=.,markers.m7=prompt,markers.new=x9"}, "xs")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rowsBy(t, m, []dialect.Record{{JSON: record}}) {
		if len(row.Markers) != n+2 || len(row.Extra) != n || extra(&row, "same") != "3" {
			t.Errorf("%d markers, %d other members, same is %s", len(row.Markers), len(row.Extra), extra(&row, "same"))
		}
		for name, want := range map[string]float64{"same": 1, "m8": 8, "new": 9} {
			if got, _ := row.MarkerValue(name); got != want {
				t.Errorf("marker %s is %v, want %v", name, got, want)
			}
		}
	}
}

func TestMappingRefuses(t *testing.T) {
	for _, c := range []struct {
		name, rules, each, record, code, detail string
	}{
		{"messages of text", "messages=messages", "", `{"messages":"hi"}`, dialect.CodeFieldType,
			`"messages" is a string; want a list of {role, content} (map it with --map messages=...)`},
		{"a message without a role", "messages=c", "", `{"c":[{"role":"user","content":"q"},{"content":"a"}]}`, dialect.CodeFieldMissing,
			`message 1 of "c" has no role; want {role, content}`},
		{"a message that is none", "messages=c", "", `{"c":[3]}`, dialect.CodeFieldType, `message 0 of "c" is a number; want {role, content}`},
		{"a prompt that is an object", "prompt=q", "", `{"q":{}}`, dialect.CodeFieldType, `"q" is an object; want text or a number`},
		{"a reward that is a list", "reward=r.x", "", `{"r":{"x":[1]}}`, dialect.CodeFieldType, `"r.x" is a list; want a number or a boolean`},
		{"a status of another word", "judge_status=s", "", `{"s":"fine"}`, dialect.CodeFieldType,
			`"s" is a string; want ok, missing_reward, invalid_result, error or timeout`},
		{"tools that are an object", "tools=t", "", `{"t":{}}`, dialect.CodeFieldType, `"t" is an object; want a list of tool schemas`},
		{"markers that are a list", "markers=t", "", `{"t":[]}`, dialect.CodeFieldType, `"t" is a list; want an object of numbers`},
		{"a marker that is an object", "markers.a=t", "", `{"t":{}}`, dialect.CodeFieldType, `"t" is an object; want a number or a boolean`},
		{"privileged that is text", "privileged=t", "", `{"t":"x"}`, dialect.CodeFieldType, `"t" is a string; want an object (or map it to privileged.reference)`},
		{"a missing part", "reward=.", "a,b", `{"a":1}`, dialect.CodeFieldMissing, `no "b"; want a value for each member that --each names`},
		{"a missing list", "reward=.", "xs.y", `{"xs":{}}`, dialect.CodeFieldMissing, `no "xs.y"; want a list or an object, of which each makes a row`},
		{"a list that is text", "reward=.", "xs", `{"xs":"s"}`, dialect.CodeFieldType, `"xs" is a string; want a list or an object, of which each makes a row`},
		{"an empty list", "reward=.", "xs", `{"xs":[]}`, dialect.CodeNoRows, `"xs" is empty; want at least one part`},
		{"the second part", "reward=.r", "xs", `{"xs":[{"r":1},{"r":{}}]}`, dialect.CodeFieldType, `".r" is an object; want a number or a boolean`},
		{"no object", "prompt=q", "", `"text"`, dialect.CodeNotAnObject, "found a string; want an object"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := dialect.ParseMap([]string{c.rules}, c.each)
			if err != nil {
				t.Fatal(err)
			}
			before := make([]rollout.Row, 1, 8)
			rows, err := m.Rows(before, dialect.Record{JSON: []byte(c.record)})
			var e *dialect.Error
			if !errors.As(err, &e) || e.Code != c.code || e.Detail != c.detail {
				t.Errorf("got %v, want %s: %s", err, c.code, c.detail)
			}
			if len(rows) != 1 {
				t.Errorf("%d rows after an error, want the one before", len(rows))
			}
		})
	}
}

func TestParseMapRefuses(t *testing.T) {
	for _, c := range []struct{ name, rules, each, want string }{
		{"an unknown field", "score=x", "", `no field "score" to map to; there are rollout_id, scenario_id, group_id, rollout_index, prompt, messages, tools, ` +
			`final_text, finish_reason, logprob, n_tokens, reward, qwen_reward, judge_status, reason, judge_name, label_source, markers, privileged, ` +
			`model_version, markers.NAME, privileged.NAME and extra.NAME`},
		{"a gate", "rollmill_gate=x", "", `no field "rollmill_gate"`},
		{"extra as a whole", "extra=x", "", `no field "extra"`},
		{"a marker without a name", "markers.=x", "", `no field "markers."`},
		{"no path", "prompt=", "", `map "prompt=" is not field=path`},
		{"no field", "=x", "", "is not field=path"},
		{"no rule", "prompt", "", "is not field=path"},
		{"an empty rule", "prompt=x,", "", "is not field=path"},
		{"twice", "prompt=x,prompt=y", "", `"prompt" is mapped twice`},
		{"two spellings", "scenario_id=x,task_id=y", "", `"task_id" is mapped twice`},
		{"an empty name", "prompt=a..b", "", `path "a..b" has an empty name`},
		{"a part without each", "prompt=.a", "", "needs --each"},
		{"each of a part", "prompt=a", ".x", "must start at a member of the record"},
		{"each of nothing", "prompt=a", "x,", "an empty path"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := dialect.ParseMap([]string{c.rules}, c.each); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}
