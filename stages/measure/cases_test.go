package measure_test

import (
	"bufio"
	"encoding/json"
	"math"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/rollmill/rollmill/stages/measure"
	"github.com/rollmill/rollmill/stats"
)

// The cases from practice on which other tools gave wrong figures, as rows. Those
// about intervals and advantages alone are held by package stats.
func TestCases(t *testing.T) {
	f, err := os.Open("testdata/cases.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	var ran []string
	for lines.Scan() {
		c := parse(t, lines.Bytes()).(record)
		in := c["input"].(record)
		run, ours := caseOps[text(in["op"])]
		if !ours {
			continue
		}
		ran = append(ran, text(c["id"]))
		t.Run(text(c["id"]), func(t *testing.T) { run(t, in, c["expected"].(record)) })
	}
	if want := []string{"01", "03", "04", "05", "07", "08", "09", "13", "14", "18", "20", "21"}; len(ran) != len(want) {
		t.Errorf("ran %v, want %v", ran, want)
	}
}

// groups makes rows of [[n, c], ...]: n rollouts a task, the first c of them passed.
func groups(v any) []record {
	var list []record
	for i, g := range v.([]any) {
		g := g.([]any)
		for j := range int(number(g[0]).V) {
			r := record{"scenario_id": strconv.Itoa(i), "reward": 0}
			if j < int(number(g[1]).V) {
				r["reward"] = 1
			}
			list = append(list, r)
		}
	}
	return list
}

// at is pass@k and pass^k of rows, without a floor for k.
func at(t *testing.T, list []record, k int) *stats.PassReport {
	t.Helper()
	var o measure.PassOptions
	o.MinK = 1
	return must[[]*stats.PassReport](t)(count(t, measure.Options{}, list).PassAt(o, k))[0]
}

func near(t *testing.T, what string, got stats.Null[float64], want any) {
	t.Helper()
	w := number(want)
	if got.Valid != w.Valid || math.Abs(got.V-w.V) > 1e-6 {
		t.Errorf("%s: got %+v, want %v", what, got, want)
	}
}

func codes(findings []stats.Finding) []stats.Code {
	var list []stats.Code
	for _, f := range findings {
		list = append(list, f.Code)
	}
	return list
}

var caseOps = map[string]func(t *testing.T, in, want record){
	"pass_at_k": func(t *testing.T, in, want record) {
		k := integer(in, "k")
		attempts, single := in["attempts"].([]any)
		if !single {
			r := at(t, groups(in["groups"]), k)
			near(t, "pass@k", r.PassAtK, want["value"])
			if want["value"] == nil && !slices.Contains(codes(r.Findings), stats.CodeNoGroupHasK) {
				t.Errorf("findings %v do not say that n < k", codes(r.Findings))
			}
			return
		}
		var list []record
		for _, reward := range attempts {
			list = append(list, record{"scenario_id": "t", "reward": reward})
		}
		r := at(t, list, k)
		near(t, "pass@k", r.PassAtK, want["value"])
		if c := r.Coverage; c.Scored != integer(want, "n") || c.Unscored != integer(want, "unscored") {
			t.Errorf("coverage %+v, want %v", c, want)
		}
	},
	"pass_at_k_table": func(t *testing.T, in, want record) {
		for _, k := range in["k"].([]any) {
			near(t, "pass@"+string(k.(json.Number)), at(t, groups(in["groups"]), int(number(k).V)).PassAtK, want[string(k.(json.Number))])
		}
	},
	"pass_hat_k": func(t *testing.T, in, want record) {
		near(t, "pass^k", at(t, groups(in["groups"]), integer(in, "k")).PassPowK, want["value"])
	},
	"summary": func(t *testing.T, in, want record) {
		var list []record
		for _, x := range in["rollouts"].([]any) {
			r := x.(record)
			list = append(list, record{"scenario_id": r["task"], "judge_status": r["status"], "reward": r["reward"]})
		}
		r := at(t, list, integer(in, "k"))
		near(t, "pass^1", r.PassPowK, want["pass^1_over_scored_tasks"])
		bounds := want["bounds_if_unscored_counted"].([]any)
		c := stats.Coverage{
			Tasks: integer(want, "tasks_total"), TasksScored: integer(want, "tasks_scored"), Scored: 1, Unscored: integer(want, "rollouts_unscored"),
			Bounds: stats.Of(stats.Interval{Low: number(bounds[0]).V, High: number(bounds[1]).V}),
		}
		if r.Coverage != c {
			t.Errorf("coverage %+v, want %+v", r.Coverage, c)
		}
		if !slices.Contains(codes(r.Findings), stats.CodeUnscored) {
			t.Errorf("findings %v do not tell the coverage", codes(r.Findings))
		}
	},
	// A status of any spelling says the same: the row has no verdict, even where
	// somebody wrote a zero beside it.
	"status_normalise": func(t *testing.T, in, want record) {
		var list []record
		for _, word := range in["values"].([]any) {
			list = append(list, record{"scenario_id": "t", "judge_status": word, "reward": 0})
		}
		by := field(t, "judge_status")
		r := count(t, measure.Options{By: []measure.Field{by}}, list)
		if parts := r.Slices[0].Parts; len(parts) != 1 || parts[0].Label != want["all_equal"] {
			t.Errorf("slices %+v, want %v alone", parts, want["all_equal"])
		}
		if c := stats.CoverageOf(r.Tasks()); c.Scored != 0 || c.Unscored != len(list) {
			t.Errorf("coverage %+v", c)
		}
		if !slices.Contains(codes(r.Findings()), measure.CodeUnknownStatus) {
			t.Errorf("findings %v", codes(r.Findings()))
		}
	},
	"paired_difference": func(t *testing.T, in, want record) {
		side := func(name string) stats.Metric { return count(t, keyed, groups(in[name])).Rate() }
		a, b := side("baseline"), side("candidate")
		var differences []float64
		changed := 0
		for i := range a.Tasks {
			d := b.Tasks[i].Mean - a.Tasks[i].Mean
			differences = append(differences, d)
			if d != 0 {
				changed++
			}
		}
		near(t, "mean", stats.Compare(a, b, stats.CompareOptions{}).Delta, want["mean"])
		near(t, "se", stats.StandardError(differences), want["se_by_task"])
		if changed != integer(want, "tasks_with_any_change") {
			t.Errorf("%d tasks changed", changed)
		}
	},
	"kappa": func(t *testing.T, in, want record) {
		var list []record
		for i, a := range in["a"].([]any) {
			list = append(list, record{"scenario_id": task(i), "a": a, "b": in["b"].([]any)[i]})
		}
		labels := measure.NewLabels(measure.LabelOptions{Judge: field(t, "a"), Gold: measure.GoldOptions{Columns: []measure.Field{field(t, "b")}}})
		labels.Add(decode(t, labels.Fields(), list))
		r := must[*measure.RatersReport](t)(labels.Raters(stats.BootstrapOptions{}))
		near(t, "kappa", r.Judge.V.Kappa, want["kappa"])
		near(t, "agreement", r.Judge.V.Agreement, want["agreement"])
		if !r.Judge.V.OneLabel {
			t.Error("not flagged as one label")
		}
		if raw, err := json.Marshal(r); err != nil || !json.Valid(raw) {
			t.Errorf("%s, %v", raw, err)
		}
	},
	"reward_check": func(t *testing.T, in, want record) {
		var list []record
		for i, text := range in["rewards"].([]any) {
			var reward any = text // nan and inf are no JSON numbers
			if f, err := strconv.ParseFloat(text.(string), 64); err == nil && !math.IsNaN(f) && !math.IsInf(f, 0) {
				reward = f
			}
			list = append(list, record{"scenario_id": task(i), "reward": reward})
		}
		r := count(t, measure.Options{}, list)
		findings := r.Findings()
		if len(findings) != 1 || findings[0].Code != measure.CodeInvalidReward || string(findings[0].Code) != want["flag"] {
			t.Fatalf("findings %v, want %v", codes(findings), want["flag"])
		}
		if n := findings[0].Numbers.Get("rows"); int(n.V) != integer(want, "rejected") {
			t.Errorf("%v rewards refused, want %v", n, want["rejected"])
		}
		if accepted := len(list) - int(findings[0].Numbers.Get("rows").V); accepted != len(want["accepted"].([]any)) {
			t.Errorf("%d rewards accepted", accepted)
		}
		if in := r.PassInput(); in.Partial != 1 { // 0.7 is a reward, and no verdict
			t.Errorf("%d partial rewards", in.Partial)
		}
	},
}
