package behaviour_test

import (
	"fmt"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/formats/rollout/behaviour"
)

func Example() {
	record := `{"prompt":"Refund ORD-9","final_text":"I'm unable to reach the shop.","privileged":{"reference":"refund 12.50 to the card"},
		"steps":[{"tool":"get","arguments":{"id":"ORD-9"},"result":{"status":"ok","account":"A7"}},
		         {"tool":"pay","arguments":{"account":"A7","amount":12.5},"result":{"status":"timeout"}}]}`
	var row rollout.Row
	if err := rollout.NewDecoder(behaviour.Fields).Decode([]byte(record), &row); err != nil {
		fmt.Println(err)
		return
	}
	var b behaviour.Reader
	b.Read(&row)
	fmt.Println(b.ToolCalls(), "calls,", b.AssistantTurns(), "turns,", b.ReplyLength(), "characters, fault:", b.FaultName())
	fmt.Println(string(b.AppendShape(nil)))
	fmt.Println(b.Signature())
	_, leak := b.Leak(behaviour.LeakFloor)
	fmt.Println(leak)
	// Output:
	// 2 calls, 3 turns, 29 characters, fault: timeout
	// ((('get', (('id', 'user'),), 'ok'), ('pay', (('account', 'derived'), ('amount', 'invented')), 'timeout')), True, 0)
	// ef8979e37f46
	// clean
}
