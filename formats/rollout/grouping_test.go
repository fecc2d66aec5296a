package rollout_test

import (
	"testing"

	"github.com/rollmill/rollmill/formats/rollout"
)

func TestGrouping(t *testing.T) {
	for record, want := range map[string][4]string{ // by task, prompt, prompt key, task id
		`{"scenario_id":"s","task_id":"t","prompt":" P  q"}`: {"s", " P  q", "p q", "s"},
		`{"scenario_id":"","task_id":"t","prompt":"p"}`:      {"t", "p", "p", "t"},
		`{"task_id":0,"prompt":"p"}`:                         {"p", "p", "p", ""},
		`{"task_id":17}`:                                     {"17", "", "", "17"},
		`{}`:                                                 {"", "", "", ""},
		`{"prompt":null}`:                                    {"", "", "", ""},
	} {
		row := decoded(t, record)
		for i, g := range []rollout.Grouping{rollout.ByTask, rollout.ByPrompt, rollout.ByPromptKey, rollout.ByTaskID} {
			if got := g.Key(row); got != want[i] {
				t.Errorf("%s: by %s %q, want %q", record, g, got, want[i])
			}
			if back, err := rollout.ParseGrouping(g.String()); back != g || err != nil {
				t.Errorf("ParseGrouping(%s) = %v, %v", g, back, err)
			}
		}
	}
	if _, err := rollout.ParseGrouping("ask"); err == nil {
		t.Error("ask was read as a grouping")
	}
}
