package stats_test

import (
	"encoding/json"
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/rollmill/rollmill/stats"
)

func within(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if math.IsNaN(got) || math.Abs(got-want) > tolerance {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

func TestClopperPearson(t *testing.T) {
	for _, c := range []struct {
		s, n      int
		low, high float64
	}{ // solved from the binomial tails
		{1, 8, 0.003159724, 0.526509671}, {0, 10, 0, 0.308497105}, {10, 10, 0.691502895, 1}, {8, 10, 0.443904538, 0.974789274},
	} {
		iv := stats.ClopperPearson(c.s, c.n, 0.95)
		within(t, "low", iv.V.Low, c.low, 1e-8)
		within(t, "high", iv.V.High, c.high, 1e-8)
	}
	if stats.ClopperPearson(0, 0, 0.95).Valid {
		t.Error("an interval of nothing")
	}
}

// TestClopperPearsonCovers computes its coverage exactly: never below its level.
func TestClopperPearsonCovers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(t, "n")
		p := rapid.Float64Range(0.001, 0.999).Draw(t, "p")
		covered := 0.0
		for s := range n + 1 {
			if stats.ClopperPearson(s, n, 0.95).V.Contains(p) {
				lg := func(x int) float64 { v, _ := math.Lgamma(float64(x + 1)); return v }
				covered += math.Exp(lg(n) - lg(s) - lg(n-s) + float64(s)*math.Log(p) + float64(n-s)*math.Log1p(-p))
			}
		}
		if covered < 0.95-1e-9 {
			t.Fatalf("n=%d p=%v: covers %v", n, p, covered)
		}
	})
}

func TestBetaInterval(t *testing.T) {
	prior := stats.BetaInterval(0, 0, 1, 1, 0.95)
	within(t, "low of the uniform prior", prior.Low, 0.025, 1e-12)
	within(t, "high of the uniform prior", prior.High, 0.975, 1e-12)
	// Under a uniform prior 10 of 10 leaves Beta(11, 1): its distribution
	// function is x^11.
	all := stats.BetaInterval(10, 10, 1, 1, 0.95)
	within(t, "low", math.Pow(all.Low, 11), 0.025, 1e-12)
	within(t, "high", math.Pow(all.High, 11), 0.975, 1e-12)
	// Brown, Cai and DasGupta 2001, table 1: Jeffreys' interval of 0 in 10
	// without their change at the ends.
	jeffreys := stats.BetaInterval(0, 10, 0.5, 0.5, 0.95)
	within(t, "Jeffreys' high", jeffreys.High, 0.2172, 1e-4)
}

func TestStudentInterval(t *testing.T) {
	values := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	iv := stats.StudentInterval(values, 0.95)
	half := 2.2621571627409915 * math.Sqrt(55.0/6) / math.Sqrt(10)
	within(t, "low", iv.V.Low, 5.5-half, 1e-9)
	within(t, "high", iv.V.High, 5.5+half, 1e-9)
	if stats.StudentInterval([]float64{1}, 0.95).Valid {
		t.Error("an interval of one value")
	}
}

func TestTQuantileNearExact(t *testing.T) {
	if _, err := stats.TQuantile(3, 1); !errors.Is(err, stats.ErrArgument) {
		t.Errorf("level 1: %v", err)
	}
	got, err := stats.TQuantile(-4, 0.95) // counts as one degree of freedom
	if err != nil || got != 12.706 {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestNullIsWrittenAsNull(t *testing.T) {
	raw, err := json.Marshal([]any{
		stats.Null[float64]{}, stats.Of(math.NaN()), stats.Of(math.Inf(1)), stats.Of(0.5), stats.Of(3),
		stats.Of(stats.Interval{Low: 0.25, High: math.NaN()}), stats.Quantities{{Name: "a", Value: stats.Of(1.5)}, {Name: "b"}},
	})
	if want := `[null,null,null,0.5,3,[0.25,null],{"a":1.5,"b":null}]`; err != nil || string(raw) != want {
		t.Errorf("got %s, %v; want %s", raw, err, want)
	}
}

// TestClusterRobust holds the standard errors of ten tasks of four rollouts,
// five of which passed once.
func TestClusterRobust(t *testing.T) {
	var tasks []stats.Task
	for i := range 10 {
		tasks = append(tasks, stats.Task{Key: string(rune('a' + i)), N: 4, Passes: i % 2})
	}
	r := stats.ClusterRobust(tasks, 0)
	within(t, "mean", r.Mean.V, 0.125, 1e-12)
	within(t, "cluster-robust error", r.SE.V, 0.039528, 5e-7)
	within(t, "error of independent rows", r.NaiveSE.V, 0.052291, 5e-7)
	within(t, "error of task means", stats.StandardError(stats.RateMetric(tasks).Means()).V, 0.041667, 5e-7)
	within(t, "design effect", r.DesignEffect.V, 0.039528*0.039528/0.052291/0.052291, 1e-4)
	half := 2.2621571627409915 * r.SE.V
	within(t, "low", r.CI95.V.Low, 0.125-half, 1e-9)
	rows := stats.Wilson(5, 40, stats.NormalQuantile(0.975))
	within(t, "Wilson over rows, low", rows.V.Low, 0.054595, 5e-7)
	within(t, "Wilson over rows, high", rows.V.High, 0.261121, 5e-7)
}

// TestRepeatsAreNotIndependent: doubling every rollout of a task adds no
// evidence, so the errors over tasks stand while that over rows shrinks.
func TestRepeatsAreNotIndependent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var once, twice []stats.Task
		for i, c := range rapid.SliceOfN(rapid.IntRange(0, 4), 2, 30).Draw(t, "passes") {
			key := string(rune('a' + i))
			once = append(once, stats.Task{Key: key, N: 4, Passes: c})
			twice = append(twice, stats.Task{Key: key, N: 8, Passes: 2 * c})
		}
		a, b := stats.ClusterRobust(once, 0), stats.ClusterRobust(twice, 0)
		if math.Abs(a.SE.V-b.SE.V) > 1e-12 {
			t.Fatalf("cluster-robust error went from %v to %v", a.SE.V, b.SE.V)
		}
		if math.Abs(a.NaiveSE.V-b.NaiveSE.V*math.Sqrt2) > 1e-12 {
			t.Fatalf("the error of independent rows went from %v to %v", a.NaiveSE.V, b.NaiveSE.V)
		}
		x, y := stats.BootstrapMean(stats.RateMetric(once).Means(), stats.BootstrapOptions{Draws: 50}),
			stats.BootstrapMean(stats.RateMetric(twice).Means(), stats.BootstrapOptions{Draws: 50})
		if x != y {
			t.Fatalf("the bootstrap over tasks went from %v to %v", x, y)
		}
	})
}
