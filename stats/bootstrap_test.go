package stats_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/rollmill/rollmill/stats"
)

// TestMultinomialEqualsParity resamples 200 sets of 5,000 tasks both ways. An
// end of a percentile interval of 2000 draws has a Monte Carlo error of
// sqrt(q(1-q)/2000)/f at its quantile q, f being the density there: 0.0598
// standard errors of the mean. So the differences of the two methods, in units
// of sqrt 2 times that, must be standard normal.
func TestMultinomialEqualsParity(t *testing.T) {
	sets, tasks := 200, 5000
	if testing.Short() {
		sets = 20
	}
	perEnd := math.Sqrt(0.025*0.975/2000) / (math.Exp(-1.959964*1.959964/2) / math.Sqrt(2*math.Pi))
	var z []float64
	for set := range sets {
		values := rates(tasks)
		rng := stats.NewMersenneTwister(int64(set))
		for i := range values { // every set has a pass rate of its own
			if rng.Float64() < float64(set)/float64(2*sets) {
				values[i] = 0
			}
		}
		parity := stats.BootstrapMean(values, stats.BootstrapOptions{Seed: int64(set), Method: stats.Parity}).V
		fast := stats.BootstrapMean(values, stats.BootstrapOptions{Seed: int64(set), Method: stats.Multinomial}).V
		unit := math.Sqrt2 * perEnd * stats.StandardError(values).V
		z = append(z, (fast.Low-parity.Low)/unit, (fast.High-parity.High)/unit)
	}
	mean, sd := stats.Mean(z), stats.SampleSD(z).V
	root := math.Sqrt(float64(len(z)))
	t.Logf("%d ends: mean %.3f, sd %.3f Monte Carlo errors", len(z), mean, sd)
	if math.Abs(mean) > 4/root {
		t.Errorf("the two methods differ by %.3f Monte Carlo errors on average, over %.3f", mean, 4/root)
	}
	if math.Abs(sd-1) > 4/math.Sqrt2/root {
		t.Errorf("their differences have a standard deviation of %.3f Monte Carlo errors, want 1", sd)
	}
	if worst := math.Max(slices.Max(z), -slices.Min(z)); worst > 4.5 {
		t.Errorf("the largest difference is %.2f Monte Carlo errors", worst)
	}
}

// TestMultinomialDistribution holds the resampled means against what is known
// of them: mean and variance, for few and for many distinct values.
func TestMultinomialDistribution(t *testing.T) {
	rng := stats.NewMersenneTwister(3)
	continuous := make([]float64, 3000)
	for i := range continuous {
		continuous[i] = rng.Float64()
	}
	for name, values := range map[string][]float64{"few distinct": rates(3000), "all distinct": continuous} {
		t.Run(name, func(t *testing.T) {
			means := make([]float64, 20_000)
			stats.NewResampler(values).AllMeans(1, means)
			n := float64(len(values))
			want := stats.SampleSD(values).V * math.Sqrt((n-1)/n) / math.Sqrt(n)
			if got := stats.SampleSD(means).V; math.Abs(got/want-1) > 4/math.Sqrt(2*20_000) {
				t.Errorf("sd of the means is %v, want %v", got, want)
			}
			if got := stats.Mean(means); math.Abs(got-stats.Mean(values)) > 4*want/math.Sqrt(20_000) {
				t.Errorf("mean of the means is %v, want %v", got, stats.Mean(values))
			}
		})
	}
}

// TestStreamsSplit fills streams in any order and gets what one call gives.
func TestStreamsSplit(t *testing.T) {
	r := stats.NewResampler(rates(20_000))
	whole := make([]float64, 250)
	r.AllMeans(9, whole)
	parts := make([]float64, 250)
	for _, stream := range []int{2, 0, 1} {
		from := stream * stats.StreamDraws
		r.Means(9, stream, parts[from:min(from+stats.StreamDraws, len(parts))])
	}
	if !slices.Equal(whole, parts) {
		t.Error("streams filled one by one differ from all at once")
	}
	other := make([]float64, 250)
	r.AllMeans(10, other)
	if slices.Equal(whole, other) {
		t.Error("another seed gives the same means")
	}
}

func TestMethodIsTold(t *testing.T) {
	for _, c := range []struct {
		tasks int
		ask   stats.Method
		want  stats.Method
	}{
		{stats.ParityMaxTasks, stats.Auto, stats.Parity},
		{stats.ParityMaxTasks + 1, stats.Auto, stats.Multinomial},
		{stats.ParityMaxTasks + 1, stats.Parity, stats.Parity},
		{10, stats.Multinomial, stats.Multinomial},
	} {
		m := stats.Metric{Name: stats.MetricPassAt1}
		for _, v := range rates(c.tasks) {
			m.Tasks = append(m.Tasks, stats.TaskMean{Mean: v, N: 8})
		}
		got := stats.Summarize(m, stats.BootstrapOptions{Method: c.ask, Draws: 10})
		if got.Resampling.Method != c.want {
			t.Errorf("%d tasks, asked %q: told %q, want %q", c.tasks, c.ask, got.Resampling.Method, c.want)
		}
		want := stats.BootstrapMean(m.Means(), stats.BootstrapOptions{Method: c.want, Draws: 10})
		if got.CI95 != want {
			t.Errorf("%d tasks, asked %q: interval %v is not that of %s", c.tasks, c.ask, got.CI95, c.want)
		}
	}
}

// TestSignFlip holds both ways of the permutation test against the exact
// p-value over all 2^10 signs.
func TestSignFlip(t *testing.T) {
	differences := []float64{0.25, 0.25, -0.125, 0.5, 0.125, 0, 0.25, -0.25, 0.375, 0.125}
	observed := stats.Mean(differences)
	extreme := 0
	for signs := range 1 << len(differences) {
		sum := 0.0
		for i, d := range differences {
			if signs>>i&1 == 1 {
				d = -d
			}
			sum += d
		}
		if math.Abs(sum/10) >= observed-1e-12 {
			extreme++
		}
	}
	exact := float64(extreme) / 1024
	const draws = 40_000
	for _, method := range []stats.Method{stats.Parity, stats.Multinomial} {
		got := stats.SignFlipP(differences, stats.BootstrapOptions{Method: method, Draws: draws})
		if math.Abs(got-exact) > 4*math.Sqrt(exact*(1-exact)/draws) {
			t.Errorf("%s: p = %v, want %v", method, got, exact)
		}
	}
}

// TestSignFlipMethodsAgree compares them where absolute values repeat, and
// where all differ.
func TestSignFlipMethodsAgree(t *testing.T) {
	rng := stats.NewMersenneTwister(5)
	for _, repeat := range []bool{true, false} {
		differences := make([]float64, 2000)
		for i := range differences {
			differences[i] = rng.Float64() - 0.49
			if repeat {
				differences[i] = float64(rng.Below(9)-4)/8 + 0.01
			}
		}
		a := stats.SignFlipP(differences, stats.BootstrapOptions{Method: stats.Parity})
		b := stats.SignFlipP(differences, stats.BootstrapOptions{Method: stats.Multinomial})
		if math.Abs(a-b) > 4*math.Sqrt(2*max(a*(1-a), 1e-4)/2000) {
			t.Errorf("repeat %v: parity %v, multinomial %v", repeat, a, b)
		}
	}
}

// TestUnpairedMethodsAgree does so for the difference of two unpaired sides.
func TestUnpairedMethodsAgree(t *testing.T) {
	side := func(prefix string, n int) stats.Metric {
		m := stats.Metric{Name: stats.MetricPassAt1}
		for i, v := range rates(n) {
			m.Tasks = append(m.Tasks, stats.TaskMean{Key: prefix + string(rune(i)), Mean: v, N: 8})
		}
		return m
	}
	a, b := side("a", 3000), side("b", 2000)
	parity := stats.Compare(a, b, stats.CompareOptions{Method: stats.Parity})
	fast := stats.Compare(a, b, stats.CompareOptions{Method: stats.Multinomial})
	se := math.Hypot(stats.StandardError(a.Means()).V, stats.StandardError(b.Means()).V)
	for _, d := range []float64{parity.CI95.V.Low - fast.CI95.V.Low, parity.CI95.V.High - fast.CI95.V.High} {
		if math.Abs(d) > 4*0.0598*math.Sqrt2*se {
			t.Errorf("parity %v, multinomial %v", parity.CI95, fast.CI95)
		}
	}
	if fast.Resampling.Method != stats.Multinomial || fast.Paired || fast.PValue.Valid {
		t.Errorf("got %+v", fast)
	}
}

func TestBootstrapProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(-1, 1), 0, 40).Draw(t, "values")
		o := stats.BootstrapOptions{
			Draws: rapid.IntRange(1, 300).Draw(t, "draws"), Seed: rapid.Int64().Draw(t, "seed"),
			Level:  rapid.Float64Range(0.01, 0.99).Draw(t, "level"),
			Method: rapid.SampledFrom([]stats.Method{stats.Parity, stats.Multinomial}).Draw(t, "method"),
		}
		before := slices.Clone(values)
		iv := stats.BootstrapMean(values, o)
		if !slices.Equal(before, values) {
			t.Fatal("the values were changed")
		}
		if iv.Valid != (len(values) >= stats.MinCITasks) {
			t.Fatalf("interval of %d values: %v", len(values), iv)
		}
		if !iv.Valid {
			return
		}
		const slack = 1e-12
		if iv.V.Low > iv.V.High+slack || iv.V.Low < slices.Min(values)-slack || iv.V.High > slices.Max(values)+slack {
			t.Fatalf("%v leaves the range of the values", iv.V)
		}
		if again := stats.BootstrapMean(values, o); again != iv {
			t.Fatalf("%v, and again %v", iv, again)
		}
	})
}
