package measure_test

import (
	"testing"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/measure"
)

func TestField(t *testing.T) {
	const line = `{"scenario_id":"s","prompt":"p","rollout_index":3,"reward":0.50,"judge_status":"TIMEOUT","finish_reason":"stop",` +
		`"markers":{"polite":true,"a.b":1},"privileged":{"reference":{"n":42}},"lineage":{"eval_run":7,"x":{"y":"\u00e9\n"},"x":{"y":"z"}},` +
		`"tag":null,"list":[1, 2],"a.b":"dotted","flag":false,"odd":"\ud835"}`
	for _, c := range []struct {
		name, text, value string
		number            float64
	}{
		{"scenario_id", "s", `"s"`, 0},
		{"task_id", "s", `"s"`, 0},
		{"prompt", "p", `"p"`, 0},
		{"rollout_index", "3", "3", 3},
		{"reward", "0.50", "0.50", 0.5},
		{"judge_status", "timeout", `"timeout"`, 0},
		{"finish_reason", "stop", `"stop"`, 0},
		{"judge_name", "", "", 0},
		{"markers.polite", "true", "true", 0},
		{`markers.a\.b`, "1", "1", 1},
		{"markers.none", "", "", 0},
		{"privileged.reference.n", "42", "42", 42},
		{"lineage.eval_run", "7", "7", 7},
		{"lineage.x.y", "z", `"z"`, 0}, // the last of two counts
		{"lineage.eval_run.deeper", "", "", 0},
		{"tag", "", "null", 0},
		{"list", "[1, 2]", "[1, 2]", 0},
		{"list.0", "", "", 0},
		{`a\.b`, "dotted", `"dotted"`, 0},
		{"extra.flag", "false", "false", 0},
		{"nothing", "", "", 0},
		{"odd", "\ufffd", `"\ud835"`, 0},
		{"@input", "2", `"2"`, 0},
		{"@key", "s#3", `"s#3"`, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := field(t, c.name)
			r := &decodeLines(t, f.Fields(), line)[0] // only what it asks for
			r.Pos.Input = 2
			if got := f.Text(r); got != c.text {
				t.Errorf("text %q, want %q", got, c.text)
			}
			if got := f.Value(r); got.Text != c.value || got.Num != c.number {
				t.Errorf("value %+v, want %q and %v", got, c.value, c.number)
			}
			if f.Name() != c.name || f.IsZero() {
				t.Errorf("name %q", f.Name())
			}
		})
	}
}

func TestFieldErrors(t *testing.T) {
	for name, want := range map[string]string{
		"":             "measure: a field has no name",
		"messages":     `measure: field "messages" is no single value`,
		"markers":      `measure: field "markers" is no single value`,
		"privileged":   `measure: field "privileged" is no single value`,
		"markers.a.b":  `measure: field "markers.a.b": markers has no members`,
		"reward.x":     `measure: field "reward.x": reward has no members`,
		"lineage..run": `measure: field "lineage..run" has an empty name in it`,
	} {
		if f, err := measure.ParseField(name); err == nil || err.Error() != want {
			t.Errorf("%q: %v, %v; want %s", name, f, err, want)
		}
	}
	var none measure.Field
	if none.Text(&rollout.Row{}) != "" || none.Value(&rollout.Row{}).Text != "" || !none.IsZero() {
		t.Error("the zero field says something")
	}
}

// A run is named by lineage.eval_run; for the scatter of runs, scoring_run_id will do.
func TestRunFields(t *testing.T) {
	rows := decodeLines(t, rollout.AllFields, `{"lineage":{"eval_run":1,"scoring_run_id":"s"}}`, `{"lineage":{"eval_run":null,"scoring_run_id":"s"}}`,
		`{"lineage":{"eval_run":"","scoring_run_id":""}}`, `{"lineage":"text"}`, `{}`)
	for i, want := range [][2]string{{"1", "1"}, {"", "s"}, {"", ""}, {"", ""}, {"", ""}} {
		if got := [2]string{measure.EvalRun.Text(&rows[i]), measure.ScoringRun.Text(&rows[i])}; got != want {
			t.Errorf("row %d: %q, want %q", i, got, want)
		}
	}
}
