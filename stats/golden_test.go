package stats_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rollmill/rollmill/stats"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata/golden")

// TestPrinted holds what each report prints against testdata/golden.
func TestPrinted(t *testing.T) {
	for name, report := range reports(t) {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join("testdata", "golden", name+".txt")
			got := report.String() + "\n"
			if *update {
				if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("printed otherwise (-want +got):\n%s", diff)
			}
		})
	}
}

// reports makes one of each, and of some more.
func reports(t *testing.T) map[string]fmt.Stringer {
	t.Helper()
	pilot := metric(stats.MetricPassAt1, 0, 0.5, 1, 0.5, 0.25, 0.75, 0.5, 0.5, 0.25, 1).Tasks
	after := metric(stats.MetricPassAt1, 0.25, 0.5, 1, 0.75, 0.5, 0.75, 0.75, 0.5, 0.25, 1).Tasks
	pass := stats.PassInput{Partial: 3}
	for i, t := range pilot {
		pass.Tasks = append(pass.Tasks, stats.Task{Key: t.Key, N: 4 + i%2, Passes: int(4 * t.Mean), Unscored: i / 8})
	}
	run := func(label string, values ...float64) stats.Part {
		return stats.Part{Label: label, Metrics: []stats.Metric{metric(stats.MetricPassAt1, values...)}}
	}
	trust := stats.TrustInput{
		Rows: judged(28, 3, 1, 28), JudgeName: "strict",
		Perturbation: &stats.Rejudging{N: 40, Flips: 1, FillerN: 40, FillerUp: 6, FillerDown: 0},
		Probes: []stats.Probe{
			stats.AdditiveProbe("success_claim", 40, 5, 1, 25, 0), stats.AdditiveProbe("prompt_echo", 18, 2, 0, 9, 0),
			stats.ReplacementProbe("refusal", 40, 0, 20, 1, 0), {Name: "keyword_stuffing", Skipped: "no rubric"},
		},
	}
	for i := range trust.Rows {
		trust.Rows[i].Length = 40 + 60*int(trust.Rows[i].Judge) + i%7
	}
	a, b := gain()
	quiet := compareSides(t, a, b, stats.DeltaOptions{})
	deltaA, deltaB := wholeDelta()
	whole := compareSides(t, deltaA, deltaB, stats.DeltaOptions{
		Target: "pass_at_1", Proxy: "keywords", MustNotRegress: []string{"polite", "constant", "absent"},
		Balanced: &stats.Balance{RowsDropped: stats.SideCounts{After: 8}, TasksTrimmed: 4},
	})
	selfCheck := must[*stats.SelfCheckReport](t)(stats.SelfCheck(stats.SelfCheckOptions{Trials: 5, Draws: 200}))
	return map[string]fmt.Stringer{
		"pass":          must[*stats.PassReport](t)(stats.PassAt(pass, stats.PassOptions{})),
		"pass_empty":    must[*stats.PassReport](t)(stats.PassAt(stats.PassInput{}, stats.PassOptions{})),
		"summary":       stats.Summarize(stats.RateMetric(pass.Tasks), stats.BootstrapOptions{}),
		"summary_dead":  stats.Summarize(metric("marker:x", 1, 1, 1), stats.BootstrapOptions{}),
		"comparison":    stats.Compare(stats.Metric{Name: "pass_at_1", Tasks: pilot}, stats.Metric{Tasks: after[:8]}, stats.CompareOptions{}),
		"holdout_model": must[*stats.HoldoutReport](t)(stats.HoldoutSize(0.05, stats.HoldoutOptions{})),
		"holdout_rows":  must[*stats.HoldoutReport](t)(stats.HoldoutSize(0.1, stats.HoldoutOptions{Before: pilot, After: after})),
		"holdout_ceiling": must[*stats.HoldoutReport](t)(stats.HoldoutSize(0.1, stats.HoldoutOptions{
			Before: metric(stats.MetricPassAt1, 1, 1, 1, 1, 0.75).Tasks,
		})),
		"power":          must[*stats.PowerReport](t)(stats.EvalPower(pilot, stats.PowerOptions{})),
		"power_empty":    must[*stats.PowerReport](t)(stats.EvalPower(nil, stats.PowerOptions{})),
		"variance":       must[*stats.VarianceReport](t)(stats.EvalVariance([]stats.Part{run("run_1", 0.5, 0.5), run("run_2", 0.5, 0.75)}, "", 2)),
		"variance_one":   must[*stats.VarianceReport](t)(stats.EvalVariance([]stats.Part{run("run_1", 0.5)}, "", 0)),
		"agreement":      stats.Agree([]stats.LabelPair{{Judge: 1, Gold: 1, GoldKind: "model"}, {Judge: 1, Gold: 0, GoldKind: "model"}, {Judge: -1, Gold: 1}}, stats.AgreementOptions{}),
		"trust":          stats.Trust(trust, stats.TrustOptions{}),
		"trust_unlabel":  stats.Trust(stats.TrustInput{Others: 12}, stats.TrustOptions{}),
		"audit":          stats.Audit([]stats.AuditRow{{Judge: stats.Of(1.0), Reason: "verifier: expected 4"}, {Judge: stats.Of(0.0)}, {Passed: true, Judge: stats.Of(1.0)}}, 9, 0),
		"pairwise":       stats.Pairwise([]stats.PairVerdict{stats.ResolvePair("chosen", "rejected"), stats.ResolvePair("chosen", "chosen")}, stats.PairwiseOptions{}),
		"kl":             stats.MeanKL([]stats.KLRow{{Task: "a", Logprob: stats.Of(-10.0), Ref: stats.Of(-12.0), Tokens: 10}, {Task: "b"}}),
		"logprob":        stats.Logprobs([]stats.LogprobRow{{Logprob: stats.Of(-1.0), Tokens: 10, Reward: 1}, {Logprob: stats.Of(-2.0), Tokens: 10, Reward: 1}, {Logprob: stats.Of(-6.0), Tokens: 10, Truncated: true}}),
		"delta":          quiet,
		"delta_whole":    whole,
		"self_check":     selfCheck,
		"contamination":  stats.ContaminationTest([]stats.ScoredItem{{1, 0}, {0, 0.1}, {1, 0.9}, {1, 0.85}, {0, 0.3}}),
		"alpha":          alphaReport(t),
		"cluster_robust": stats.ClusterRobust(pass.Tasks, 0),
		"corrected_rate": must[*stats.CorrectedRate](t)(stats.CorrectPassRate(stats.JudgedRate{Passes: 74, N: 100, Gold: stats.Confusion{TP: 45, FN: 5, TN: 35, FP: 15}}, 0)),
	}
}

func alphaReport(t *testing.T) stats.AlphaReport {
	return must[stats.AlphaReport](t)(stats.KrippendorffAlpha(fourObservers, stats.OrdinalScale))
}

// wholeDelta is two sides on which nearly everything there is to say is said.
func wholeDelta() (stats.Side, stats.Side) {
	low, up := many(10, 0.25, 0.5, 0.25, 0.5), many(10, 0.25, 0.75, 0.25, 0.75)
	a, b := sides(
		[]stats.Metric{metric("pass_at_1", low...), metric("marker:keywords", low...), metric("marker:polite", up...),
			metric("marker:constant", many(40, 1)...), metric("marker:truncated", low...)},
		[]stats.Metric{metric("pass_at_1", low...), metric("marker:keywords", many(10, 0.75, 1, 1, 0.75)...), metric("marker:polite", low...),
			metric("marker:constant", many(40, 1)...), metric("marker:truncated", up...)},
	)
	for _, label := range []string{"0", "1"} {
		a.EvalRuns = append(a.EvalRuns, stats.Part{Label: label, Metrics: a.Metrics})
		b.EvalRuns = append(b.EvalRuns, stats.Part{Label: label, Metrics: b.Metrics})
	}
	b.EvalRuns[1].Metrics = []stats.Metric{metric("pass_at_1", up...)}
	b.TrainRuns = b.EvalRuns
	cut := func(m stats.Metric, from, to int) stats.Metric {
		return stats.Metric{Name: m.Name, Tasks: m.Tasks[from:to], Rows: 4 * (to - from)}
	}
	slices := func(s stats.Side) []stats.Slicing {
		m := s.Metrics[0]
		return []stats.Slicing{{Field: "category", Parts: []stats.Part{
			{Label: "lookup", Metrics: []stats.Metric{cut(m, 0, 16)}}, {Label: "dates", Metrics: []stats.Metric{cut(m, 16, 36)}},
			{Label: "few", Metrics: []stats.Metric{cut(m, 36, 40)}},
		}}}
	}
	a.Slices, b.Slices = slices(a), slices(b)
	a.Config.Counts = stats.RunCounts{Rows: 160, Graded: 158, Replies: 100, Answered: 99}
	b.Config.Counts = stats.RunCounts{Rows: 160, Graded: 160, Replies: 100, Answered: 98}
	a.Config.Temperature, b.Config.Temperature = stats.Of(0.7), stats.Of(1.0)
	return a, b
}
