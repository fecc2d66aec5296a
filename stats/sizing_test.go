package stats_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rollmill/rollmill/stats"
)

func TestHoldoutOptionsOutOfRange(t *testing.T) {
	rates := metric(stats.MetricPassAt1, 0.5, 0.5, 0.25).Tasks
	for name, c := range map[string]struct {
		effect float64
		o      stats.HoldoutOptions
	}{
		"effect 0":              {0, stats.HoldoutOptions{}},
		"effect 1":              {1, stats.HoldoutOptions{}},
		"power 1":               {0.1, stats.HoldoutOptions{Power: 1}},
		"alpha below 0":         {0.1, stats.HoldoutOptions{Alpha: -0.1}},
		"negative sd":           {0.1, stats.HoldoutOptions{TaskStd: -1}},
		"after alone":           {0.1, stats.HoldoutOptions{After: rates}},
		"nothing graded before": {0.1, stats.HoldoutOptions{Before: []stats.TaskMean{}}},
		"two shared tasks":      {0.1, stats.HoldoutOptions{Before: rates, After: rates[:2]}},
	} {
		if _, err := stats.HoldoutSize(c.effect, c.o); !errors.Is(err, stats.ErrArgument) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := stats.EvalPower(rates, stats.PowerOptions{Band: &stats.Interval{Low: 0.8, High: 0.2}}); !errors.Is(err, stats.ErrArgument) {
		t.Errorf("a band upside down: %v", err)
	}
}

// TestHoldoutFindings: the codes say what the words say.
func TestHoldoutFindings(t *testing.T) {
	full := metric(stats.MetricPassAt1, 1, 1, 1, 1).Tasks
	spread := metric(stats.MetricPassAt1, 0.25, 0.75, 0.5, 0.5).Tasks
	flat := metric(stats.MetricPassAt1, 0.5, 0.5, 0.5, 0.5).Tasks
	for name, c := range map[string]struct {
		o    stats.HoldoutOptions
		want []stats.Code
	}{
		"model":      {stats.HoldoutOptions{}, []stats.Code{stats.CodeAssumption}},
		"ceiling":    {stats.HoldoutOptions{Before: full}, []stats.Code{stats.CodeCeiling, stats.CodeAssumption}},
		"degenerate": {stats.HoldoutOptions{Before: flat, After: flat}, []stats.Code{stats.CodeDegenerate, stats.CodeAssumption}},
		"spread":     {stats.HoldoutOptions{Before: spread}, []stats.Code{stats.CodeAssumption, stats.CodeIndependence}},
	} {
		r, err := stats.HoldoutSize(0.1, c.o)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(codes(r.Findings), c.want) {
			t.Errorf("%s: %v, want %v", name, codes(r.Findings), c.want)
		}
		if len(r.Notes)+len(r.Warnings) != len(r.Findings) {
			t.Errorf("%s: %d notes and %d warnings of %d findings", name, len(r.Notes), len(r.Warnings), len(r.Findings))
		}
	}
}

// TestSizesAreConsistent: the size for the detectable effect of n tasks is n
// again, give or take the rounding of the effect to 4 digits.
func TestSizesAreConsistent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(10, 2000).Draw(t, "n")
		base := rapid.Float64Range(0.1, 0.6).Draw(t, "base")
		k := rapid.IntRange(1, 16).Draw(t, "k")
		effect, err := stats.DetectableEffect(n, stats.DetectableOptions{Base: stats.Of(base), K: k})
		if err != nil || !effect.Valid {
			t.Fatalf("%v, %v", effect, err)
		}
		if effect.V >= 1 || effect.V > 0.35 {
			return // beyond where the iteration settles in 12 steps
		}
		r, err := stats.HoldoutSize(effect.V, stats.HoldoutOptions{Base: stats.Of(base), K: k})
		if err != nil {
			t.Fatal(err)
		}
		if slack := 1 + float64(n)*0.0002/effect.V; math.Abs(float64(r.Tasks-n)) > slack {
			t.Fatalf("%d tasks resolve %v, which needs %d", n, effect.V, r.Tasks)
		}
	})
}

func TestEvalVarianceNotes(t *testing.T) {
	run := func(label string, values ...float64) stats.Part {
		return stats.Part{Label: label, Metrics: []stats.Metric{metric(stats.MetricPassAt1, values...), metric("marker:x", values...)}}
	}
	empty := stats.Part{Label: "c"}
	r, err := stats.EvalVariance([]stats.Part{run("a", 0.5, 0.5), run("b", 0.5, 1, 1), empty}, "", 3)
	if err != nil {
		t.Fatal(err)
	}
	if want := []stats.Code{stats.CodeUnkeyed, stats.CodeFewRuns, stats.CodeTasksDiffer}; !slices.Equal(codes(r.Findings), want) {
		t.Errorf("findings %v, want %v", codes(r.Findings), want)
	}
	if r.Runs != 2 || r.Means[2].Value.Valid || r.Unkeyed != 3 || r.TasksInEvery != 0 || len(r.ByMetric) != 1 {
		t.Errorf("%+v", r)
	}
	both, err := stats.EvalVariance([]stats.Part{run("a", 0.5, 0.5), run("b", 0.5, 1)}, "x", 0)
	if err != nil || both.Metric != "marker:x" || len(both.ByMetric) != 2 || both.ByMetric[1].Name != "marker:x" {
		t.Errorf("%+v, %v", both, err)
	}
	within(t, "exact standard deviation", both.Exact.RunStd.V, 0.25/math.Sqrt2, 1e-12)
	if _, err := stats.EvalVariance(nil, "", 0); !errors.Is(err, stats.ErrArgument) {
		t.Errorf("no run: %v", err)
	}
}

func TestNoiseBandOutOfRange(t *testing.T) {
	if _, err := stats.NoiseBand(0.1, stats.NoiseOptions{RunsA: -1}); !errors.Is(err, stats.ErrArgument) || !strings.Contains(err.Error(), "RunsA") {
		t.Errorf("got %v", err)
	}
}

// TestPublishedSelfCheck repeats the published table of 400 trials.
func TestPublishedSelfCheck(t *testing.T) {
	if testing.Short() {
		t.Skip("400 trials of eight checks")
	}
	r, err := stats.SelfCheck(stats.SelfCheckOptions{Trials: 400})
	if err != nil {
		t.Fatal(err)
	}
	want := []float64{6.0, 91.8, 94.0, 9.8, 32.5, 19.2, 42.2, 3.8}
	for i, c := range r.Checks {
		if got := stats.Round(100*c.Rate, 1); got != want[i] || !c.OK || !c.Agrees {
			t.Errorf("%s: %v %%, want %v: %+v", c.Check, got, want[i], c)
		}
	}
	if _, err := stats.SelfCheck(stats.SelfCheckOptions{Only: []string{"nope"}}); !errors.Is(err, stats.ErrArgument) {
		t.Errorf("an unknown check: %v", err)
	}
}
