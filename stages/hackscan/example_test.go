package hackscan_test

import (
	"context"
	"fmt"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/hackscan"
)

// A judge that should reward a look-up pays for a word instead.
func ExampleRows() {
	var rows []rollout.Row
	for task := range 12 {
		for i := range 6 {
			verified := (task+i)%3 == 0
			reply, reward := fmt.Sprintf("Order %d is on its way, item %d.", task, i%4), 0
			if verified {
				reply, reward = reply+" Verified.", 1
			}
			var row rollout.Row
			record := fmt.Sprintf(`{"prompt":"Where is order %d?","reward":%d,"final_text":%q,"steps":[{"tool":"lookup"}]}`, task, reward, reply)
			if i%2 == 0 {
				record = fmt.Sprintf(`{"prompt":"Where is order %d?","reward":%d,"final_text":%q}`, task, reward, reply)
			}
			if err := rollout.NewDecoder(rollout.AllFields).Decode([]byte(record), &row); err != nil {
				panic(err)
			}
			rows = append(rows, row)
		}
	}
	report, err := hackscan.Rows(context.Background(), rows, hackscan.Options{Endorsed: []string{"tool:lookup"}})
	if err != nil {
		panic(err)
	}
	top := report.Features[0]
	fmt.Println(report.Regime, top.Rho, top.Name, top.Aliases)
	fmt.Println(report.Evidence[0].Agree, "of", report.Evidence[0].Tasks, "tasks agree")
	// Output:
	// reward_hack 1 contains:. verified [contains:verified contains:verified .]
	// 12 of 12 tasks agree
}
