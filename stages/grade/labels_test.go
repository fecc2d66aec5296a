package grade_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/rollmill/rollmill/stages/grade"
	"github.com/rollmill/rollmill/stats"
)

func TestReadLabels(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []stats.KeyedLabel
	}{
		{"records", `{"key":"a","label":1,"annotator":"ann","kind":"human","ts":"2026","note":"n"}
			{"rollout_id":"b","reward":0}

			{"scenario_id":"t","rollout_index":2,"gold_reward":1}`, []stats.KeyedLabel{
			{Key: "a", GoldLabel: stats.GoldLabel{Label: stats.Pass, Annotator: "ann", Kind: "human", TS: "2026", Note: "n"}},
			{Key: "b", GoldLabel: stats.GoldLabel{Label: stats.Fail}},
			{Key: "t#2", GoldLabel: stats.GoldLabel{Label: stats.Pass}},
		}},
		{"no numbers", `{"key":"a","label":"1"}` + "\n" + `{"key":"b","label":true}` + "\n" + `{"key":"c","label":null,"reward":1}`, []stats.KeyedLabel{
			{Key: "a", GoldLabel: stats.GoldLabel{Label: stats.NoLabel}},
			{Key: "b", GoldLabel: stats.GoldLabel{Label: stats.NoLabel}},
			{Key: "c", GoldLabel: stats.GoldLabel{Label: stats.Pass}},
		}},
		{"prompt and reply", `{"prompt":"What is 2+2?","final_text":"4","label":1}`, []stats.KeyedLabel{
			{Key: "f78fd1e486757747", GoldLabel: stats.GoldLabel{Label: stats.Pass}},
		}},
		{"a map", "{\n\"a\": 1,\n\"b\": 0.5\n}\n", []stats.KeyedLabel{
			{Key: "a", GoldLabel: stats.GoldLabel{Label: stats.Pass}},
			{Key: "b", GoldLabel: stats.GoldLabel{Label: stats.NoLabel}},
		}},
		{"nothing", "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := grade.ReadLabels(strings.NewReader(c.text))
			if err != nil || len(got) != len(c.want) {
				t.Fatalf("got %+v, %v", got, err)
			}
			for i := range got {
				if got[i] != c.want[i] {
					t.Errorf("label %d: got %+v, want %+v", i, got[i], c.want[i])
				}
			}
		})
	}
	_, err := grade.ReadLabels(strings.NewReader("{\"key\":\"a\",\"label\":1}\n{broken\n"))
	if bad, ok := errors.AsType[*grade.LabelError](err); !ok || bad.Record != 2 {
		t.Errorf("got %v", err)
	}
}

func TestAttachLabels(t *testing.T) {
	rows := decode(t,
		`{"rollout_id":"a","scenario_id":"t","rollout_index":0}`,
		`{"scenario_id":"t","rollout_index":1,"gold_labels":[{"label":0,"annotator":"ann","kind":"human","note":"n"}],"gold_reward":0,"gold_kind":"human"}`,
		`{"rollout_id":"c"}`,
	)
	labels, err := grade.ReadLabels(strings.NewReader(`{"key":"t#0","label":1}
		{"key":"t#1","label":1,"annotator":"bob","kind":"verifier"}
		{"key":"z","label":1}
		{"key":"c","label":"x"}`))
	if err != nil {
		t.Fatal(err)
	}
	report, err := grade.AttachLabels(rows, labels, stats.AttachOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if report.Labels != 4 || report.Matched != 2 || report.Unmatched != 1 || report.Invalid != 1 || report.RowsLabeled != 2 || report.Ties != 1 {
		t.Errorf("report %+v", report)
	}
	for i, want := range []string{
		`{"rollout_id":"a","scenario_id":"t","rollout_index":0,"gold_labels":[{"label":1,"annotator":"unknown","kind":"human"}],"gold_reward":1,"gold_kind":"human"}`,
		`{"scenario_id":"t","rollout_index":1,"gold_labels":[{"label":0,"annotator":"ann","kind":"human","note":"n"},{"label":1,"annotator":"bob","kind":"program"}],"gold_reward":null,"gold_kind":null}`,
		`{"rollout_id":"c"}`,
	} {
		if got := string(rows[i].AppendLine(nil)); got != want {
			t.Errorf("row %d:\ngot  %s\nwant %s", i, got, want)
		}
	}
	if _, err := grade.AttachLabels(rows, labels, stats.AttachOptions{Kind: "god"}); err == nil {
		t.Error("no error for a kind that is none")
	}
}
