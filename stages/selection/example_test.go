package selection_test

import (
	"context"
	"fmt"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/selection"
)

// tries are rollouts of a task, one a verdict.
func tries(task string, rewards ...float64) (rows []rollout.Row) {
	for i, reward := range rewards {
		rows = append(rows, rollout.Row{
			Pos: rollout.Pos{Record: int64(i) + 1}, TaskID: task, Prompt: "Where is my parcel, asked " + task + "?",
			FinalText: fmt.Sprintf("Try %d: it left the depot.", i), Reward: rollout.Number(reward),
		})
	}
	return rows
}

func ExampleSelect() {
	rows := append(tries("always", 1, 1, 1, 1), tries("sometimes", 0, 1, 1, 0)...)
	s, err := selection.Select(rows, selection.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range s.Rows {
		fmt.Println(r.TaskID, r.Reward.Text)
	}
	fmt.Printf("in %d = kept %d + dropped by %v\n", s.Report.In, s.Report.Kept, s.Report.Dropped)
	// Output:
	// sometimes 0
	// sometimes 1
	// sometimes 1
	// sometimes 0
	// in 8 = kept 4 + dropped by unanimous 4
}

// Rows that do not fit in memory are read twice.
func ExampleAccumulator() {
	batches := [][]rollout.Row{tries("sometimes", 0, 1, 1), tries("never", 0, 0, 0)}
	for i := range batches[1] {
		batches[1][i].Pos.Record += 3
	}
	a, err := selection.New(selection.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, batch := range batches {
		part := a.Fresh() // each worker has its own
		part.Add(batch)
		a.Merge(part)
	}
	plan, err := a.Plan(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, batch := range batches {
		for i := range batch {
			pick, err := plan.Of(batch[i].Pos)
			if err != nil {
				fmt.Println(err)
				return
			}
			plan.Finish(&batch[i], pick)
			fmt.Println(batch[i].Pos.Record, pick.Gate, pick.Rank)
		}
	}
	// Output:
	// 1 kept 0
	// 2 kept 1
	// 3 kept 2
	// 4 unanimous -1
	// 5 unanimous -1
	// 6 unanimous -1
}

func ExampleTaskRates_Curriculum() {
	rows := append(append(tries("easy", 1, 1, 0, 1), tries("hard", 0, 0, 1, 0)...), tries("solved", 1, 1)...)
	fmt.Println(selection.RatesOf(rows).Curriculum(selection.CurriculumOptions{}))
	// Output:
	// curriculum: 3 tasks, 2 trainable (2 in the band), 1 solved, 0 not ready, 0 thin
	// tier 1: 1 tasks, pass rate 0.75 to 0.75
	// tier 2: 1 tasks, pass rate 0.25 to 0.25
}
