package stats_test

import (
	"fmt"

	"github.com/rollmill/rollmill/stats"
)

func ExamplePassAt() {
	report, err := stats.PassAt(stats.PassInput{Tasks: []stats.Task{
		{Key: "refund", N: 4, Passes: 3},
		{Key: "rebook", N: 4, Passes: 1},
		{Key: "cancel", N: 4, Passes: 4},
		{Key: "upgrade", N: 3, Passes: 0, Unscored: 1}, // a judge that timed out is no failure
	}}, stats.PassOptions{K: 3, MinK: 3})
	if err != nil {
		panic(err)
	}
	fmt.Println(report)
	// Output:
	// pass@1 0.50 [0.12..0.88] | pass^3 (pass_pow_k) 0.31 [0.00..0.75] | pass@3 0.69 [0.25..1.00] | headroom 0.19 (4 groups, k=3; 15 of 16 rollouts scored (1 unscored, 0 invalid) on 4 of 4 tasks, pass@1 0.50..0.56 if those counted)
}

func ExamplePassAtK() {
	fmt.Println(stats.PassAtK(10, 1, 5).V) // one pass in ten
	fmt.Println(stats.PassAtK(2, 0, 5))    // fewer rollouts than k: no estimate
	fmt.Println(stats.PassPowK(4, 3, 2).V) // both of two
	fmt.Println(stats.MajorityAtK(3, []int{2, 2, 1}, 3).V > stats.PassPowK(8, 3, 3).V)
	// Output:
	// 0.5
	// {0 false}
	// 0.5
	// true
}

func ExampleCompare() {
	rates := func(values ...float64) stats.Metric {
		m := stats.Metric{Name: stats.MetricPassAt1}
		for i, v := range values {
			m.Tasks = append(m.Tasks, stats.TaskMean{Key: fmt.Sprint("task ", i), Mean: v, N: 4})
		}
		return m
	}
	before := rates(0.25, 0.5, 0.25, 0, 0.75, 0.5, 0.25, 0.5)
	after := rates(0.5, 0.75, 0.25, 0.25, 1, 0.75, 0.5, 0.5)
	c := stats.Compare(before, after, stats.CompareOptions{})
	fmt.Println(c)
	fmt.Printf("%s, p = %.3f\n", c.Verdict, c.PValue.V)
	// Output:
	// pass_at_1                    0.375 -> 0.562  +0.188 [+0.125..+0.250]  up  (8 paired)
	// b_better, p = 0.035
}

func ExampleDelta() {
	side := func(passes int) stats.Side {
		var tasks []stats.Task
		for i := range 40 {
			tasks = append(tasks, stats.Task{Key: fmt.Sprint("task ", i), N: 4, Passes: min(4, passes+i%2)})
		}
		return stats.Side{Metrics: []stats.Metric{stats.RateMetric(tasks)}}
	}
	report, err := stats.Delta(side(1), side(2), stats.DeltaOptions{
		Target: "pass_at_1", RunStd: stats.Of(0.02), RunStdRuns: 5,
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(report)
	// Output:
	// pass_at_1: moved (+0.250, 95% +0.250..+0.250, 40 paired tasks)
	// PASS
	// eval noise: run_std 0.020, a delta under 0.079 is noise (t(df=4)=2.78 x run_std x sqrt(1/1 + 1/1); given)
	// repeated: 1 run, noise from the given run_std
	//   pass_at_1                    0.375 -> 0.625  +0.250 [+0.250..+0.250]  up  (40 paired)  noise<0.079
}

func ExampleHoldoutSize() {
	r, err := stats.HoldoutSize(0.05, stats.HoldoutOptions{Base: stats.Of(0.4), K: 8})
	if err != nil {
		panic(err)
	}
	fmt.Println(r)
	// Output:
	// holdout 192 paired tasks for a +0.050 gain at k=8 (base 0.40, power 0.80, alpha 0.05)
	// task_std 0.2469 (model), half-width 0.0349
	// note: task_std is modelled: every task gains alike, rollouts are independent
}

func ExampleTrust() {
	var rows []stats.TrustRow
	add := func(n int, judge, gold stats.Label) {
		for range n {
			rows = append(rows, stats.TrustRow{
				Task: fmt.Sprint("task ", len(rows)), Judge: judge, Gold: gold,
				Strict: stats.LabelPair{Judge: judge, Gold: gold, GoldKind: stats.KindHuman},
			})
		}
	}
	add(9, stats.Pass, stats.Pass)
	add(1, stats.Fail, stats.Pass)
	add(10, stats.Fail, stats.Fail)
	fmt.Println(stats.Trust(stats.TrustInput{Rows: rows}, stats.TrustOptions{}))
	// Output:
	// FAIL
	// agreement 95% (95% 76%..99%, n=20), kappa 0.90
	// confusion tp 9, fp 0, fn 1, tn 10; leak 0.00, miss 0.10
	// half a: agreement 100% (n=10)
	// half b: agreement 90% (n=10)
	// disagreements to review: 1
	// ! agreement 95% has lower bound 0.76 under 0.80 (n=20): label about 25 rows
	// ! coarse: 20 labels, want 50
}

func ExampleCorrectPassRate() {
	r, err := stats.CorrectPassRate(stats.JudgedRate{
		Passes: 740, N: 1000,
		Gold: stats.Confusion{TP: 45, FN: 5, TN: 35, FP: 15}, // on 100 labelled rows
	}, 0.95)
	if err != nil {
		panic(err)
	}
	fmt.Println(r)
	// Output:
	// pass rate 0.733 [0.617..0.885] corrected from 0.740 (sensitivity 0.900 on 50 gold passes, specificity 0.700 on 50 gold failures)
}

// Streams of resamples may be filled by several workers: the result is that of
// one.
func ExampleResampler() {
	values := make([]float64, 20_000)
	for i := range values {
		values[i] = float64(i%5) / 4
	}
	r := stats.NewResampler(values)
	means := make([]float64, 2000)
	for stream := range len(means) / stats.StreamDraws { // each turn could be a task of its own
		r.Means(7, stream, means[stream*stats.StreamDraws:][:stats.StreamDraws])
	}
	iv := stats.PercentileInterval(means, 0.95)
	fmt.Printf("%.3f [%.3f..%.3f]\n", stats.Mean(values), iv.Low, iv.High)
	// Output:
	// 0.500 [0.495..0.505]
}

func ExampleKrippendorffAlpha() {
	report, err := stats.KrippendorffAlpha([][]float64{
		{1, 1, 1}, {2, 2, 3}, {3, 3}, {1, 2, 2}, {4, 4, 4}, {2}, // the last unit has one rating and does not count
	}, stats.OrdinalScale)
	if err != nil {
		panic(err)
	}
	fmt.Println(report)
	// Output:
	// Krippendorff's alpha (ordinal) 0.877 over 14 ratings of 5 units
}
