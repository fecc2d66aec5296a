package measure_test

import (
	"context"
	"fmt"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/measure"
	"github.com/rollmill/rollmill/stats"
	"github.com/rollmill/rollmill/stream"
)

// rollouts makes rows of rewards a task.
func rollouts(tasks ...[]float64) []rollout.Row {
	var rows []rollout.Row
	for i, rewards := range tasks {
		for j, reward := range rewards {
			rows = append(rows, rollout.Row{
				Pos:    rollout.Pos{Record: int64(len(rows) + 1)},
				TaskID: fmt.Sprintf("task-%d", i), Index: rollout.Integer(int64(j)), Reward: rollout.Number(reward),
			})
		}
	}
	return rows
}

func Example() {
	a := measure.New(measure.Options{})
	a.Add(rollouts([]float64{1, 0, 1, 1}, []float64{0, 0, 1, 0}, []float64{1, 1, 1, 1}))
	reports, err := a.Result().PassAt(measure.PassOptions{}, 4)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(reports[0])
	// Output:
	// pass@1 0.67 [0.25..1.00] | pass^4 (pass_pow_k) 0.33 [0.00..1.00] | pass@4 1.00 [1.00..1.00] | headroom 0.33 (3 groups, k=4)
}

// Rows of a flow are counted by several workers.
func ExampleSink() {
	rows := stream.FromSlice(rollouts([]float64{1, 0}, []float64{0, 0}, []float64{1, 1}))
	a := measure.New(measure.Options{})
	if _, err := stream.Run(context.Background(), stream.To(rows, measure.Sink(a, 4))); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(stats.CoverageOf(a.Result().Tasks()))
	// Output:
	// 6 of 6 rollouts scored (0 unscored, 0 invalid) on 3 of 3 tasks
}

// Two sides are counted alike and compared task by task.
func ExampleResult_Side() {
	count := func(tasks ...[]float64) stats.Side {
		a := measure.New(measure.ForComparison())
		a.Add(rollouts(tasks...))
		return a.Result().Side()
	}
	before := count([]float64{0, 0}, []float64{0, 1}, []float64{0, 0}, []float64{1, 0}, []float64{0, 0}, []float64{0, 0})
	after := count([]float64{1, 1}, []float64{1, 1}, []float64{0, 1}, []float64{1, 1}, []float64{1, 1}, []float64{0, 1})
	report, err := stats.Delta(before, after, stats.DeltaOptions{Target: "pass_at_1"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.TargetVerdict.V, report.TargetDelta.V, report.TargetCI95.V)
	// Output:
	// moved_unreplicated 0.6666666666666666 {0.5 0.8333333333333334}
}

// A judge is held against gold labels that stand in a file of their own.
func ExampleTwins() {
	judged, people := rollouts([]float64{1, 0, 1, 1}), rollouts([]float64{1, 0, 0, 1})
	gold := measure.NewTwins(measure.GoldOptions{Kind: stats.KindHuman})
	gold.Add(people)
	labels := measure.NewLabels(measure.LabelOptions{Twins: gold})
	labels.Add(judged)
	report := stats.Trust(labels.Trust(), stats.TrustOptions{})
	fmt.Println(report.Headline, report.Agreement.Confusion)
	// Output:
	// FAIL {2 1 0 1}
}
