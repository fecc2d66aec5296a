package stats_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/rollmill/rollmill/stats"
)

// fourObservers is example C of Krippendorff 2011, "Computing Krippendorff's
// Alpha-Reliability": twelve units, four observers, gaps. Ratings a unit.
var fourObservers = [][]float64{
	{1, 1, 1}, {2, 2, 3, 2}, {3, 3, 3, 3}, {3, 3, 3, 3}, {2, 2, 2, 2}, {1, 2, 3, 4},
	{4, 4, 4, 4}, {1, 1, 2, 1}, {2, 2, 2, 2}, {5, 5, 5}, {1, 1}, {3},
}

func TestKrippendorffAlpha(t *testing.T) {
	for _, c := range []struct {
		name  string
		units [][]float64
		scale stats.Scale
		want  float64
	}{
		{"example C, nominal", fourObservers, stats.NominalScale, 0.743},
		{"example C, ordinal", fourObservers, stats.OrdinalScale, 0.815},
		{"example C, interval", fourObservers, stats.IntervalScale, 0.849},
		{"example A, two observers, two values", [][]float64{
			{0, 1}, {1, 1}, {0, 1}, {0, 0}, {0, 0}, {0, 1}, {0, 0}, {0, 0}, {1, 0}, {0, 0},
		}, stats.NominalScale, 0.095},
	} {
		got, err := stats.KrippendorffAlpha(c.units, c.scale)
		if err != nil {
			t.Fatal(err)
		}
		within(t, c.name, got.Alpha.V, c.want, 0.0005)
	}
	got, _ := stats.KrippendorffAlpha(fourObservers, stats.NominalScale)
	if got.Units != 11 || got.Ratings != 40 {
		t.Errorf("counted %d units and %d ratings, want 11 and 40", got.Units, got.Ratings)
	}
}

func TestKrippendorffUndefined(t *testing.T) {
	for name, units := range map[string][][]float64{
		"no ratings": nil, "nothing to pair": {{1}, {2}}, "one value throughout": {{1, 1}, {1, 1, 1}},
	} {
		if got, err := stats.KrippendorffAlpha(units, stats.OrdinalScale); err != nil || got.Alpha.Valid {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	if _, err := stats.KrippendorffAlpha(nil, "ratio"); !errors.Is(err, stats.ErrArgument) {
		t.Errorf("unknown scale: %v", err)
	}
}

// TestAlphaProperties: full agreement is 1, the order of ratings within a unit
// does not matter, and two values make all scales one.
func TestAlphaProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		unit := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) float64 { return float64(rapid.IntRange(0, 1).Draw(t, "rating")) }), 1, 4)
		units := rapid.SliceOfN(unit, 1, 12).Draw(t, "units")
		nominal, _ := stats.KrippendorffAlpha(units, stats.NominalScale)
		interval, _ := stats.KrippendorffAlpha(units, stats.IntervalScale)
		ordinal, _ := stats.KrippendorffAlpha(units, stats.OrdinalScale)
		if nominal.Alpha.Valid != interval.Alpha.Valid || math.Abs(nominal.Alpha.V-interval.Alpha.V) > 1e-9 || math.Abs(nominal.Alpha.V-ordinal.Alpha.V) > 1e-9 {
			t.Fatalf("scales of two values differ: %v %v %v", nominal.Alpha, ordinal.Alpha, interval.Alpha)
		}
		for _, u := range units {
			slices.Reverse(u)
		}
		if again, _ := stats.KrippendorffAlpha(units, stats.NominalScale); math.Abs(again.Alpha.V-nominal.Alpha.V) > 1e-12 {
			t.Fatalf("%v after reordering, %v before", again.Alpha, nominal.Alpha)
		}
		agreed := [][]float64{{0, 0}, {1, 1, 1}}
		if a, _ := stats.KrippendorffAlpha(agreed, stats.NominalScale); a.Alpha.V != 1 {
			t.Fatalf("full agreement is %v", a.Alpha)
		}
	})
}

// TestCohenKappaCategories works three categories by hand: 10 rows, 7 agreed;
// shares 0.4 0.3 0.3 and 0.5 0.3 0.2 give 0.35 by chance.
func TestCohenKappaCategories(t *testing.T) {
	a := []string{"x", "x", "x", "x", "y", "y", "y", "z", "z", "z"}
	b := []string{"x", "x", "x", "y", "y", "y", "x", "x", "z", "z"}
	got, err := stats.CohenKappa(a, b)
	if err != nil || got.N != 10 || got.OneLabel {
		t.Fatalf("%+v, %v", got, err)
	}
	within(t, "agreement", got.Agreement.V, 0.7, 1e-12)
	within(t, "expected", got.Expected.V, 0.35, 1e-12)
	within(t, "kappa", got.Kappa.V, 0.35/0.65, 1e-12)
	if _, err := stats.CohenKappa(a, b[1:]); !errors.Is(err, stats.ErrArgument) {
		t.Errorf("lists of unequal length: %v", err)
	}
	if got, err := stats.CohenKappa[int](nil, nil); err != nil || got.Kappa.Valid || got.Agreement.Valid || got.OneLabel {
		t.Errorf("nothing: %+v, %v", got, err)
	}
}

// TestKappaTwins: on two labels the confusion's kappa is that of the lists.
func TestKappaTwins(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		label := rapid.SampledFrom([]stats.Label{stats.Fail, stats.Pass})
		n := rapid.IntRange(1, 40).Draw(t, "n")
		judge, gold := rapid.SliceOfN(label, n, n).Draw(t, "judge"), rapid.SliceOfN(label, n, n).Draw(t, "gold")
		var c stats.Confusion
		for i := range judge {
			c.Add(judge[i], gold[i])
		}
		lists, err := stats.CohenKappa(judge, gold)
		if err != nil {
			t.Fatal(err)
		}
		if lists.OneLabel {
			if k := c.Kappa(); k.V != 1 {
				t.Fatalf("one label: the reference says 1, not %v", k)
			}
			return
		}
		if math.Abs(lists.Kappa.V-c.Kappa().V) > 1e-9 {
			t.Fatalf("%v and %v", lists.Kappa, c.Kappa())
		}
	})
}

func TestCorrectPassRate(t *testing.T) {
	gold := stats.Confusion{TP: 90, FN: 10, TN: 70, FP: 30}
	got, err := stats.CorrectPassRate(stats.JudgedRate{Passes: 740, N: 1000, Gold: gold}, 0)
	if err != nil {
		t.Fatal(err)
	}
	within(t, "rate", got.Rate.V, (0.74+0.7-1)/(0.7+0.9-1), 1e-12)
	if !got.CI95.V.Contains(got.Rate.V) || got.CI95.V.HalfWidth() < 0.05 {
		t.Errorf("interval %v", got.CI95)
	}
	few, _ := stats.CorrectPassRate(stats.JudgedRate{Passes: 740, N: 1000, EffectiveN: 100, Gold: gold}, 0)
	if few.CI95.V.HalfWidth() <= got.CI95.V.HalfWidth() {
		t.Errorf("fewer independent rollouts gave %v, not wider than %v", few.CI95, got.CI95)
	}
	perfect := stats.Confusion{TP: 50, TN: 50}
	exact, _ := stats.CorrectPassRate(stats.JudgedRate{Passes: 3, N: 10, Gold: perfect}, 0)
	within(t, "rate by a perfect judge", exact.Rate.V, 0.3, 1e-12)
}

func TestCorrectPassRateLimits(t *testing.T) {
	for _, c := range []struct {
		name  string
		in    stats.JudgedRate
		valid bool
		code  stats.Code
	}{
		{"a coin", stats.JudgedRate{Passes: 5, N: 10, Gold: stats.Confusion{TP: 5, FN: 5, TN: 5, FP: 5}}, false, stats.CodeUninformative},
		{"cut at 0", stats.JudgedRate{Passes: 0, N: 10, Gold: stats.Confusion{TP: 9, FN: 1, TN: 8, FP: 2}}, true, stats.CodeOutOfRange},
		{"cut at 1", stats.JudgedRate{Passes: 10, N: 10, Gold: stats.Confusion{TP: 9, FN: 1, TN: 8, FP: 2}}, true, stats.CodeOutOfRange},
		{"one class of gold", stats.JudgedRate{Passes: 1, N: 10, Gold: stats.Confusion{TP: 9}}, false, ""},
		{"nothing judged", stats.JudgedRate{Gold: stats.Confusion{TP: 9, TN: 9}}, false, ""},
	} {
		got, err := stats.CorrectPassRate(c.in, 0)
		if err != nil {
			t.Fatal(err)
		}
		var code stats.Code
		if len(got.Findings) > 0 {
			code = got.Findings[0].Code
		}
		if got.Rate.Valid != c.valid || got.CI95.Valid != c.valid || code != c.code {
			t.Errorf("%s: %+v", c.name, got)
		}
		if got.Rate.V < 0 || got.Rate.V > 1 {
			t.Errorf("%s: rate %v", c.name, got.Rate)
		}
	}
	if _, err := stats.CorrectPassRate(stats.JudgedRate{}, 2); !errors.Is(err, stats.ErrArgument) {
		t.Errorf("level 2: %v", err)
	}
}

// TestCorrectedIntervalCovers simulates judges and gold samples: the interval
// holds the true pass rate at about its level, which the naive one does not.
func TestCorrectedIntervalCovers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	count := func(n int, p float64) (hits int) {
		for range n {
			if rng.Float64() < p {
				hits++
			}
		}
		return hits
	}
	const trials = 3000
	for _, c := range []struct {
		theta, q0, q1 float64
		n, m0, m1     int
	}{{0.5, 0.9, 0.8, 500, 50, 50}, {0.2, 0.85, 0.9, 1000, 100, 40}, {0.9, 0.7, 0.95, 300, 30, 60}} {
		hits, naive := 0, 0
		for range trials {
			in := stats.JudgedRate{N: c.n, Passes: count(c.n, c.theta*c.q1+(1-c.theta)*(1-c.q0))}
			in.Gold.TP, in.Gold.TN = count(c.m1, c.q1), count(c.m0, c.q0)
			in.Gold.FN, in.Gold.FP = c.m1-in.Gold.TP, c.m0-in.Gold.TN
			got, err := stats.CorrectPassRate(in, 0)
			if err != nil {
				t.Fatal(err)
			}
			if got.CI95.V.Contains(c.theta) {
				hits++
			}
			if stats.Wilson(in.Passes, in.N, stats.Z95).V.Contains(c.theta) {
				naive++
			}
		}
		share := float64(hits) / trials
		t.Logf("%+v: covers %.3f, uncorrected %.3f", c, share, float64(naive)/trials)
		if share < 0.94 || share > 0.98 {
			t.Errorf("%+v: covers %.3f", c, share)
		}
	}
}

// TestLlama2Numbers takes mean, score and size from the table of appendix A.6
// of Llama 2 (70B: HellaSwag at L=40, MMLU-Humanities at L=50); scores are
// printed to 0.1 points there, which moves Z by up to 0.2.
func TestLlama2Numbers(t *testing.T) {
	for _, c := range []struct {
		n           int
		score, mean float64
		z           float64
	}{
		{7391, 0.800, 0.825, -5.73}, {2651, 0.895, 0.825, 9.56}, {9194, 0.816, 0.825, -2.27}, {848, 0.922, 0.825, 7.42},
		{3996, 0.622, 0.653, -4.08}, {709, 0.827, 0.653, 9.71}, {4185, 0.627, 0.653, -3.50}, {520, 0.858, 0.653, 9.80},
	} {
		within(t, "Z", stats.SubsetZ(c.score, c.n, c.mean, math.Sqrt(c.mean*(1-c.mean))).V, c.z, 0.2)
	}
}

func TestContaminationTest(t *testing.T) {
	var items []stats.ScoredItem
	add := func(n, right int, contamination float64) {
		for i := range n {
			it := stats.ScoredItem{Contamination: contamination}
			if i < right {
				it.Score = 1
			}
			items = append(items, it)
		}
	}
	add(600, 240, 0)
	add(100, 50, 0.2) // exactly at the threshold: not clean
	add(100, 60, 0.5)
	add(200, 190, 0.8) // exactly at the threshold: dirty
	r := stats.ContaminationTest(items)
	want := []struct {
		n     int
		score float64
	}{{600, 0.4}, {400, 0.75}, {800, 0.4375}, {200, 0.95}}
	sd := math.Sqrt(0.54 * 0.46)
	for i, w := range want {
		s := r.Subsets[i]
		if s.N != w.n {
			t.Errorf("%s has %d items, want %d", s.Name, s.N, w.n)
		}
		within(t, s.Name, s.Score.V, w.score, 1e-12)
		within(t, s.Name+" Z", s.Z.V, (w.score-0.54)/(sd/math.Sqrt(float64(w.n))), 1e-9)
	}
	if !r.Affected || !r.Measurable {
		t.Errorf("got %+v", r)
	}
	if r := stats.ContaminationTest(items[:600]); r.Affected || r.Measurable {
		t.Errorf("all clean: %+v", r)
	}
	if r := stats.ContaminationTest(nil); r.Affected || r.Mean.Valid {
		t.Errorf("nothing: %+v", r)
	}
}

func TestAttachLabels(t *testing.T) {
	targets := []stats.LabelTarget{
		{Keys: []string{"r1", "s#0"}, Labels: []stats.GoldLabel{{Label: stats.Fail, Kind: "human"}}},
		{Keys: []string{"r2", "s#1"}},
		{Keys: []string{"r3"}},
	}
	label := func(key string, l stats.Label, by, kind string) stats.KeyedLabel {
		return stats.KeyedLabel{Key: key, GoldLabel: stats.GoldLabel{Label: l, Annotator: by, Kind: kind}}
	}
	labels := []stats.KeyedLabel{
		label("s#0", stats.Pass, "ben", ""), label("r2", stats.Pass, "ana", "verifier"), label("r2", stats.Pass, "", "model"),
		label("nowhere", stats.Pass, "", ""), label("r3", stats.NoLabel, "", ""),
	}
	got, r, err := stats.AttachLabels(targets, labels, stats.AttachOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Labels != 5 || r.Matched != 3 || r.Unmatched != 1 || r.Invalid != 1 || r.RowsLabeled != 2 || r.Ties != 1 ||
		!slices.Equal(r.Annotators, []string{"ana", "ben", "unknown"}) || !slices.Equal(r.UnmatchedKeys, []string{"nowhere"}) {
		t.Errorf("report %+v", r)
	}
	if got[0].Row != 0 || got[0].Gold != stats.NoLabel || got[0].Kind.Valid || len(got[0].Labels) != 2 {
		t.Errorf("tied row: %+v", got[0])
	}
	if got[1].Row != 1 || got[1].Gold != stats.Pass || got[1].Kind.V != stats.KindModel {
		t.Errorf("labelled row: %+v", got[1])
	}
	if len(targets[0].Labels) != 1 {
		t.Error("the target was changed")
	}
	replaced, r, err := stats.AttachLabels(targets, labels[:1], stats.AttachOptions{Replace: true})
	if err != nil || r.Ties != 0 || len(replaced[0].Labels) != 1 || replaced[0].Gold != stats.Pass {
		t.Errorf("replaced: %+v, %+v, %v", replaced, r, err)
	}
	if _, _, err := stats.AttachLabels(targets, []stats.KeyedLabel{label("r1", stats.Pass, "", "guess")}, stats.AttachOptions{}); !errors.Is(err, stats.ErrArgument) {
		t.Errorf("unknown kind: %v", err)
	}
}
