package simulate_test

import (
	"context"
	"fmt"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/simulate"
	"github.com/rollmill/rollmill/stages/simulate/agent"
	"github.com/rollmill/rollmill/stages/simulate/tools"
	"github.com/rollmill/rollmill/stream"
)

type lookup struct {
	OrderID string `json:"order_id" description:"such as A1002"`
}

func Example() {
	scripted, err := agent.NewScripted(agent.DefaultRate)
	if err != nil {
		fmt.Println(err)
		return
	}
	source, err := simulate.New(simulate.Config{
		Tools: []tools.Tool{tools.Func("get_order", "Look an order up.", func(_ context.Context, in lookup) (map[string]string, error) {
			return map[string]string{"status": "ok", "order": in.OrderID}, nil
		})},
		System: "Help customers with orders.", Agent: scripted, Situations: 16, Repeats: 4,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	rows := 0
	for row, err := range stream.From[rollout.Row](source).All(context.Background()) {
		if err != nil {
			fmt.Println(err)
			return
		}
		_ = row // send it on
		rows++
	}
	r := source.Report()
	fmt.Println(rows, "rows,", r.UniquePrompts, "prompts, stopped because of", r.Stopped)
	// Output: 64 rows, 16 prompts, stopped because of situations_exhausted
}
