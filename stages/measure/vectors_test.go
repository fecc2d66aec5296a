package measure_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/measure"
	"github.com/rollmill/rollmill/stats"
)

// The vectors that start from rows go the whole way here: text of a row, decoder,
// accumulators that were filled out of order and merged, report. Package stats
// holds the other ones.

var vectorCounts = map[string]int{
	"task_key": 7, "row_key": 5, "pass_at": 18, "metric_summary": 3, "eval_variance": 2, "eval_variance_single": 2,
	"compare_runs": 17, "eval_power": 6, "holdout_size": 9, "judge_agreement": 8, "judge_agreement_rows": 1,
	"judge_trust": 15, "length_sensitivity": 2, "delta_report": 26,
}

// exactKeys are the members that are rounded, and so must be equal to the last
// digit; "*" is the whole answer.
var exactKeys = map[string][]string{
	"judge_agreement": {"*"}, "judge_agreement_rows": {"*"}, "eval_variance": {"*"}, "eval_variance_single": {"*"},
	"holdout_size": {"task_std", "half_width", "base_spread"},
	"eval_power":   {"base", "task_spread", "task_std", "resolvable"},
	"judge_trust":  {"kappa", "agreement", "half_a_agreement", "half_b_agreement"},
	"delta_report": {"detectable_effect", "family_error"},
}

func TestVectors(t *testing.T) {
	raw, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Vectors []struct {
			ID   string          `json:"id"`
			Fn   string          `json:"fn"`
			Args json.RawMessage `json:"args"`
			Want json.RawMessage `json:"want"`
		} `json:"vectors"`
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	ran := map[string]int{}
	for _, v := range file.Vectors {
		run, known := functions[v.Fn]
		if !known {
			t.Errorf("%s: no function for %q", v.ID, v.Fn)
			continue
		}
		ran[v.Fn]++
		t.Run(v.ID, func(t *testing.T) {
			got, err := json.Marshal(run(t, parse(t, v.Args).(record)))
			if err != nil {
				t.Fatal(err)
			}
			compare(t, "", parse(t, got), parse(t, v.Want), exactKeys[v.Fn])
		})
	}
	if !maps.Equal(ran, vectorCounts) {
		t.Errorf("ran %v, want %v", ran, vectorCounts)
	}
}

// compare holds an answer against the wanted one: members that are not wanted
// are not looked at.
func compare(t *testing.T, path string, got, want any, exact []string) {
	t.Helper()
	switch want := want.(type) {
	case record:
		g, ok := got.(record)
		if !ok {
			t.Errorf("%s: got %v, want %v", path, got, want)
			return
		}
		for _, k := range slices.Sorted(maps.Keys(want)) {
			if _, has := g[k]; !has {
				t.Errorf("%s.%s is missing", path, k)
				continue
			}
			compare(t, path+"."+k, g[k], want[k], exact)
		}
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(want) {
			t.Errorf("%s: got %v, want %v", path, got, want)
			return
		}
		for i := range want {
			compare(t, fmt.Sprintf("%s[%d]", path, i), g[i], want[i], exact)
		}
	case json.Number:
		g, ok := got.(json.Number)
		if !ok {
			t.Errorf("%s: got %v, want %v", path, got, want)
			return
		}
		x, _ := g.Float64()
		y, _ := want.Float64()
		key := path[strings.LastIndex(path, ".")+1:]
		tolerance := 1e-9 * max(1, math.Abs(y))
		if slices.Contains(exact, "*") || slices.Contains(exact, key) || !strings.ContainsAny(want.String(), ".eE") {
			tolerance = 0
		}
		if math.Abs(x-y) > tolerance {
			t.Errorf("%s: got %v, want %v", path, g, want)
		}
	default:
		if got != want {
			t.Errorf("%s: got %v, want %v", path, got, want)
		}
	}
}

// Readers of arguments.

func number(v any) stats.Null[float64] {
	n, ok := v.(json.Number)
	if !ok {
		return stats.Null[float64]{}
	}
	f, err := n.Float64()
	return stats.Null[float64]{V: f, Valid: err == nil}
}

func integer(a record, name string) int     { return int(number(a[name]).V) }
func decimal(a record, name string) float64 { return number(a[name]).V }

func text(v any) string { s, _ := v.(string); return s }

func names(a record, name string) []string {
	var out []string
	if list, ok := a[name].([]any); ok {
		for _, x := range list {
			out = append(out, text(x))
		}
	}
	return out
}

// withLength gives rows a reply in place of its length.
func withLength(list []record) []record {
	for _, r := range list {
		if n, ok := r["reply_length"]; ok {
			r["final_text"] = reply(int(number(n).V))
			delete(r, "reply_length")
		}
	}
	return list
}

// judgedRecords are tp, fp, fn and tn rows in that order.
func judgedRecords(a record) []record {
	if a["rows"] != nil {
		return withLength(records(a["rows"]))
	}
	var out []record
	add := func(n, reward, gold int) {
		for range n {
			r := record{"task_id": "s" + strconv.Itoa(len(out)), "reward": reward, "gold_reward": gold, "gold_kind": "human"}
			if kind, given := a["gold_kind"]; given {
				r["gold_kind"] = kind
			}
			out = append(out, r)
		}
	}
	add(integer(a, "tp"), 1, 1)
	add(integer(a, "fp"), 1, 0)
	add(integer(a, "fn"), 0, 1)
	add(integer(a, "tn"), 0, 0)
	return out
}

func trustInput(t testing.TB, list []record) stats.TrustInput {
	t.Helper()
	fresh := func() *measure.Labels { return measure.NewLabels(measure.LabelOptions{}) }
	return scattered(decode(t, fresh().Fields(), list), uint64(len(list)), fresh).Trust()
}

var keyed = measure.Options{Keys: true, Markers: true, Config: true}

var functions = map[string]func(t *testing.T, a record) any{
	"task_key": func(t *testing.T, a record) any {
		return count(t, keyed, []record{a["row"].(record)}).Tasks()[0].Key
	},
	"row_key": func(t *testing.T, a record) any {
		return measure.RowKey.Text(&decode(t, rollout.AllFields, []record{a["row"].(record)})[0])
	},
	"pass_at":        passAt,
	"metric_summary": metricSummary,
	"eval_variance": func(t *testing.T, a record) any {
		return must[*stats.VarianceReport](t)(stats.EvalVariance(runs(t, a["runs"], "run_"), "", 0))
	},
	"eval_variance_single": func(t *testing.T, a record) any {
		r := count(t, measure.Options{Run: measure.ScoringRun}, records(a["rows"]))
		return must[*stats.VarianceReport](t)(stats.EvalVariance(r.Runs, "", r.NoRun))
	},
	"compare_runs": func(t *testing.T, a record) any {
		metric := func(side string) stats.Metric { return ptr(count(t, keyed, records(a[side]))).Rate() }
		return stats.Compare(metric("a"), metric("b"), stats.CompareOptions{
			Draws: integer(a, "n_boot"), Seed: int64(integer(a, "seed")), Level: decimal(a, "level"),
		})
	},
	"eval_power": func(t *testing.T, a record) any {
		tasks := count(t, measure.Options{}, records(a["rows"])).Rate().Tasks
		return must[*stats.PowerReport](t)(stats.EvalPower(tasks, stats.PowerOptions{Effect: decimal(a, "effect")}))
	},
	"holdout_size": func(t *testing.T, a record) any {
		o := stats.HoldoutOptions{
			Base: number(a["base"]), K: integer(a, "k"), Power: decimal(a, "power"), Alpha: decimal(a, "alpha"),
			TaskStd: decimal(a, "task_std"), Ceiling: decimal(a, "ceiling_pass_rate"),
			Before: count(t, keyed, records(a["before"])).Rate().Tasks,
		}
		if a["after"] != nil {
			o.After = count(t, keyed, records(a["after"])).Rate().Tasks
		}
		return must[*stats.HoldoutReport](t)(stats.HoldoutSize(decimal(a, "effect"), o))
	},
	"judge_agreement":      agreement,
	"judge_agreement_rows": agreement,
	"judge_trust": func(t *testing.T, a record) any {
		r := stats.Trust(trustInput(t, judgedRecords(a)), stats.TrustOptions{
			MinAgreement: decimal(a, "min_agreement"), MinKappa: decimal(a, "min_kappa"),
		})
		return map[string]any{
			"ok": r.OK, "headline": r.Headline, "agreement": r.Agreement.Agreement, "ci95": r.Agreement.CI95, "kappa": r.Agreement.Kappa,
			"half_a_n": r.Halves.A.N, "half_a_agreement": r.Halves.A.Agreement,
			"half_b_n": r.Halves.B.N, "half_b_agreement": r.Halves.B.Agreement,
			"gold_degenerate": r.GoldDegenerate, "label_more": r.LabelMore, "n_disagreements": len(r.Disagreements),
		}
	},
	"length_sensitivity": func(t *testing.T, a record) any {
		return stats.Trust(trustInput(t, judgedRecords(a)), stats.TrustOptions{}).Length
	},
	"delta_report": deltaReport,
}

func ptr(r *measure.Result) *measure.Figures { return &r.Figures }

func passAt(t *testing.T, a record) any {
	o := measure.PassOptions{Attempts: measure.Independent}
	o.MinK, o.UnanimousShort = integer(a, "min_k"), a["unanimous_short"] == true
	reports := must[[]*stats.PassReport](t)(count(t, keyed, records(a["rows"])).PassAt(o, integer(a, "k")))
	r := reports[0]
	raw, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	out := parse(t, raw).(record)
	perTask := map[string]float64{}
	for _, m := range r.PerTask {
		perTask[m.Key] = m.Mean
	}
	codes := []string{}
	for _, f := range r.Findings {
		if f.Code != stats.CodeUnscored { // stands beside the note, not in it
			codes = append(codes, string(f.Code))
		}
	}
	out["per_task"], out["note_codes"], out["str"] = perTask, codes, r.String()
	return out
}

func metricSummary(t *testing.T, a record) any {
	metric := stats.MetricPassAt1
	if a["metric"] != nil {
		metric = text(a["metric"])
	}
	var list []record
	if r, ok := a["rows_from_rates"].(record); ok {
		list = recordsFromRates(r)
	} else {
		list = records(a["rows"])
	}
	for _, m := range count(t, keyed, list).Metrics() {
		if m.Name == metric {
			return stats.Summarize(m, stats.BootstrapOptions{Draws: integer(a, "n_boot"), Seed: int64(integer(a, "seed"))})
		}
	}
	t.Fatalf("no metric %s", metric)
	return nil
}

// recordsFromRates makes k rewards a task, the first round(rate*k) of them 1.
func recordsFromRates(a record) []record {
	k := integer(a, "k")
	var out []record
	for _, x := range a["rates"].([]any) {
		x := x.([]any)
		ones := int(math.RoundToEven(number(x[1]).V * float64(k)))
		for i := range k {
			reward, honest := 0, 0.1
			if i < ones {
				reward, honest = 1, 0.9
			}
			out = append(out, record{"task_id": x[0], "reward": reward, "markers": record{"honest": honest}})
		}
	}
	return out
}

func agreement(t *testing.T, a record) any {
	in := trustInput(t, judgedRecords(a))
	pairs := make([]stats.LabelPair, len(in.Rows))
	for i, r := range in.Rows {
		pairs[i] = r.Strict
	}
	r := stats.Agree(pairs, stats.AgreementOptions{AllowModelGold: a["allow_model_gold"] == true, Others: in.Others})
	return struct {
		*stats.AgreementReport
		Warnings int `json:"n_warnings"`
	}{r, len(r.Warnings)}
}

// runs reads a list of row lists, one run each.
func runs(t *testing.T, v any, label string) []stats.Part {
	var out []stats.Part
	for i, list := range v.([]any) {
		part := count(t, keyed, records(list)).Part()
		part.Label = label + strconv.Itoa(i+1)
		out = append(out, part)
	}
	return out
}

func deltaReport(t *testing.T, a record) any {
	before := count(t, measure.ForComparison(), records(a["before"])).Side()
	after := count(t, measure.ForComparison(), records(a["after"])).Side()
	switch seeds := a["train_runs"].(type) {
	case []any:
		after.TrainRuns = runs(t, seeds, "seed_")
	case record:
		if seeds["before"] != nil {
			before.TrainRuns = runs(t, seeds["before"], "seed_")
		}
		if seeds["after"] != nil {
			after.TrainRuns = runs(t, seeds["after"], "seed_")
		}
	}
	report := must[*stats.DeltaReport](t)(stats.Delta(before, after, stats.DeltaOptions{
		Target: text(a["target"]), Proxy: text(a["proxy"]), MustNotRegress: names(a, "must_not_regress"),
		RunStd: number(a["run_std"]), RunStdRuns: integer(a, "run_std_runs"),
		Draws: integer(a, "n_boot"), Seed: int64(integer(a, "seed")),
	}))
	raw, err := json.Marshal(report)
	if err != nil {
		t.Fatal(err)
	}
	out := parse(t, raw).(record)
	out["repeats_note"] = report.Repeats.Note
	return out
}
