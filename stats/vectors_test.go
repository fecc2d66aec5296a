package stats_test

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

	"github.com/rollmill/rollmill/stats"
)

// vector is one entry of testdata/stats.json.
type vector struct {
	ID   string          `json:"id"`
	Fn   string          `json:"fn"`
	Args json.RawMessage `json:"args"`
	Want json.RawMessage `json:"want"`
}

// counts is how many vectors each function has, so that none goes missing.
var counts = map[string]int{
	"rng_random": 6, "rng_randrange": 11, "rng_random_str": 4, "rng_uniform": 1, "rng_sample": 4, "rng_shuffle_str": 2,
	"norm_inv_cdf": 9, "norm_cdf": 7, "py_round": 10, "t_quantile": 16, "z_level": 4, "noise_band": 10,
	"wilson_interval": 19, "bootstrap_ci": 16, "bootstrap_indices": 8, "task_key": 7, "pass_group": 13, "pass_at": 18,
	"metric_summary": 3, "eval_variance": 2, "eval_variance_single": 2, "stability": 6, "compare_runs": 17,
	"holdout_size": 20, "detectable_effect": 10, "task_sd": 5, "independence_ratio": 5, "eval_power": 6,
	"kappa": 13, "judge_agreement": 8, "judge_agreement_rows": 1, "gold_kind_of": 9, "row_key": 5, "task_half": 8,
	"judge_trust": 15, "probe_resolves": 8, "sign_test": 11, "length_sensitivity": 2, "rubric_words": 3,
	"mean_kl": 4, "logprob_report": 2, "pearson": 5, "annotator_agreement": 1, "majority_gold": 1,
	"two_proportion_p": 6, "slice_min_tasks": 5, "family_error": 4, "delta_report": 26,
	"redistribute": 8, "factors_from_ranking": 6, "spread": 6, "self_check": 8,
}

// exactKeys are the members that are rounded, and so must be equal to the last
// digit; "*" is the whole answer.
var exactKeys = map[string][]string{
	"py_round": {"*"}, "kappa": {"*"}, "family_error": {"*"}, "detectable_effect": {"*"}, "mean_kl": {"*"},
	"logprob_report": {"*"}, "judge_agreement": {"*"}, "judge_agreement_rows": {"*"}, "annotator_agreement": {"*"},
	"eval_variance": {"*"}, "eval_variance_single": {"*"}, "probe_resolves": {"*"},
	"holdout_size": {"task_std", "half_width", "base_spread"},
	"eval_power":   {"base", "task_spread", "task_std", "resolvable"},
	"judge_trust":  {"kappa", "agreement", "half_a_agreement", "half_b_agreement"},
	"delta_report": {"detectable_effect", "family_error"},
}

func TestVectors(t *testing.T) {
	raw, err := os.ReadFile("testdata/stats.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		N       int      `json:"n_vectors"`
		Vectors []vector `json:"vectors"`
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	ran := map[string]int{}
	for _, v := range file.Vectors {
		fn, known := functions[v.Fn]
		if !known {
			t.Errorf("%s: no function for %q", v.ID, v.Fn)
			continue
		}
		ran[v.Fn]++
		t.Run(v.ID, func(t *testing.T) {
			got, err := json.Marshal(fn(t, decode(t, v.Args).(row)))
			if err != nil {
				t.Fatal(err)
			}
			compare(t, "", decode(t, got), decode(t, v.Want), exactKeys[v.Fn])
		})
	}
	total := 0
	for _, fn := range slices.Sorted(maps.Keys(counts)) {
		if ran[fn] != counts[fn] {
			t.Errorf("%s: ran %d vectors, want %d", fn, ran[fn], counts[fn])
		}
		total += ran[fn]
	}
	if total != file.N || total != 406 {
		t.Errorf("ran %d vectors, want %d", total, file.N)
	}
}

// compare holds an answer against the wanted one: members that are not wanted
// are not looked at.
func compare(t *testing.T, path string, got, want any, exact []string) {
	t.Helper()
	switch want := want.(type) {
	case row:
		g, ok := got.(row)
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

// Readers of arguments, with defaults.

func f64(a row, name string, def float64) float64 { return number(a[name]).Or(def) }

func integer(a row, name string, def int) int {
	return int(number(a[name]).Or(float64(def)))
}

func floats(v any) []float64 {
	out := []float64{}
	for _, x := range v.([]any) {
		out = append(out, number(x).V)
	}
	return out
}

func options(a row) stats.BootstrapOptions {
	return stats.BootstrapOptions{Draws: integer(a, "n_boot", 0), Seed: int64(integer(a, "seed", 0)), Level: f64(a, "level", 0)}
}

func draw[T any](n int, f func() T) []T {
	out := make([]T, n)
	for i := range out {
		out[i] = f()
	}
	return out
}

func must[T any](t *testing.T) func(v T, err error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func listOf(a row, name string) []string {
	var out []string
	if list, ok := a[name].([]any); ok {
		for _, x := range list {
			out = append(out, text(x))
		}
	}
	return out
}

// tp, fp, fn, tn rows in that order.
func confusionRows(a row) []row {
	var out []row
	add := func(n int, reward, gold json.Number) {
		for range n {
			r := row{"task_id": "s" + strconv.Itoa(len(out)), "reward": reward, "gold_reward": gold, "gold_kind": "human"}
			if kind, given := a["gold_kind"]; given {
				r["gold_kind"] = kind
			}
			out = append(out, r)
		}
	}
	add(integer(a, "tp", 0), "1", "1")
	add(integer(a, "fp", 0), "1", "0")
	add(integer(a, "fn", 0), "0", "1")
	add(integer(a, "tn", 0), "0", "0")
	return out
}

func pairsOf(rows []row) []stats.LabelPair {
	out := make([]stats.LabelPair, len(rows))
	for i, r := range trustRows(rows) {
		out[i] = r.Strict
	}
	return out
}

var functions = map[string]func(t *testing.T, a row) any{
	"rng_random": func(t *testing.T, a row) any {
		return draw(integer(a, "n", 0), stats.NewMersenneTwister(int64(integer(a, "seed", 0))).Float64)
	},
	"rng_random_str": func(t *testing.T, a row) any {
		return draw(integer(a, "n", 0), stats.NewMersenneTwisterString(text(a["seed"])).Float64)
	},
	"rng_randrange": func(t *testing.T, a row) any {
		rng := stats.NewMersenneTwister(int64(integer(a, "seed", 0)))
		return draw(integer(a, "count", 0), func() int { return rng.Below(integer(a, "n", 0)) })
	},
	"rng_uniform": func(t *testing.T, a row) any {
		rng := stats.NewMersenneTwister(int64(integer(a, "seed", 0)))
		return draw(integer(a, "n", 0), func() float64 { return rng.Uniform(f64(a, "lo", 0), f64(a, "hi", 0)) })
	},
	"rng_sample": func(t *testing.T, a row) any {
		return stats.NewMersenneTwister(int64(integer(a, "seed", 0))).Sample(integer(a, "n", 0), integer(a, "k", 0))
	},
	"rng_shuffle_str": func(t *testing.T, a row) any {
		out := make([]int, integer(a, "n", 0))
		for i := range out {
			out[i] = i
		}
		stats.NewMersenneTwisterString(text(a["seed"])).Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
		return out
	},
	"norm_inv_cdf": func(t *testing.T, a row) any { return stats.NormalQuantile(f64(a, "p", 0)) },
	"norm_cdf":     func(t *testing.T, a row) any { return stats.NormalCDF(f64(a, "z", 0)) },
	"py_round":     func(t *testing.T, a row) any { return stats.Round(f64(a, "x", 0), integer(a, "digits", 0)) },
	"z_level":      func(t *testing.T, a row) any { return stats.ZLevel(f64(a, "level", 0)) },
	"t_quantile": func(t *testing.T, a row) any {
		return must[float64](t)(stats.TQuantile(integer(a, "df", 0), f64(a, "level", 0)))
	},
	"noise_band": func(t *testing.T, a row) any {
		return must[float64](t)(stats.NoiseBand(f64(a, "run_std", 0), stats.NoiseOptions{
			RunsA: integer(a, "n_a", 0), RunsB: integer(a, "n_b", 0), DF: integer(a, "df", 0), Level: f64(a, "level", 0),
		}))
	},
	"wilson_interval": func(t *testing.T, a row) any {
		return stats.Wilson(integer(a, "successes", 0), integer(a, "n", 0), f64(a, "z", stats.Z95))
	},
	"bootstrap_ci": func(t *testing.T, a row) any { return stats.BootstrapMean(floats(a["values"]), options(a)) },
	"bootstrap_indices": func(t *testing.T, a row) any {
		low, high := stats.PercentileIndices(f64(a, "level", 0), integer(a, "n_boot", 0))
		return []int{low, high}
	},
	"task_key": func(t *testing.T, a row) any { return taskKey(a["row"].(row)) },
	"row_key":  func(t *testing.T, a row) any { return rowKey(a["row"].(row)) },
	"pass_group": func(t *testing.T, a row) any {
		n, c, k := integer(a, "n", 0), integer(a, "c", 0), integer(a, "k", 0)
		return map[string]any{"pass_at_k": stats.PassAtK(n, c, k), "pass_pow_k": stats.PassPowK(n, c, k)}
	},
	"pass_at": passAt,
	"metric_summary": func(t *testing.T, a row) any {
		metric := stats.MetricPassAt1
		if a["metric"] != nil {
			metric = text(a["metric"])
		}
		rows := rowsOf(a["rows"])
		if r, ok := a["rows_from_rates"].(row); ok {
			rows = rowsFromRates(r)
		}
		return stats.Summarize(metricOf(rows, metric), options(a))
	},
	"eval_variance": func(t *testing.T, a row) any {
		return must[*stats.VarianceReport](t)(stats.EvalVariance(runsOf(a["runs"], "run_"), "", 0))
	},
	"eval_variance_single": func(t *testing.T, a row) any {
		runs, unkeyed := partsBy(rowsOf(a["rows"]), runKey)
		return must[*stats.VarianceReport](t)(stats.EvalVariance(runs, "", unkeyed))
	},
	"stability": func(t *testing.T, a row) any { return stats.Stability(f64(a, "run_std", 0)) },
	"compare_runs": func(t *testing.T, a row) any {
		metric := func(side string) stats.Metric { return metricOf(rowsOf(a[side]), stats.MetricPassAt1) }
		return stats.Compare(metric("a"), metric("b"), stats.CompareOptions{
			Draws: integer(a, "n_boot", 0), Seed: int64(integer(a, "seed", 0)), Level: f64(a, "level", 0),
		})
	},
	"holdout_size":      holdoutSize,
	"detectable_effect": detectableEffect,
	"task_sd": func(t *testing.T, a row) any {
		base, effect, k := f64(a, "base", 0), f64(a, "effect", 0), integer(a, "k", 0)
		return map[string]float64{"uniform": stats.UniformSD(base, effect, k), "concentrated": stats.ConcentratedSD(base, effect, k)}
	},
	"independence_ratio": func(t *testing.T, a row) any { return stats.IndependenceRatio(floats(a["rates"])) },
	"eval_power": func(t *testing.T, a row) any {
		tasks := metricOf(rowsOf(a["rows"]), stats.MetricPassAt1).Tasks
		return must[*stats.PowerReport](t)(stats.EvalPower(tasks, stats.PowerOptions{Effect: f64(a, "effect", 0)}))
	},
	"kappa": func(t *testing.T, a row) any {
		k := stats.Confusion{TP: integer(a, "tp", 0), FP: integer(a, "fp", 0), FN: integer(a, "fn", 0), TN: integer(a, "tn", 0)}.Kappa()
		k.V = stats.Round(k.V, 4)
		return k
	},
	"judge_agreement": func(t *testing.T, a row) any {
		rows := confusionRows(a)
		if a["rows"] != nil {
			rows = rowsOf(a["rows"])
		}
		return agreement(rows, a["allow_model_gold"] == true)
	},
	"judge_agreement_rows": func(t *testing.T, a row) any { return agreement(rowsOf(a["rows"]), false) },
	"gold_kind_of":         func(t *testing.T, a row) any { return stats.GoldKind(listOf(a, "kinds")) },
	"task_half":            func(t *testing.T, a row) any { return stats.TaskHalf(text(a["task"])) },
	"judge_trust":          judgeTrust,
	"probe_resolves": func(t *testing.T, a row) any {
		return stats.ProbeResolves(integer(a, "n", 0), f64(a, "flip_flag", 0))
	},
	"sign_test": func(t *testing.T, a row) any { return stats.SignTest(integer(a, "up", 0), integer(a, "down", 0)) },
	"length_sensitivity": func(t *testing.T, a row) any {
		return stats.Trust(stats.TrustInput{Rows: trustRows(rowsOf(a["rows"]))}, stats.TrustOptions{}).Length
	},
	"rubric_words": func(t *testing.T, a row) any { return stats.RubricWords(text(a["text"])) },
	"mean_kl": func(t *testing.T, a row) any {
		refs, byKey := a["ref_rows"]
		return stats.MeanKL(klRows(rowsOf(a["rows"]), rowsOf(refs), byKey))
	},
	"logprob_report": func(t *testing.T, a row) any {
		var rows []stats.LogprobRow
		for _, r := range rowsOf(a["rows"]) {
			rows = append(rows, stats.LogprobRow{Logprob: number(r["logprob"]), Tokens: tokens(r), Reward: readerA(r["reward"])})
		}
		return stats.Logprobs(rows)
	},
	"pearson":             func(t *testing.T, a row) any { return stats.Pearson(floats(a["xs"]), floats(a["ys"])) },
	"annotator_agreement": func(t *testing.T, a row) any { return stats.AnnotatorAgreement(annotated(a)) },
	"majority_gold": func(t *testing.T, a row) any {
		out := []any{}
		for _, r := range annotated(a) {
			labels := make([]stats.Label, len(r.Labels))
			for i, l := range r.Labels {
				labels[i] = l.Label
			}
			if l := stats.MajorityLabel(labels); l == stats.NoLabel {
				out = append(out, nil)
			} else {
				out = append(out, l)
			}
		}
		return out
	},
	"two_proportion_p": func(t *testing.T, a row) any {
		return stats.TwoProportionP(integer(a, "x_a", 0), integer(a, "n_a", 0), integer(a, "x_b", 0), integer(a, "n_b", 0))
	},
	"slice_min_tasks": func(t *testing.T, a row) any { return stats.SliceMinTasks(f64(a, "alpha", 0)) },
	"family_error": func(t *testing.T, a row) any {
		return stats.FamilyError(integer(a, "n_metrics", 0), f64(a, "level", 0))
	},
	"delta_report": deltaReport,
	"redistribute": func(t *testing.T, a row) any {
		factors := map[int]float64{}
		for k, v := range a["factors"].(row) {
			i, _ := strconv.Atoi(k)
			factors[i] = number(v).V
		}
		return must[[]float64](t)(stats.Redistribute(floats(a["rewards"]), factors, stats.GroupwiseOptions{Cap: f64(a, "cap", 0)}))
	},
	"factors_from_ranking": func(t *testing.T, a row) any {
		var ranking [][]int
		for _, x := range a["ranking"].([]any) {
			tied, ok := x.([]any)
			if !ok {
				tied = []any{x}
			}
			var inner []int
			for _, i := range tied {
				inner = append(inner, int(number(i).V))
			}
			ranking = append(ranking, inner)
		}
		return stats.FactorsFromRanking(ranking, f64(a, "min_factor", 0))
	},
	"spread": func(t *testing.T, a row) any { return stats.Spread(floats(a["scores"])) },
	"self_check": func(t *testing.T, a row) any {
		r := must[*stats.SelfCheckReport](t)(stats.SelfCheck(stats.SelfCheckOptions{
			Trials: integer(a, "trials", 0), Seed: int64(integer(a, "seed", 0)), Only: []string{text(a["check"])},
		}))
		if !r.Checks[0].Agrees {
			t.Error("the first trial differs from the delta report")
		}
		return r.Checks[0]
	},
}
