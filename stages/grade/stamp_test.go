package grade_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/grade"
)

// fixed is a grader that always says the same.
func fixed(info grade.Info, r grade.Result) grade.Grader {
	return grade.Func(info, func(context.Context, *rollout.Row) (grade.Result, error) { return r, nil })
}

// TestStamp writes verdicts to rows (spec of rows, section 2.2).
func TestStamp(t *testing.T) {
	ruler := grade.Info{Name: "numeric", Version: "1", Kind: grade.Rule, Pure: true}
	asked := grade.Info{Name: "judge:m", Version: "m@1", Kind: grade.Judge, Model: "m", Pure: true}
	evidence := grade.Fail("wrong")
	evidence.Meta = []rollout.Member{{Name: "confidence", JSON: "0.9"}, {Name: "version", JSON: `"lie"`}}
	evidence.Class = grade.Arithmetic
	evidence.Markers = []rollout.Marker{{Name: "a", Value: rollout.Number(0.5)}, {Name: "c", Value: rollout.Number(1)}}
	run1 := []grade.Option{grade.RunID("r1")}

	for _, c := range []struct {
		name   string
		row    string
		grader grade.Grader
		opts   []grade.Option
		want   string
	}{
		{"new fields behind the others", `{"prompt":"p", "x":1.0}`, fixed(ruler, grade.Pass("")), run1,
			`{"prompt":"p", "x":1.0,"reward":1,"judge_status":"ok","judge_name":"numeric","judge_meta":{"verifier":"numeric","version":"1","scorer_kind":"rule"},` +
				`"lineage":{"scoring_run_id":"r1","source":"grade","judge":"numeric","judge_version":"1","parent":"row_1"}}`},
		{"in place, and stale words go", `{"reason":"old","reward": 0.0 ,"scenario_id":"t","judge_status":"error","failure_class":"arithmetic"}`,
			fixed(ruler, grade.Pass("")), run1,
			`{"reward": 1 ,"scenario_id":"t","judge_status":"ok","failure_class":null,"judge_name":"numeric","judge_meta":{"verifier":"numeric","version":"1","scorer_kind":"rule"},` +
				`"lineage":{"scoring_run_id":"r1","source":"grade","judge":"numeric","judge_version":"1","parent":"t"}}`},
		{"lineage, markers, evidence", `{"rollout_id":"i","markers":{"a":1,"b":1},"lineage":{"scoring_run_id":"r0","parent_task_id":"q","judge":"x"}}`,
			fixed(asked, evidence), append(run1, grade.Source("eval")),
			`{"rollout_id":"i","markers":{"a":0.5,"b":1,"c":1},` +
				`"lineage":{"parent_task_id":"q","scoring_run_id":"r1","source":"eval","judge":"judge:m","model":"m","judge_version":"m@1","parent":"i","prior_scoring_run_id":"r0"},` +
				`"reward":0,"judge_status":"ok","reason":"wrong","judge_name":"judge:m","judge_meta":{"confidence":0.9,"version":"m@1"},"failure_class":"arithmetic"}`},
		{"as a marker", `{"reward":1,"markers":{"a":1}}`, fixed(ruler, grade.Score(0.25, "why")), []grade.Option{grade.AsMarker("m")},
			`{"reward":1,"markers":{"a":1,"m":0.25}}`},
		{"no verdict, no marker", `{"reward":1}`, fixed(ruler, grade.CannotJudge("x")), []grade.Option{grade.AsMarker("m")}, `{"reward":1}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			lines, err := run(t, decode(t, c.row), grade.Stage(c.grader, c.opts...))
			if err != nil {
				t.Fatal(err)
			}
			if lines[0] != c.want {
				t.Errorf("got  %s\nwant %s", lines[0], c.want)
			}
		})
	}
}

// TestRunID names a grading by what does it, so that the bytes are the same.
func TestRunID(t *testing.T) {
	id := func(info grade.Info) string {
		lines, err := run(t, decode(t, `{}`), grade.Stage(fixed(info, grade.Pass(""))))
		if err != nil {
			t.Fatal(err)
		}
		_, rest, _ := strings.Cut(lines[0], `"scoring_run_id":"`)
		id, _, _ := strings.Cut(rest, `"`)
		return id
	}
	a := id(grade.Info{Name: "a", Version: "1"})
	if !strings.HasPrefix(a, "score_") || len(a) != len("score_")+12 || a != id(grade.Info{Name: "a", Version: "1"}) || a == id(grade.Info{Name: "a", Version: "2"}) {
		t.Errorf("run %q", a)
	}
}

func TestRegrade(t *testing.T) {
	if _, err := grade.Regrade(fixed(grade.Info{Name: "world"}, grade.Pass(""))); !errors.Is(err, grade.ErrNotPure) || !strings.Contains(err.Error(), "world") {
		t.Errorf("got %v", err)
	}
	first, err := run(t, decode(t, `{"scenario_id":"t"}`), grade.Stage(fixed(grade.Info{Name: "a"}, grade.Pass("")), grade.RunID("r1")))
	if err != nil {
		t.Fatal(err)
	}
	again, err := grade.Regrade(fixed(grade.Info{Name: "b", Pure: true}, grade.CannotJudge("no reference")), grade.RunID("r2"))
	if err != nil {
		t.Fatal(err)
	}
	second, err := run(t, decode(t, first[0]), again)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"scenario_id":"t","reward":null,"judge_status":"invalid_result","judge_name":"b","judge_meta":{},` +
		`"lineage":{"scoring_run_id":"r2","source":"grade","judge":"b","parent":"t","prior_scoring_run_id":"r1"},"reason":"no reference"}`
	if second[0] != want {
		t.Errorf("got  %s\nwant %s", second[0], want)
	}
}

// TestMistakes panics where the program is wrong.
func TestMistakes(t *testing.T) {
	pass := fixed(grade.Info{Name: "a"}, grade.Pass(""))
	for name, mistake := range map[string]func(){
		"no function":  func() { grade.Func(grade.Info{Name: "a"}, nil) },
		"no name":      func() { fixed(grade.Info{}, grade.Pass("")) },
		"no contract":  func() { grade.ContractFunc(grade.Info{Name: "a"}, grade.Scale{}, nil) },
		"no workers":   func() { grade.Stage(pass, grade.Workers(0)) },
		"no calls":     func() { grade.Stage(pass, grade.InFlight(0)) },
		"no time":      func() { grade.Stage(pass, grade.Timeout(0)) },
		"no marker":    func() { grade.Stage(pass, grade.AsMarker("")) },
		"scale upside": func() { grade.Verdict(1, grade.Scale{Low: 2, High: 1}) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if v := recover(); v == nil || !strings.HasPrefix(v.(string), "grade: ") {
					t.Errorf("panic %v", v)
				}
			}()
			mistake()
		})
	}
}
