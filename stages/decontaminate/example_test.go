package decontaminate_test

import (
	"context"
	"fmt"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/decontaminate"
	"github.com/rollmill/rollmill/stream"
)

var pears = decontaminate.Set{Name: "pears.jsonl", Items: []decontaminate.Item{{
	ID:    "p1",
	Texts: []decontaminate.Text{{Part: decontaminate.Question, Text: "How many crates of green pears did the tired postman carry over the north pier?"}},
}}}

// An index of evaluation sets, and a stage that marks the rows which hold items.
func Example() {
	index, err := decontaminate.Build(context.Background(), []decontaminate.Set{pears}, decontaminate.Config{N: []int{4}, Words: decontaminate.Unicode}, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	rows := stream.FromSlice([]rollout.Row{
		{Prompt: "Who rang the bell?"},
		{Prompt: "Quick: HOW MANY CRATES of green apples did the tired postman carry over the north pier, please?"},
	})
	var o decontaminate.Options
	tally := decontaminate.NewTally(index, o)
	out, _, err := stream.Collect(context.Background(), stream.Through(rows, decontaminate.Stage(index, o, 2, tally)))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, row := range out {
		fmt.Println(row.Gate, row.Gates)
	}
	fmt.Println(tally.Report().Sets[0].ByRule)
	// Output:
	//  []
	// decontaminate [{decontaminate windowed near 0.933: bytes 7 to 86 of prompt are question of item p1 of pears.jsonl}]
	// [{windowed 1 1}]
}

// One scan serves every rule and every threshold.
func ExampleScanner() {
	index, err := decontaminate.Build(context.Background(), []decontaminate.Set{pears}, decontaminate.Config{N: []int{4, 8}}, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	evidence := index.NewScanner().Scan("how many crates of green pears did the postman carry over the north pier")
	for _, rule := range []decontaminate.Rule{decontaminate.Any(8), decontaminate.ItemShare{}, decontaminate.ItemShare{Share: 0.1}, decontaminate.Windowed{}} {
		fmt.Println(rule.Name(), len(rule.Judge(evidence, nil)))
	}
	// Output:
	// any8 1
	// itemshare 0
	// itemshare 1
	// windowed 1
}
