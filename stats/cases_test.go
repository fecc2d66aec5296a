package stats_test

import (
	"bufio"
	"encoding/json"
	"math"
	"os"
	"strconv"
	"testing"

	"github.com/rollmill/rollmill/stats"
)

// TestCases runs the cases from practice: inputs on which other tools of this
// kind gave wrong figures.
func TestCases(t *testing.T) {
	f, err := os.Open("testdata/cases.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	n := 0
	for lines.Scan() {
		c := decode(t, lines.Bytes()).(row)
		in, want := c["input"].(row), c["expected"].(row)
		run, known := caseOps[text(in["op"])]
		if !known {
			t.Errorf("%s: no function for %s", c["id"], in["op"])
			continue
		}
		n++
		t.Run(text(c["id"]), func(t *testing.T) { run(t, in, want) })
	}
	if n != 12 {
		t.Errorf("ran %d cases, want 12", n)
	}
}

// near holds a number against one that the case gives with 6 decimals, and null
// against null.
func near(t *testing.T, what string, got stats.Null[float64], want any) {
	t.Helper()
	w := number(want)
	if got.Valid != w.Valid || math.Abs(got.V-w.V) > 1e-6 {
		t.Errorf("%s: got %+v, want %v", what, got, want)
	}
}

// tasksOf reads [[n, c], ...].
func tasksOf(v any) []stats.Task {
	var out []stats.Task
	for i, g := range v.([]any) {
		p := floats(g)
		out = append(out, stats.Task{Key: strconv.Itoa(i), N: int(p[0]), Passes: int(p[1])})
	}
	return out
}

// at is pass@k and pass^k of groups, at every k without a floor.
func at(t *testing.T, tasks []stats.Task, k int) *stats.PassReport {
	t.Helper()
	r, err := stats.PassAt(stats.PassInput{Tasks: tasks}, stats.PassOptions{K: k, MinK: 1})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

var caseOps = map[string]func(t *testing.T, in, want row){
	"pass_at_k": func(t *testing.T, in, want row) {
		k := integer(in, "k", 0)
		if attempts, ok := in["attempts"].([]any); ok {
			task := stats.Task{Key: "t"}
			for _, a := range attempts {
				if l := readerC(a); l == stats.NoLabel {
					task.Unscored++
				} else {
					task.N++
					task.Passes += int(l)
				}
			}
			r := at(t, []stats.Task{task}, k)
			near(t, "pass@k", r.PassAtK, want["value"])
			if task.N != integer(want, "n", -1) || task.Passes != integer(want, "c", -1) || r.Coverage.Unscored != integer(want, "unscored", -1) {
				t.Errorf("got %+v, coverage %+v, want %v", task, r.Coverage, want)
			}
			return
		}
		r := at(t, tasksOf(in["groups"]), k)
		near(t, "pass@k", r.PassAtK, want["value"])
		if want["value"] == nil && r.Findings[0].Code != stats.CodeNoGroupHasK {
			t.Errorf("findings %v do not say that n < k", r.Findings)
		}
	},
	"pass_at_k_table": func(t *testing.T, in, want row) {
		for _, k := range in["k"].([]any) {
			near(t, "pass@"+text(k), at(t, tasksOf(in["groups"]), int(number(k).V)).PassAtK, want[text(k)])
		}
	},
	"pass_hat_k": func(t *testing.T, in, want row) {
		near(t, "pass^k", at(t, tasksOf(in["groups"]), integer(in, "k", 0)).PassPowK, want["value"])
	},
	"summary": func(t *testing.T, in, want row) {
		byTask := map[string]int{}
		var tasks []stats.Task
		for _, x := range in["rollouts"].([]any) {
			r := x.(row)
			i, seen := byTask[text(r["task"])]
			if !seen {
				i = len(tasks)
				byTask[text(r["task"])] = i
				tasks = append(tasks, stats.Task{Key: text(r["task"])})
			}
			if l := readerC(r["reward"]); l != stats.NoLabel {
				tasks[i].N++
				tasks[i].Passes += int(l)
			} else {
				tasks[i].Unscored++
			}
		}
		r := at(t, tasks, integer(in, "k", 0))
		near(t, "pass^1", r.PassPowK, want["pass^1_over_scored_tasks"])
		bounds := floats(want["bounds_if_unscored_counted"])
		c := stats.Coverage{
			Tasks: integer(want, "tasks_total", -1), TasksScored: integer(want, "tasks_scored", -1), Scored: 1,
			Unscored: integer(want, "rollouts_unscored", -1), Bounds: stats.Of(stats.Interval{Low: bounds[0], High: bounds[1]}),
		}
		if r.Coverage != c {
			t.Errorf("coverage %+v, want %+v", r.Coverage, c)
		}
		const line = "pass@1 1.00 | pass^1 (pass_pow_k) 1.00 | pass@1 1.00 | headroom 0.00 (1 groups, k=1; " +
			"1 of 4 rollouts scored (3 unscored, 0 invalid) on 1 of 4 tasks, pass@1 0.25..1.00 if those counted; " +
			"no interval on 1 tasks, it needs 3: add tasks, not rollouts)"
		if r.String() != line {
			t.Errorf("printed %s\n   want %s", r, line)
		}
	},
	"interval": func(t *testing.T, in, want row) {
		for i, c := range in["cases"].([]any) {
			c, w := floats(c), want["wilson95"].([]any)[i].([]any)
			got := stats.Wilson(int(c[0]), int(c[1]), stats.NormalQuantile(0.975)) // not the rounded 1.96
			near(t, "low", stats.Of(got.V.Low), w[0])
			near(t, "high", stats.Of(got.V.High), w[1])
		}
	},
	"paired_difference": func(t *testing.T, in, want row) {
		a, b := tasksOf(in["baseline"]), tasksOf(in["candidate"])
		var differences []float64
		changed := 0
		for i := range a {
			differences = append(differences, b[i].Rate()-a[i].Rate())
			if a[i].Passes != b[i].Passes {
				changed++
			}
		}
		near(t, "mean", stats.Compare(stats.RateMetric(a), stats.RateMetric(b), stats.CompareOptions{}).Delta, want["mean"])
		near(t, "se", stats.StandardError(differences), want["se_by_task"])
		if changed != integer(want, "tasks_with_any_change", -1) {
			t.Errorf("%d tasks changed, want %v", changed, want["tasks_with_any_change"])
		}
	},
	"kappa": func(t *testing.T, in, want row) {
		got, err := stats.CohenKappa(floats(in["a"]), floats(in["b"]))
		if err != nil {
			t.Fatal(err)
		}
		near(t, "kappa", got.Kappa, want["kappa"])
		near(t, "agreement", got.Agreement, want["agreement"])
		if !got.OneLabel {
			t.Error("not flagged as one label")
		}
		if raw, err := json.Marshal(got); err != nil || string(raw) != `{"n":5,"agreement":1,"expected":1,"kappa":null,"one_label":true}` {
			t.Errorf("written as %s, %v", raw, err)
		}
	},
	"group_advantage": func(t *testing.T, in, want row) {
		got, err := stats.Redistribute(floats(in["rewards"]), nil, stats.GroupwiseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for i, w := range floats(want["advantages"]) {
			if got[i] != w {
				t.Errorf("advantages %v, want %v", got, want["advantages"])
			}
		}
		if stats.Spread(floats(in["rewards"])).OK {
			t.Error("a group without variance was not flagged")
		}
	},
}
