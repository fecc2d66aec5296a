package stats_test

import (
	"fmt"
	"testing"

	"github.com/rollmill/rollmill/stats"
)

// rates are the pass rates of n tasks of 8 rollouts, spread over all nine
// values.
func rates(n int) []float64 {
	rng := stats.NewMersenneTwister(1)
	values := make([]float64, n)
	for i := range values {
		values[i] = float64(rng.Below(9)) / 8
	}
	return values
}

func BenchmarkBootstrapMean(b *testing.B) {
	for _, c := range []struct {
		method stats.Method
		tasks  int
	}{
		{stats.Parity, 100}, {stats.Parity, 10_000},
		{stats.Multinomial, 10_000}, {stats.Multinomial, 1_000_000},
	} {
		b.Run(fmt.Sprintf("%s/%d", c.method, c.tasks), func(b *testing.B) {
			values := rates(c.tasks)
			b.ReportAllocs()
			for b.Loop() {
				stats.BootstrapMean(values, stats.BootstrapOptions{Method: c.method})
			}
		})
	}
}

// BenchmarkPassAt measures pass@1, pass@k and pass^k with their three intervals;
// the figure a task is what a stream of rows pays.
func BenchmarkPassAt(b *testing.B) {
	for _, n := range []int{1000, 10_000, 1_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			rng := stats.NewMersenneTwister(1)
			tasks := make([]stats.Task, n)
			for i := range tasks {
				tasks[i] = stats.Task{N: 8, Passes: rng.Below(9)}
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := stats.PassAt(stats.PassInput{Tasks: tasks}, stats.PassOptions{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/task")
		})
	}
}

func BenchmarkPassAtK(b *testing.B) {
	for _, c := range []struct{ n, c, k int }{{8, 3, 4}, {64, 32, 16}, {20_000, 2, 10_000}, {1000, 500, 100}} {
		b.Run(fmt.Sprintf("n=%d,c=%d,k=%d", c.n, c.c, c.k), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				stats.PassAtK(c.n, c.c, c.k)
			}
		})
	}
}

func BenchmarkCompare(b *testing.B) {
	for _, n := range []int{1000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			side := func(seed int64) stats.Metric {
				rng, m := stats.NewMersenneTwister(seed), stats.Metric{Name: stats.MetricPassAt1}
				for i := range n {
					m.Tasks = append(m.Tasks, stats.TaskMean{Key: fmt.Sprint(i), Mean: float64(rng.Below(9)) / 8, N: 8})
				}
				return m
			}
			before, after := side(1), side(2)
			b.ReportAllocs()
			for b.Loop() {
				stats.Compare(before, after, stats.CompareOptions{})
			}
		})
	}
}
