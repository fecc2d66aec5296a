package simulate_test

import (
	"context"
	"testing"

	"go.uber.org/goleak"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/simulate"
	"github.com/rollmill/rollmill/stages/simulate/agent"
	"github.com/rollmill/rollmill/stages/simulate/tools"
	"github.com/rollmill/rollmill/stream"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const shopTools = `[
	{"name":"get_order","description":"Look an order up.","parameters":{"type":"object","properties":{"order_id":{"type":"string","description":"such as A1002"}},"required":["order_id"]}},
	{"name":"cancel_order","description":"Cancel an order.","parameters":{"type":"object","properties":{"order_id":{"type":"string","description":"such as A1002"},"reason":{"type":"string"}},"required":["order_id"]}},
	{"name":"issue_refund","description":"Refund a payment.","parameters":{"type":"object","properties":{"order_id":{"type":"string","description":"such as A1002"},"amount":{"type":"number"}},"required":["order_id","amount"]}}]`

const shopPolicy = "You are the assistant of a shop. Confirm before you cancel an order. Refund only what was paid. Never share data of other customers."

func shop(t testing.TB) []tools.Tool {
	t.Helper()
	list, err := tools.Parse([]byte(shopTools))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func scripted(t testing.TB, rate float64, behaviors ...agent.Behavior) agent.Agent {
	t.Helper()
	a, err := agent.NewScripted(rate, behaviors...)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// config is a shop with a scripted agent.
func config(t testing.TB) simulate.Config {
	return simulate.Config{Tools: shop(t), System: shopPolicy, Agent: scripted(t, agent.DefaultRate), Mode: simulate.RL, Seed: 1}
}

// simulated runs a configuration to its end.
func simulated(t testing.TB, c simulate.Config) ([]rollout.Row, simulate.Report) {
	t.Helper()
	rows, report, err := attempt(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return rows, report
}

func attempt(ctx context.Context, c simulate.Config) ([]rollout.Row, simulate.Report, error) {
	s, err := simulate.New(c)
	if err != nil {
		return nil, simulate.Report{}, err
	}
	rows, _, err := stream.Collect(ctx, stream.From[rollout.Row](s))
	return rows, s.Report(), err
}

// text is the rows as they stand in a file.
func text(rows []rollout.Row) string {
	var dst []byte
	for i := range rows {
		dst = append(rows[i].AppendLine(dst), '\n')
	}
	return string(dst)
}

// extra returns a member of a row, "" when there is none.
func extra(r *rollout.Row, name string) string {
	for _, m := range r.Extra {
		if m.Name == name {
			return m.JSON
		}
	}
	return ""
}
