package measure_test

import (
	"testing"

	"github.com/rollmill/rollmill/stages/measure"
	"github.com/rollmill/rollmill/stats"
)

// What a row is worth in pass@k (Tasks) and in a comparison (Rate): a task of
// one row, as passes of verdicts, unscored and invalid ones.
func TestVerdict(t *testing.T) {
	half := stats.Of(0.5)
	for _, c := range []struct {
		name                        string
		line                        string
		threshold                   stats.Null[float64]
		passes, n, unscored, invald int
		rate                        int // rows in a comparison
	}{
		{name: "pass", line: `{"reward":1}`, passes: 1, n: 1, rate: 1},
		{name: "fail", line: `{"reward":0.0}`, n: 1, rate: 1},
		{name: "text", line: `{"reward":" 1e0 "}`, passes: 1, n: 1, rate: 1},
		{name: "nothing", line: `{}`, unscored: 1},
		{name: "null", line: `{"reward":null}`, unscored: 1},
		{name: "partial", line: `{"reward":0.5}`, invald: 1},
		{name: "boolean", line: `{"reward":true}`, invald: 1},
		{name: "out of range", line: `{"reward":1.5}`, invald: 1},
		{name: "timeout with a zero", line: `{"reward":0,"judge_status":"timeout"}`, unscored: 1},
		{name: "timeout in capitals", line: `{"reward":0,"judge_status":"Status.TIMEOUT"}`, unscored: 1},
		{name: "unknown status with a zero", line: `{"reward":0,"judge_status":"crashed"}`, unscored: 1},
		{name: "ok in capitals", line: `{"reward":0,"judge_status":"OK"}`, n: 1, rate: 1},
		{name: "unreadable result", line: `{"judge_status":"invalid_result"}`, invald: 1},
		{name: "overwritten verdict", line: `{"reward":null,"qwen_reward":1}`, passes: 1, n: 1},
		{name: "overwritten after a timeout", line: `{"judge_status":"timeout","qwen_reward":0}`, n: 1},
		{name: "overwritten partial", line: `{"qwen_reward":0.5}`, invald: 1},
		{name: "both", line: `{"reward":0,"qwen_reward":1}`, n: 1, rate: 1},
		{name: "threshold, above", line: `{"reward":0.5}`, threshold: half, passes: 1, n: 1, rate: 1},
		{name: "threshold, below", line: `{"reward":0.4}`, threshold: half, n: 1, rate: 1},
		{name: "threshold, boolean", line: `{"reward":true}`, threshold: half, invald: 1},
		{name: "threshold, timeout", line: `{"reward":1,"judge_status":"error"}`, threshold: half, unscored: 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := measure.Options{Pass: c.threshold}
			a := measure.New(o)
			a.Add(decodeLines(t, o.Fields(), c.line))
			r := a.Result()
			want := stats.Task{Passes: c.passes, N: c.n, Unscored: c.unscored, Invalid: c.invald}
			if got := r.Tasks()[0]; got != want {
				t.Errorf("task %+v, want %+v", got, want)
			}
			if got := r.Rate(); got.Rows != c.rate || c.rate > 0 && got.AtOne != c.passes {
				t.Errorf("metric %+v, want %d rows", got, c.rate)
			}
		})
	}
}

// Tasks come as they were first given a verdict, which decides what a bootstrap
// draws; those without any come last.
func TestOrderOfTasks(t *testing.T) {
	r := count(t, keyed, []record{
		{"task_id": "late", "reward": nil}, {"task_id": "never", "reward": nil}, {"task_id": "b", "qwen_reward": 1},
		{"task_id": "a", "reward": 0, "markers": record{"m": "x"}}, {"task_id": "late", "reward": 1, "markers": record{"m": 0.25}},
		{"task_id": "b", "reward": 1}, {"task_id": "a", "reward": 1, "markers": record{"m": true}}, {"task_id": "a", "reward": 0, "markers": record{"m": 0.5}},
	})
	var tasks []string
	for _, task := range r.Tasks() {
		tasks = append(tasks, task.Key)
	}
	if got, want := join(tasks), "b a late never"; got != want {
		t.Errorf("pass@k reads %s, want %s", got, want)
	}
	rate := r.Rate()
	if got, want := join(keys(rate)), "a late b"; got != want || rate.Tasks[0].N != 3 {
		t.Errorf("a comparison reads %s, want %s", got, want)
	}
	m := r.Markers()[0]
	if got, want := join(keys(m)), "late a"; got != want || m.Name != "marker:m" || m.Tasks[1].Mean != 0.75 || m.Rows != 3 || m.AtOne != 1 || m.Constant {
		t.Errorf("the marker is %+v, want %s", m, want)
	}
}

func keys(m stats.Metric) (list []string) {
	for _, t := range m.Tasks {
		list = append(list, t.Key)
	}
	return list
}

func join(words []string) string {
	s := ""
	for i, w := range words {
		if i > 0 {
			s += " "
		}
		s += w
	}
	return s
}
