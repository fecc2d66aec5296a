package stats

import (
	"fmt"
	"strings"
)

// familyErrorMinMetrics is the number of metrics from which on the chance that
// one of them moves by chance is told as a warning.
const familyErrorMinMetrics = 4

// Codes of the findings of a [DeltaReport].
const (
	CodeTrainSeeds       Code = "train_seeds"        // one training seed an arm
	CodeSingleRun        Code = "single_run"         // one eval run on a side
	CodeNoFloor          Code = "no_floor"           // metrics without a re-run standard deviation
	CodeDegenerateGuard  Code = "degenerate_guard"   // a guard that never varies guards nothing
	CodeGuardNotMeasured Code = "guard_not_measured" // a guard that no side measured
	CodeRoughSpread      Code = "rough_spread"       // run_std from fewer than 3 runs
	CodeBareRunStd       Code = "bare_run_std"       // run_std without the runs behind it
	CodeFamilyError      Code = "family_error"
	CodeOverOptimized    Code = "over_optimized"
	CodeInsideBand       Code = "inside_band"
	CodeRegression       Code = "regression"
	CodeSlip             Code = "slip"
	CodePairing          Code = "pairing"
	CodeSituations       Code = "situations"
	CodeSize             Code = "size" // how many tasks would show the gain
	CodeUnequalK         Code = "unequal_k"
	CodeBalanced         Code = "balanced"
	CodeTargetMissing    Code = "target_missing"
	CodeGroupDown        Code = "group_down"
	CodeConfigDiffers    Code = "config_differs"
	CodeTruncatedGap     Code = "truncated_gap"
	CodeGradedShare      Code = "graded_share"
	CodeSamePolicy       Code = "same_policy"
	CodeAnswered         Code = "answered"
	CodeUserDiffers      Code = "user_differs"
	CodeWriterDiffers    Code = "writer_differs"
	CodePeerIsAgent      Code = "peer_is_agent"
)

// warn collects the findings in the order in which they are printed.
func (d *delta) warn() {
	d.warnRuns()
	d.warnMetrics()
	d.checkSituations()
	d.warnSize()
	d.checkConfig()
	d.checkGraded()
	d.checkPolicy()
	d.checkAnswered()
	d.checkPeers()
}

func (d *delta) warnRuns() {
	r := d.r
	if r.Train.UnderReplicated {
		d.add(CodeTrainSeeds, Warning, "", quantities("before", r.Train.Before.Seeds, "after", r.Train.After.Seeds, "need", MinTrainSeeds),
			"one training seed in an arm: another seed may move as much, train each arm twice")
	}
	source := r.RunStdSource.Or("")
	if source == "" && (r.EvalRuns.Before < 2 || r.EvalRuns.After < 2) {
		d.add(CodeSingleRun, Warning, "", quantities("before", r.EvalRuns.Before, "after", r.EvalRuns.After),
			"one eval run on a side: re-run noise is unknown, run each side again or give run_std")
	}
	var bare []string
	for _, m := range r.Metrics {
		if m.NoiseNote == NoReplicateFloor {
			bare = append(bare, m.Metric)
		}
	}
	if len(bare) > 0 {
		d.add(CodeNoFloor, Warning, "", quantities("metrics", len(bare)), "no re-run standard deviation for "+strings.Join(bare, ", "))
	}
	for _, g := range r.DeadGuards {
		d.add(CodeDegenerateGuard, Warning, g, nil, g+" never varies on either side: as a guard it holds nothing back")
	}
	for _, g := range d.o.MustNotRegress {
		name := MetricName(g)
		if m, ok := r.Metrics.Get(name); !ok || m.GainVerdict == InsufficientData {
			d.add(CodeGuardNotMeasured, Warning, name, nil, name+" could not be compared: as a guard it holds nothing back")
		}
	}
	if source == "eval_run" && min(r.EvalRuns.Before, r.EvalRuns.After) < MinReruns {
		d.add(CodeRoughSpread, Warning, "", quantities("runs", min(r.EvalRuns.Before, r.EvalRuns.After), "need", MinReruns),
			fmt.Sprintf("run_std rests on fewer than %d runs a side", MinReruns))
	}
	if source == "given" && d.o.RunStdRuns == 0 {
		d.add(CodeBareRunStd, Warning, "", quantities("run_std", r.RunStd),
			"run_std was given without the number of runs behind it and is taken as known")
	}
}

func (d *delta) warnMetrics() {
	r := d.r
	moved := len(r.Improved) + len(r.Regressions) + len(r.Slipped)
	if r.NMetrics >= familyErrorMinMetrics && moved > 0 {
		d.add(CodeFamilyError, Warning, "", quantities("metrics", r.NMetrics, "family_error", r.FamilyError),
			fmt.Sprintf("%d metrics: the chance that one moves by chance is %s", r.NMetrics, percent(r.FamilyError, 0)))
	}
	if r.Ceiling {
		d.add(CodeCeiling, Warning, "", quantities("base", r.Metrics[0].MeanA, "ceiling", d.o.Ceiling),
			"the before side leaves little room for a gain: use harder tasks")
	}
	if r.OverOptimized {
		d.add(CodeOverOptimized, Blocking, r.Proxy.V, nil, r.Proxy.V+" rose without the target, or away from it: the proxy is over-optimized")
	}
	for _, name := range r.InNoise {
		m, _ := r.Metrics.Get(name)
		d.add(CodeInsideBand, Warning, name, quantities("delta", m.Delta, "band", m.NoiseBand),
			fmt.Sprintf("%s %s lies inside its noise band of %s", name, signed(m.Delta, 3), fixed(m.NoiseBand, 3)))
	}
	for _, name := range r.Regressions {
		m, _ := r.Metrics.Get(name)
		d.add(CodeRegression, Blocking, name, quantities("delta", m.Delta), fmt.Sprintf("%s must not regress and moved %s", name, signed(m.Delta, 3)))
	}
	for _, name := range r.Slipped {
		m, _ := r.Metrics.Get(name)
		d.add(CodeSlip, Warning, name, quantities("delta", m.Delta), fmt.Sprintf("%s got worse: %s", name, signed(m.Delta, 3)))
	}
	if note := d.headline.Note; note != "" {
		d.add(CodePairing, Warning, d.headline.Metric, quantities("n_paired", d.headline.NPaired,
			"n_only_a", d.headline.NOnlyA, "n_only_b", d.headline.NOnlyB), note)
	}
}

func (d *delta) warnSize() {
	r := d.r
	if r.HeadlineVerdict == NoChange {
		text := fmt.Sprintf("%d paired tasks resolve %s", d.headline.NPaired, signed(r.DetectableEffect, 3))
		if r.TasksNeeded.Valid {
			text += fmt.Sprintf("; a gain of %s needs %d (%s)", signed(d.headline.gain(), 3), r.TasksNeeded.V, r.TasksNeededSource.V)
		}
		d.add(CodeSize, Warning, "", quantities("detectable_effect", r.DetectableEffect, "tasks_needed", float64(r.TasksNeeded.V)), text)
	}
	if a, b := d.before.Config.K, d.after.Config.K; a > 0 && b > 0 && a != b {
		d.add(CodeUnequalK, Warning, "", quantities("before", a, "after", b),
			fmt.Sprintf("k is %d before and %d after: that costs precision, it does not bias", a, b))
	}
	if b := r.Balanced; b != nil {
		d.add(CodeBalanced, Warning, "", quantities("before", b.RowsDropped.Before, "after", b.RowsDropped.After, "tasks", b.TasksTrimmed),
			fmt.Sprintf("balanced: %d rows dropped before and %d after on %d tasks", b.RowsDropped.Before, b.RowsDropped.After, b.TasksTrimmed))
	}
	if r.TargetVerdict.V == TargetNotMeasured {
		d.add(CodeTargetMissing, Warning, r.Target.V, nil, r.Target.V+" was not measured: the headline is pass_at_1")
	}
	for _, g := range r.GroupsDown {
		d.add(CodeGroupDown, Warning, g, nil, d.headline.Metric+" got worse on slice "+g)
	}
}
