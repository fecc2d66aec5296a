package neardup_test

import (
	"context"
	"fmt"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/neardup"
)

func Example() {
	a := neardup.New()
	a.Add([]rollout.Row{
		{Pos: rollout.Pos{Record: 1}, Prompt: "Please refund the order A-17 to my card."},
		{Pos: rollout.Pos{Record: 2}, Prompt: "Where is my parcel?"},
		{Pos: rollout.Pos{Record: 3}, Prompt: "please refund the order A-17 to my card, thanks"},
	})
	report, err := a.Report(context.Background(), neardup.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d prompts, %d in %d pairs\n", report.Prompts, report.Involved, report.Pairs)
	for _, p := range report.Examples {
		fmt.Printf("%.2f\n  %s\n  %s\n", p.Jaccard, p.A, p.B)
	}
	// Output:
	// 3 prompts, 2 in 1 pairs
	// 0.90
	//   Please refund the order A-17 to my card.
	//   please refund the order A-17 to my card, thanks
}
