package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
)

// The figures of other people's data, by command, are those that an independent
// program found, and where their authors published a figure, that one.

// truths are the figures that are expected, by names with slashes between:
// "taubench/pass@1".
type truths struct {
	t   *testing.T
	all map[string]any
}

func readTruths(t *testing.T) (dir string, want truths) {
	t.Helper()
	dir, _ = readExpected(t)
	text, err := os.ReadFile(filepath.Join(dir, "EXPECTED.json"))
	if err != nil {
		t.Fatal(err)
	}
	want.t = t
	if err := json.Unmarshal(text, &want.all); err != nil {
		t.Fatal(err)
	}
	return dir, want
}

// at finds a value.
func (w truths) at(path ...string) any {
	w.t.Helper()
	var v any = w.all
	for _, name := range path {
		object, _ := v.(map[string]any)
		if v = object[name]; v == nil {
			w.t.Fatalf("nothing is expected of %s", strings.Join(path, "/"))
		}
	}
	return v
}

// is holds a figure against the expected one, which has 6 decimals.
func (w truths) is(got any, path ...string) {
	w.t.Helper()
	w.equal(got, w.at(path...), strings.Join(path, "/"))
}

func (w truths) equal(got, want any, what string) {
	w.t.Helper()
	x, ok := got.(float64)
	if y, _ := want.(float64); !ok || math.Abs(x-y) > 5.01e-7 {
		w.t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// figure finds a value in a report of the command; numbers are places in lists.
func figure(report any, path ...any) any {
	for _, step := range path {
		switch step := step.(type) {
		case string:
			object, _ := report.(map[string]any)
			report = object[step]
		case int:
			list, _ := report.([]any)
			if step >= len(list) {
				return nil
			}
			report = list[step]
		}
	}
	return report
}

func TestMeasuredTauBench(t *testing.T) {
	dir, want := readTruths(t)
	in := filepath.Join(dir, want.at("taubench", "file").(string))
	r := report[any](t, "measure", in, "--k", "1,2,3,4", "--by", "rollout_index")
	for i := range 4 {
		k := fmt.Sprint(i + 1)
		want.is(figure(r, "pass", i, "pass_at_k"), "taubench", "pass@"+k)
		want.is(figure(r, "pass", i, "pass_pow_k"), "taubench", "pass^"+k)
		want.equal(figure(r, "slices", 0, "slices", i, "pass", 0, "pass_at_1"), want.at("taubench", "per_trial", fmt.Sprint(i)), "trial "+k)
	}
	want.is(figure(r, "coverage", "scored"), "taubench", "rows")
	want.is(figure(r, "coverage", "tasks"), "taubench", "groups")
	want.is(figure(r, "pass", 0, "pass_at_1"), "taubench", "mean_of_groups")
	want.is(figure(r, "clusters", "mean"), "taubench", "mean_of_rows")
	want.is(figure(r, "clusters", "se_independent"), "taubench", "se_binomial_rows")
	want.is(figure(r, "clusters", "se_cluster_robust"), "taubench", "se_cluster_robust")

	power := report[any](t, "power", in)
	want.is(figure(power, "base", "n_rows_at_1"), "taubench", "successes")
	want.is(figure(power, "power", "tied_pass"), "taubench", "always")
	want.is(figure(power, "power", "tied_fail"), "taubench", "never")
}

// Labels of many samples a task, by the dialect and by --each.
func TestMeasuredHumanEval(t *testing.T) {
	dir, want := readTruths(t)
	in := filepath.Join(dir, "humaneval_codegen16b", want.at("humaneval_codegen16b", "file").(string))
	ks := []string{"1", "2", "5", "10", "25", "50", "100"}
	for name, flags := range map[string][]string{
		"dialect": nil,
		"each":    {"--each", "passed", "--map", "scenario_id=task_id,reward=."},
	} {
		t.Run(name, func(t *testing.T) {
			want := truths{t, want.all}
			r := report[any](t, append([]string{"measure", in, "--k", strings.Join(ks, ",")}, flags...)...)
			for i, k := range ks {
				want.is(figure(r, "pass", i, "pass_at_k"), "humaneval_codegen16b", "pass@"+k)
				want.is(figure(r, "pass", i, "pass_pow_k"), "humaneval_codegen16b", "pass^"+k)
			}
			want.is(figure(r, "coverage", "scored"), "humaneval_codegen16b", "rows")
			want.is(figure(r, "coverage", "tasks"), "humaneval_codegen16b", "groups")
			want.is(figure(r, "clusters", "se_independent"), "humaneval_codegen16b", "se_binomial_rows")
			want.is(figure(r, "clusters", "se_cluster_robust"), "humaneval_codegen16b", "se_cluster_robust")
			for k, biased := range want.at("humaneval_codegen16b", "wrong_plugin_estimate_1_minus_1mp_k").(map[string]any) {
				if got := figure(r, "pass", slices.Index(ks, k), "pass_at_k").(float64); math.Abs(got-biased.(float64)) < 1e-3 {
					t.Errorf("pass@%s is the biased %v", k, got)
				}
			}
		})
	}
}

// Four models answered each question, which are four slices, not four samples.
func TestMeasuredGSM8K(t *testing.T) {
	dir, want := readTruths(t)
	accuracy := want.at("gsm8k_solutions", "accuracy").(map[string]any)
	var models []string
	for name := range accuracy {
		models = append(models, name)
	}
	r := report[any](t, "measure", filepath.Join(dir, "gsm8k/example_model_solutions.jsonl"),
		"--map", "prompt=question,reward=.is_correct", "--each", strings.Join(models, ","), "--by", "each")
	rows := want.at("gsm8k_solutions", "rows").(float64)
	want.equal(figure(r, "coverage", "scored"), rows*float64(len(models)), "rows")
	want.is(figure(r, "coverage", "tasks"), "gsm8k_solutions", "rows")
	want.is(figure(r, "pass", 0, "pass_at_k"), "gsm8k_solutions", "any_of_4")
	want.equal(figure(r, "pass", 0, "pass_pow_k"), want.at("gsm8k_solutions", "solved_by_count", "4").(float64)/rows, "all of 4")
	for i, name := range models {
		slice := figure(r, "slices", 0, "slices", i)
		if figure(slice, "label") != name {
			t.Fatalf("slice %d is %v, want %s", i, figure(slice, "label"), name)
		}
		want.equal(figure(slice, "pass", 0, "pass_at_1"), accuracy[name].([]any)[1], name)
		want.equal(figure(slice, "coverage", "scored"), rows, name)
	}
}

// Rewards are fractions; success is exactly 1.
func TestMeasuredInterCode(t *testing.T) {
	dir, want := readTruths(t)
	for name, in := range map[string]string{
		"bash gpt-4 (4 files)":  "bash_gpt-4",
		"bash vicuna fs_1+fs_4": "bash_vicuna_partial",
		"sql gpt-4 1 turn":      "ic_sql_multiturn_gpt-4_1_turns.json",
		"python gpt-4 7 turns":  "ic_python_multiturn_gpt-4_7_turns.json",
	} {
		r := report[any](t, "measure", filepath.Join(dir, "intercode", in), "--threshold", "1", "--by", "hardness")
		want.is(figure(r, "pass", 0, "pass_at_1"), "intercode", name, "success_rate")
		want.is(figure(r, "coverage", "scored"), "intercode", name, "rows")
		hardness, _ := want.at("intercode", name).(map[string]any)["by_hardness"].(map[string]any)
		parts, _ := figure(r, "slices", 0, "slices").([]any)
		if len(parts) != len(hardness) {
			t.Errorf("%s: %d slices, want %d", name, len(parts), len(hardness))
		}
		for _, part := range parts {
			label := figure(part, "label").(string)
			counts := hardness[label].([]any) // rows, successes
			want.equal(figure(part, "pass", 0, "pass_at_1"), counts[1].(float64)/counts[0].(float64), label)
		}

		// Unless it is said, a fraction is no verdict, neither pass nor fail.
		r = report[any](t, "measure", filepath.Join(dir, "intercode", in))
		want.is(figure(r, "pass", 0, "n_partial"), "intercode", name, "partial_reward_rows")
	}
}

// One sample a task: a pass rate and no more.
func TestMeasuredMBPP(t *testing.T) {
	dir, want := readTruths(t)
	for file, published := range map[string]string{
		"mbpp_py.simple.gpt-4.jsonl": "MBPP py GPT-4 baseline", "mbpp_py.reflexion.gpt-4.jsonl": "MBPP py GPT-4 with Reflexion",
	} {
		r := report[any](t, "measure", filepath.Join(dir, "reflexion", file), "--map", "scenario_id=name,reward=is_solved")
		want.is(figure(r, "pass", 0, "pass_at_1"), "reflexion", file, "rate")
		want.is(figure(r, "coverage", "tasks"), "reflexion", file, "rows")
		want.is(math.Round(1000*figure(r, "pass", 0, "pass_at_1").(float64))/10, "reflexion", "published", published)
		if k := figure(r, "pass", 0, "pass_at_k"); k != nil {
			t.Errorf("%s: pass@k is %v", file, k)
		}
	}
}

// Trials are sequential attempts, which is found out, and pass@k withheld.
func TestMeasuredALFWorld(t *testing.T) {
	dir, want := readTruths(t)
	const file = "alfworld.base_run_logs.jsonl"
	args := []string{"measure", filepath.Join(dir, "reflexion", file), "--map", "rollout_index=trial,reward=success", "--k", "1,4,7"}
	r := report[any](t, args...)
	for i, n := range want.at("reflexion", file, "success_by_trial").([]any) {
		want.equal(figure(r, "solved_by", i, "solved"), n, fmt.Sprintf("solved within %d attempts", i+1))
		want.equal(figure(r, "solved_by", i, "n_tasks"), want.at("reflexion", file, "tasks"), "tasks")
	}
	for i := 1; i < 3; i++ {
		if figure(r, "pass", i, "pass_at_k") != nil || figure(r, "pass", i, "pass_pow_k") != nil || figure(r, "pass", i, "findings", 0, "code") != "sequential_attempts" {
			t.Errorf("pass@k over sequential attempts is told: %v", figure(r, "pass", i))
		}
	}
	if told := report[any](t, append(args, "--attempts", "independent")...); figure(told, "pass", 1, "pass_at_k") == nil || figure(told, "solved_by") != nil {
		t.Error("--attempts independent does not count")
	}
}

// Three people and a judge on three labels.
func TestTrustedPandaLM(t *testing.T) {
	dir, want := readTruths(t)
	people, judge := filepath.Join(dir, "pandalm/testset-v1.json"), filepath.Join(dir, "pandalm/pandalm-7b-testset-v1.json")
	r := report[any](t, "trust", judge, "--label", "pandalm_result", "--gold", "annotator1,annotator2,annotator3", "--gold-from", people,
		"--id", "idx", "--categories", "--map", "extra.judged=pandalm_reason")
	for i, name := range []string{"kappa_12", "kappa_13", "kappa_23", "judge_pandalm7b_kappa_vs_majority"} {
		pair := figure(r, "raters", "pairs", i)
		if i == 3 {
			pair = figure(r, "raters", "judge")
		}
		want.is(figure(pair, "n"), "pandalm", name, "n")
		want.is(figure(pair, "agreement"), "pandalm", name, "agree")
		want.is(figure(pair, "expected"), "pandalm", name, "expected")
		want.is(figure(pair, "kappa"), "pandalm", name, "kappa")
		low, high := figure(pair, "kappa_ci95", 0).(float64), figure(pair, "kappa_ci95", 1).(float64)
		if kappa := figure(pair, "kappa").(float64); !(low < kappa && kappa < high) {
			t.Errorf("%s: %v outside of %v..%v", name, kappa, low, high)
		}
		if i < 3 {
			want.equal(math.Round(100*figure(pair, "kappa").(float64))/100, want.at("pandalm", "published", "kappa").([]any)[i], "published "+name)
		}
	}
	want.is(figure(r, "raters", "judge", "agreement"), "pandalm", "judge_pandalm7b", "accuracy")
	want.is(figure(r, "raters", "no_majority"), "pandalm", "rows_without_majority")
	want.equal(figure(r, "unmatched"), 0.0, "rows without a twin")
	for i, category := range []string{"0", "1", "2"} {
		n := 0.0
		for j := range 3 {
			n += figure(r, "raters", "confusion", i, j).(float64)
		}
		want.is(n, "pandalm", "majority_counts", category)
	}
}
