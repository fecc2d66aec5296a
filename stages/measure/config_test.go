package measure_test

import (
	"encoding/json"
	"testing"

	"github.com/rollmill/rollmill/stages/measure"
	"github.com/rollmill/rollmill/stats"
)

// What all rows agree on is told; what they differ in is listed; rows that do not
// say are not asked.
func TestConfig(t *testing.T) {
	for _, c := range []struct {
		name string
		rows []string
		want string
	}{
		{"nothing", []string{`{}`}, `{"temperature":null,"max_tokens":null,"policy_version":null,"judge_version":null,"prompt_hash":null,` +
			`"user_model":null,"writer_model":null,"mixed":[]`},
		{"agreed", []string{
			`{"sampling":{"temperature":0.70,"max_tokens":512},"policy_version":"m@abc@d","judge_meta":{"version":"v2"},"lineage":{"judge_version":"v1"},"user_model":"u","writer_model":"w"}`,
			`{"sampling":{"temperature":0.7},"writer_model":"pinned","judge_meta":[],"lineage":{"judge_version":"v2"}}`,
			`{"sampling":null}`,
		}, `{"temperature":0.7,"max_tokens":512,"policy_version":"m@abc@d","judge_version":"v2","prompt_hash":"abc@d",` +
			`"user_model":"u","writer_model":"w","mixed":[]`},
		{"mixed", []string{
			`{"sampling":{"temperature":1,"max_tokens":1},"policy_version":"m","lineage":{"system_prompt_sha":"a"},"user_model":7,"writer_model":"pinned"}`,
			`{"sampling":{"temperature":1,"max_tokens":2},"policy_version":"m@b"}`,
		}, `{"temperature":1,"max_tokens":null,"policy_version":null,"judge_version":null,"prompt_hash":null,` +
			`"user_model":null,"writer_model":null,"mixed":["max_tokens","policy_version","prompt_hash"]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := measure.Options{Config: true}
			rows := decodeLines(t, o.Fields(), c.rows...)
			r := scattered(rows, 3, func() *measure.Accumulator { return measure.New(o) }).Result()
			got, err := json.Marshal(r.Config)
			if err != nil || len(got) < len(c.want) || string(got[:len(c.want)]) != c.want {
				t.Errorf("got %s, %v\nwant %s", got, err, c.want)
			}
		})
	}
}

func TestReplies(t *testing.T) {
	for _, c := range []struct {
		name string
		line string
		want stats.RunCounts
	}{
		{"nothing", `{}`, stats.RunCounts{}},
		{"blank", `{"final_text":" \n"}`, stats.RunCounts{Replies: 1}},
		{"said", `{"final_text":"yes"}`, stats.RunCounts{Replies: 1, Answered: 1}},
		{"thought", `{"final_text":"<think>hm</think> \n"}`, stats.RunCounts{Replies: 1}},
		{"thought and said", `{"final_text":"a<think>hm</think><think></think>b"}`, stats.RunCounts{Replies: 1, Answered: 1}},
		{"thinking still", `{"final_text":"<think>hm</think> <think>hm"}`, stats.RunCounts{Replies: 1, Unclosed: 1}},
		{"said, and thinking still", `{"final_text":"so: <think>hm"}`, stats.RunCounts{Replies: 1, Answered: 1, Unclosed: 1}},
		{"in messages", `{"messages":[{"role":"assistant","content":"yes"},{"role":"user","content":"so?"}]}`, stats.RunCounts{Replies: 1, Answered: 1}},
		{"blank, and in messages", `{"final_text":"","messages":[{"role":"assistant","content":"yes"},{"role":"assistant","content":" "}]}`, stats.RunCounts{Replies: 1, Answered: 1}},
		{"messages without a word", `{"messages":[{"role":"user","content":"so?"}]}`, stats.RunCounts{Replies: 1}},
		{"cut", `{"finish_reason":"length"}`, stats.RunCounts{Finished: 1, Truncated: 1}},
		{"finished", `{"finish_reason":"stop","reward":0.5}`, stats.RunCounts{Finished: 1, Graded: 1}},
		{"graded before", `{"reward":"1","qwen_reward":0}`, stats.RunCounts{Graded: 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := measure.Options{Config: true}
			a := measure.New(o)
			a.Add(decodeLines(t, o.Fields(), c.line))
			c.want.Rows = 1
			if got := a.Result().Config.Counts; got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}
