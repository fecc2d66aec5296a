package measure_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rollmill/rollmill/stages/measure"
	"github.com/rollmill/rollmill/stats"
)

func TestFindings(t *testing.T) {
	many := func(n int, make func(i int) record) []record {
		list := []record{}
		for i := range n {
			r := make(i)
			r["task_id"], r["reward"] = "t", 1
			list = append(list, r)
		}
		return list
	}
	by := measure.Options{By: []measure.Field{field(t, "tag")}}
	for _, c := range []struct {
		name string
		o    measure.Options
		rows []record
		want []stats.Code
		text string
	}{
		{"all is well", by, []record{{"task_id": "a", "reward": 1, "tag": "x"}}, nil, ""},
		{"no task", measure.Options{}, []record{{"reward": 1}, {"task_id": "a", "reward": 1}}, []stats.Code{measure.CodeTaskless}, "1 rows name no task"},
		{"rewards", measure.Options{}, []record{{"task_id": "a", "reward": -1}, {"task_id": "a", "reward": 2}, {"task_id": "a", "reward": "x"}},
			[]stats.Code{measure.CodeInvalidReward}, "3 rewards are no number from 0 to 1 (2 outside, 1 something else)"},
		{"statuses", measure.Options{}, []record{{"task_id": "a", "judge_status": "Crash"}, {"task_id": "a", "judge_status": "timeout"}},
			[]stats.Code{measure.CodeUnknownStatus}, "they are unscored (crash, timeout)"},
		{"no slice", by, []record{{"task_id": "a", "reward": 1}}, []stats.Code{measure.CodeUnsaid}, "1 rows have no tag"},
		{"many slices", by, many(measure.MaxParts+1, func(i int) record { return record{"tag": i} }), []stats.Code{measure.CodeManyParts}, "tag has more than 1000 values"},
		{"many runs", measure.Options{Run: measure.EvalRun}, many(measure.MaxParts+1, func(i int) record { return record{"lineage": record{"eval_run": i}} }),
			[]stats.Code{measure.CodeManyParts}, "lineage.eval_run has more than 1000 values: no runs by it"},
		{"as many slices as there may be", by, many(measure.MaxParts, func(i int) record { return record{"tag": i} }), nil, ""},
		{"many markers", measure.Options{Markers: true},
			many(measure.MaxMarkers+1, func(i int) record { return record{"markers": record{fmt.Sprint(i): 1}} }), []stats.Code{measure.CodeManyMarkers}, "more than 256"},
		{"as many markers as there may be", measure.Options{Markers: true},
			many(measure.MaxMarkers, func(i int) record { return record{"markers": record{fmt.Sprint(i): 1}} }), nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := count(t, c.o, c.rows)
			findings := r.Findings()
			if !slices.Equal(codes(findings), c.want) {
				t.Fatalf("findings %v, want %v", codes(findings), c.want)
			}
			if len(c.want) > 0 && !strings.Contains(findings[0].Text, c.text) {
				t.Errorf("it says %q, want %q in it", findings[0].Text, c.text)
			}
			if slices.Contains(c.want, measure.CodeManyMarkers) && r.Markers() != nil {
				t.Error("markers were measured")
			}
			if slices.Contains(c.want, measure.CodeManyParts) && (r.Runs != nil || len(r.Slices) > 0 && r.Slices[0].Parts != nil) {
				t.Error("there are parts")
			}
		})
	}
}

// Slices and runs hold their own rows, in the order in which they were first seen.
func TestSlices(t *testing.T) {
	o := measure.Options{By: []measure.Field{field(t, "tag"), measure.Input}, Run: measure.EvalRun, Markers: true}
	r := count(t, o, []record{
		{"task_id": "a", "reward": 1, "tag": "y", "lineage": record{"eval_run": 2}, "markers": record{"m": 1}},
		{"task_id": "a", "reward": 0, "tag": "x", "lineage": record{"eval_run": 1}},
		{"task_id": "b", "reward": 0, "tag": "y", "lineage": record{"eval_run": 2}, "markers": record{"m": 0}},
		{"task_id": "b", "reward": nil, "tag": "y"},
		{"task_id": "c", "reward": 1},
	})
	if len(r.Slices) != 2 || len(r.Slices[0].Parts) != 2 || r.Slices[0].Unsaid != 1 {
		t.Fatalf("slices %+v", r.Slices)
	}
	y, x := r.Slices[0].Parts[0], r.Slices[0].Parts[1]
	if y.Label != "y" || y.Rows() != 3 || x.Label != "x" || x.Rows() != 1 {
		t.Errorf("%s %d, %s %d", y.Label, y.Rows(), x.Label, x.Rows())
	}
	if c := stats.CoverageOf(y.Tasks()); c.Tasks != 2 || c.Scored != 2 || c.Unscored != 1 {
		t.Errorf("coverage %+v", c)
	}
	if m := y.Markers(); len(m) != 1 || m[0].Rows != 2 {
		t.Errorf("markers %+v", m)
	}
	if inputs := r.Slices[1]; len(inputs.Parts) != 1 || inputs.Parts[0].Label != "0" || inputs.Parts[0].Rows() != 5 {
		t.Errorf("inputs %+v", inputs)
	}
	if len(r.Runs) != 2 || r.Runs[0].Label != "2" || r.Runs[1].Label != "1" || r.NoRun != 2 {
		t.Errorf("runs %+v, %d without", r.Runs, r.NoRun)
	}
}

func TestTaskField(t *testing.T) {
	o := measure.Options{Task: field(t, "lineage.parent"), Keys: true}
	r := count(t, o, []record{
		{"task_id": "a", "reward": 1, "lineage": record{"parent": "p"}},
		{"task_id": "b", "reward": 0, "lineage": record{"parent": "p"}},
		{"task_id": "c", "reward": 0},
	})
	want := []stats.Task{{Key: "p", Passes: 1, N: 2}, {Key: "", N: 1}}
	if got := r.Tasks(); !slices.Equal(got, want) {
		t.Errorf("tasks %+v, want %+v", got, want)
	}
}

// A prompt that serves as a key is kept by its beginning and a hash.
func TestLongKeys(t *testing.T) {
	long := reply(measure.MaxKey)
	r := count(t, measure.Options{Keys: true}, []record{
		{"prompt": long + "a", "reward": 1}, {"prompt": long + "b", "reward": 0}, {"prompt": long + "a", "reward": 0}, {"prompt": long[:measure.MaxKey], "reward": 1},
	})
	tasks := r.Tasks()
	if len(tasks) != 3 || tasks[0].N != 2 || tasks[0].Key == tasks[1].Key || tasks[2].Key != long[:measure.MaxKey] {
		t.Fatalf("tasks %+v", tasks)
	}
	for _, task := range tasks[:2] {
		if len(task.Key) > measure.MaxKey || !strings.HasPrefix(task.Key, long[:200]) || strings.ToValidUTF8(task.Key, "") != task.Key {
			t.Errorf("key %q", task.Key)
		}
	}
}

// Where all tasks are alike a bootstrap sees no spread.
func TestBounds(t *testing.T) {
	p := must[[]*stats.PassReport](t)(count(t, measure.Options{}, trials(-1, times(10, 0, 0, 1, 0)...)).PassAt(measure.PassOptions{}, 4))[0]
	got := measure.BoundsOf(p)
	if got.PassAt1.Valid || got.K != 4 || !got.Any() {
		t.Errorf("%+v", got)
	}
	if got.PassPowK != stats.Wilson(0, 10, stats.Z95) || got.PassAtK != stats.Wilson(10, 10, stats.Z95) {
		t.Errorf("%+v", got)
	}
	if measure.BoundsOf(&stats.PassReport{}).Any() {
		t.Error("an empty report is at a bound")
	}
}
