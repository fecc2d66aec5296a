package stats_test

import (
	"encoding/json"
	"strings"
	"testing"
)

// keys are the members that the spec of statistics names for each report; some
// reports have more.
var keys = map[string]string{
	"pass": "k pass_at_1 pass_pow_k pass_at_k headroom n_groups n_groups_at_k n_groups_imputed n_rows n_partial note " +
		"ci95 pass_pow_k_ci95 pass_at_k_ci95 config",
	"summary":    "n_tasks n_rows n_rows_at_1 n_rows_at_0 mean ci95 degenerate",
	"comparison": "paired n_paired n_only_a n_only_b paired_share n_used mean_a mean_b delta ci95 level p_value verdict note",
	"holdout_rows": "n_tasks effect base k power alpha task_std sd_source half_width n_tasks_concentrated base_spread n_paired " +
		"saturated notes warnings n_tasks_low n_tasks_high n_tasks_range_method",
	"power":    "n_tasks n_rollouts k base task_spread in_band tied_pass tied_fail single_rollout task_std n_needed resolvable verdict reason",
	"variance": "n_runs means mean run_std run_std_points run_std_by_metric noise_band noise_band_df stability tasks_in_every_run notes",
	"agreement": "n n_skipped n_unmatched agreement kappa confusion pass_when_gold_fail fail_when_gold_pass judge_pass_rate " +
		"gold_pass_rate gold_kind ok warnings",
	"trust": "ok n_rows n_labeled gold_kind gold_degenerate floors skipped agreement held_out_halves length_sensitivity " +
		"perturbation probes exploitable_by disagreements warnings",
	"audit":    "fn_rate estimated_wrong_fails fp_rate reasons warnings",
	"pairwise": "n n_judged failed position_flip_rate tie_rate agrees_with_scores prefers_rejected disagreements warnings",
	"kl":       "mean_kl per_task n_rows n_skipped n_tokens",
	"logprob": "n_rows n_with_logprobs n_tokens mean_token_logprob row_mean_p10 row_mean_p50 row_mean_p90 " +
		"corr_reward_confidence n_truncated",
	"self_check": "trials seed ok checks",
	"delta_whole": "ok not_comparable target target_verdict headline_verdict headline_word target_delta target_ci95 n_metrics alpha level " +
		"n_paired_tasks n_unpaired_tasks lower_is_better run_std run_std_by_metric run_std_source run_std_df noise_band noise_rule " +
		"eval_runs replicated improved regressions slipped within_noise degenerate_guards ceiling detectable_effect tasks_needed " +
		"tasks_needed_source proxy proxy_verdict over_optimized family_error train_std train_df train_delta train_ci95 train_rule " +
		"metrics warnings config balanced by by_source groups groups_down groups_weak slice_min_tasks repeats",
}

func TestJSONKeys(t *testing.T) {
	written := reports(t)
	for name, want := range keys {
		raw, err := json.Marshal(written[name])
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		members := decode(t, raw).(row)
		for _, key := range strings.Fields(want) {
			if _, has := members[key]; !has {
				t.Errorf("%s: %q is missing", name, key)
			}
		}
	}
}

// TestAllReportsMarshal: no report holds a number that JSON cannot, and none
// writes null for a list.
func TestAllReportsMarshal(t *testing.T) {
	lists := []string{"findings", "warnings", "notes", "groups", "improved", "disagreements", "exploitable_by", "not_comparable", "mixed"}
	for name, report := range reports(t) {
		raw, err := json.Marshal(report)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		members := decode(t, raw).(row)
		for _, key := range lists {
			if v, has := members[key]; has && v == nil {
				t.Errorf("%s: %q is null, not a list", name, key)
			}
		}
	}
}

// TestRoundedBesideExact: the rounded members agree with the exact ones.
func TestRoundedBesideExact(t *testing.T) {
	written := reports(t)
	for name, members := range map[string][]string{
		"holdout_rows": {"task_std", "half_width", "base_spread"}, "variance": {"run_std", "mean", "noise_band"},
		"power": {"base", "task_spread"}, "kl": {"mean_kl"}, "logprob": {"mean_token_logprob", "corr_reward_confidence"},
	} {
		raw, err := json.Marshal(written[name])
		if err != nil {
			t.Fatal(err)
		}
		report := decode(t, raw).(row)
		exact := report["exact"].(row)
		for _, m := range members {
			within(t, name+"."+m, number(report[m]).V, number(exact[m]).V, 0.00005+1e-12)
		}
	}
}
