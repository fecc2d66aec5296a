package stats_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/rollmill/rollmill/stats"
)

// The functions of vectors_test.go whose answers are reports.

func asRow(t *testing.T, v any) row {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return decode(t, raw).(row)
}

func passAt(t *testing.T, a row) any {
	report := must[*stats.PassReport](t)(stats.PassAt(passInput(rowsOf(a["rows"])), stats.PassOptions{
		K: integer(a, "k", 0), MinK: integer(a, "min_k", 0), UnanimousShort: a["unanimous_short"] == true,
	}))
	out := asRow(t, report)
	perTask := row{}
	for _, m := range report.PerTask {
		raw, _ := json.Marshal(m.Mean)
		perTask[m.Key] = json.Number(raw)
	}
	codes := []any{}
	for _, f := range report.Findings {
		if f.Code != stats.CodeUnscored { // stands beside the note, not in it
			codes = append(codes, string(f.Code))
		}
	}
	out["per_task"], out["note_codes"], out["str"] = perTask, codes, report.String()
	return out
}

// rowsFromRates makes k rewards a task, the first round(rate*k) of them 1.
func rowsFromRates(a row) []row {
	k := integer(a, "k", 0)
	var out []row
	for _, x := range a["rates"].([]any) {
		x := x.([]any)
		ones := int(stats.Round(number(x[1]).V*float64(k), 0))
		for i := range k {
			reward, honest := json.Number("0"), json.Number("0.1")
			if i < ones {
				reward, honest = "1", "0.9"
			}
			out = append(out, row{"task_id": x[0], "reward": reward, "markers": row{"honest": honest}})
		}
	}
	return out
}

func holdoutSize(t *testing.T, a row) any {
	o := stats.HoldoutOptions{
		Base: number(a["base"]), K: integer(a, "k", 0), Power: f64(a, "power", 0), Alpha: f64(a, "alpha", 0),
		TaskStd: f64(a, "task_std", 0), Ceiling: f64(a, "ceiling_pass_rate", 0),
	}
	if a["before"] != nil {
		o.Before = metricOf(rowsOf(a["before"]), stats.MetricPassAt1).Tasks
	}
	if a["after"] != nil {
		o.After = metricOf(rowsOf(a["after"]), stats.MetricPassAt1).Tasks
	}
	return must[*stats.HoldoutReport](t)(stats.HoldoutSize(f64(a, "effect", 0), o))
}

func detectableEffect(t *testing.T, a row) any {
	return must[stats.Null[float64]](t)(stats.DetectableEffect(integer(a, "n_tasks", 0), stats.DetectableOptions{
		Base: number(a["base"]), K: integer(a, "k", 0), Power: f64(a, "power", 0), Alpha: f64(a, "alpha", 0),
	}))
}

type agreementWithCount struct {
	*stats.AgreementReport
	Warnings int `json:"n_warnings"`
}

func agreement(rows []row, allowModelGold bool) any {
	r := stats.Agree(pairsOf(rows), stats.AgreementOptions{AllowModelGold: allowModelGold})
	return agreementWithCount{r, len(r.Warnings)}
}

func judgeTrust(t *testing.T, a row) any {
	r := stats.Trust(stats.TrustInput{Rows: trustRows(confusionRows(a))}, stats.TrustOptions{
		MinAgreement: f64(a, "min_agreement", 0), MinKappa: f64(a, "min_kappa", 0),
	})
	return map[string]any{
		"ok": r.OK, "headline": r.Headline, "agreement": r.Agreement.Agreement, "ci95": r.Agreement.CI95, "kappa": r.Agreement.Kappa,
		"half_a_n": r.Halves.A.N, "half_a_agreement": r.Halves.A.Agreement,
		"half_b_n": r.Halves.B.N, "half_b_agreement": r.Halves.B.Agreement,
		"gold_degenerate": r.GoldDegenerate, "label_more": r.LabelMore, "n_disagreements": len(r.Disagreements),
	}
}

// annotated turns lists of labels an annotator into rows.
func annotated(a row) []stats.AnnotatedRow {
	labels := a["labels"].(row)
	names := []string{}
	for name := range labels {
		names = append(names, name)
	}
	slices.Sort(names)
	rows := make([]stats.AnnotatedRow, len(labels[names[0]].([]any)))
	for i := range rows {
		rows[i].Prompt = "ask " + string(rune('0'+i))
		for _, name := range names {
			rows[i].Labels = append(rows[i].Labels, stats.AnnotatorLabel{Annotator: name, Label: readerC(labels[name].([]any)[i])})
		}
	}
	return rows
}

func deltaReport(t *testing.T, a row) any {
	before, after := sideOf(rowsOf(a["before"])), sideOf(rowsOf(a["after"]))
	switch seeds := a["train_runs"].(type) {
	case []any:
		after.TrainRuns = runsOf(seeds, "seed_")
	case row:
		if seeds["before"] != nil {
			before.TrainRuns = runsOf(seeds["before"], "seed_")
		}
		if seeds["after"] != nil {
			after.TrainRuns = runsOf(seeds["after"], "seed_")
		}
	}
	report := must[*stats.DeltaReport](t)(stats.Delta(before, after, stats.DeltaOptions{
		Target: text(a["target"]), Proxy: text(a["proxy"]), MustNotRegress: listOf(a, "must_not_regress"),
		RunStd: number(a["run_std"]), RunStdRuns: integer(a, "run_std_runs", 0),
		Draws: integer(a, "n_boot", 0), Seed: int64(integer(a, "seed", 0)),
	}))
	out := asRow(t, report)
	out["repeats_note"] = report.Repeats.Note
	return out
}
