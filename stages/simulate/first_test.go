package simulate_test

import (
	"testing"

	"github.com/go-json-experiment/json"
)

func TestFirst(t *testing.T) {
	c := config(t)
	c.Budget = 64
	rows, report := simulated(t, c)
	t.Log(text(rows[:3]))
	out, _ := json.Marshal(report, json.Deterministic(true))
	t.Logf("%s", out)
}
