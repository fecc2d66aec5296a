package stats_test

import (
	"flag"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/rollmill/rollmill/stats"
)

var coverageStudy = flag.Bool("coverage", false, "run the coverage study of the 95 % intervals (about 80 s of one core)")

const (
	studyTrials = 4000
	studyK      = 4 // rollouts a task
)

// shapes are how hard the tasks of an evaluation may be.
var shapes = []struct {
	name string
	mean float64
	draw func(src rand.Source) func() float64
}{
	{"even", 0.45, func(src rand.Source) func() float64 { return distuv.Uniform{Min: 0.2, Max: 0.7, Src: src}.Rand }},
	{"two-sided", 0.5, func(src rand.Source) func() float64 { return distuv.Beta{Alpha: 0.5, Beta: 0.5, Src: src}.Rand }},
	{"rare", 0.05, func(src rand.Source) func() float64 { return distuv.Beta{Alpha: 0.5, Beta: 9.5, Src: src}.Rand }},
}

// study holds the shares of intervals that cover, in per cent, for each
// interval, shape, and 10, 20, 50, 200 tasks. The package comment tells them.
var study = map[string]map[string][4]float64{
	"bootstrap": {
		"even": {92.6, 93.8, 94.4, 95.2}, "two-sided": {93.2, 94.5, 94.5, 95.4}, "rare": {84.5, 88.5, 93.2, 94.5},
	},
	"paired bootstrap": {
		"even": {92.5, 94.2, 94.2, 95.2}, "two-sided": {93.3, 93.3, 94.4, 95.5}, "rare": {96.8, 94.9, 94.6, 95.5},
	},
	"student t": {
		"even": {94.4, 94.8, 94.5, 95.1}, "two-sided": {94.9, 94.8, 94.5, 95.5}, "rare": {84.7, 88.8, 92.1, 93.5},
	},
	"cluster-robust t": {
		"even": {93.5, 94.2, 94.2, 95.0}, "two-sided": {94.0, 94.3, 94.4, 95.4}, "rare": {84.7, 88.7, 91.9, 93.4},
	},
	"wilson over rows": {
		"even": {93.5, 91.0, 91.3, 91.5}, "two-sided": {80.6, 76.6, 76.6, 78.2}, "rare": {93.4, 90.6, 94.8, 92.2},
	},
}

var studyTasks = [4]int{10, 20, 50, 200}

// TestCoverageStudy measures how often each 95 % interval holds the true mean
// over all tasks that could have been drawn.
func TestCoverageStudy(t *testing.T) {
	if !*coverageStudy {
		t.Skip("a study, not a test: run with -coverage")
	}
	for _, shape := range shapes {
		got := map[string][4]float64{}
		for i, n := range studyTasks {
			rng := rand.New(rand.NewPCG(7, uint64(n)))
			draw := shape.draw(rng)
			hits := map[string]int{}
			for range studyTrials {
				count(hits, shape.mean, draw, rng, n)
			}
			for name, h := range hits {
				row := got[name]
				row[i] = math.Round(1000*float64(h)/studyTrials) / 10
				got[name] = row
			}
		}
		for _, name := range slices.Sorted(maps.Keys(got)) {
			shares := got[name]
			t.Logf("%-10s %-18s %v", shape.name, name, shares)
			for i, want := range study[name][shape.name] {
				if math.Abs(shares[i]-want) > 0.05 {
					t.Errorf("%s, %s, %d tasks: covers %.1f %%, the package comment says %.1f", name, shape.name, studyTasks[i], shares[i], want)
				}
			}
		}
	}
}

// count draws one evaluation, and one of the same tasks again, and counts the
// intervals that hold the truth.
func count(hits map[string]int, mean float64, difficulty func() float64, rng *rand.Rand, n int) {
	tasks := make([]stats.Task, n)
	rates, differences := make([]float64, n), make([]float64, n)
	passes := 0
	rollouts := func(p float64) int {
		c := 0
		for range studyK {
			if rng.Float64() < p {
				c++
			}
		}
		return c
	}
	for i := range tasks {
		p := difficulty()
		tasks[i] = stats.Task{Passes: rollouts(p), N: studyK}
		rates[i] = tasks[i].Rate()
		differences[i] = float64(rollouts(p))/studyK - rates[i]
		passes += tasks[i].Passes
	}
	boot := stats.BootstrapOptions{Seed: int64(rng.Uint64() >> 1)}
	tally := func(name string, iv stats.Null[stats.Interval], truth float64) {
		hits[name] += 0 // an interval that never covers is in the table too
		if iv.Valid && iv.V.Contains(truth) {
			hits[name]++
		}
	}
	tally("bootstrap", stats.BootstrapMean(rates, boot), mean)
	tally("student t", stats.StudentInterval(rates, 0.95), mean)
	tally("cluster-robust t", stats.ClusterRobust(tasks, 0.95).CI95, mean)
	tally("wilson over rows", stats.Wilson(passes, n*studyK, stats.Z95), mean)
	tally("paired bootstrap", stats.BootstrapMean(differences, boot), 0)
}
