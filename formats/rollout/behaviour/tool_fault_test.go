package behaviour_test

import (
	"testing"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/formats/rollout/behaviour"
)

func TestFaulted(t *testing.T) {
	for _, c := range []struct {
		name, result      string
		faulted, answered bool
	}{
		{"fine", `{"status":"ok"}`, false, true},
		{"status", `{"status":"Timeout"}`, true, true},
		{"text with an object", `"{\"status\":\"exit_1\"}"`, true, true},
		{"stale", `{"status":"ok","stale":true}`, true, true},
		{"garbled", `{"note":"<<GARBLED>>"}`, true, true},
		{"plain text", `"error: none"`, false, true},
		{"null", `null`, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			var row rollout.Row
			record := `{"steps":[{"tool":"get","result":` + c.result + `}],"faults":{"put":{"mode":"deny"}}}`
			if err := rollout.NewDecoder(rollout.AllFields).Decode([]byte(record), &row); err != nil {
				t.Fatal(err)
			}
			var b behaviour.Reader
			b.Read(&row)
			faulted, answered := b.Faulted(&b.Acts()[0])
			if faulted != c.faulted || answered != c.answered {
				t.Errorf("faulted %v, answered %v; want %v, %v", faulted, answered, c.faulted, c.answered)
			}
			if b.PlansFault("get") || !b.PlansFault("put") {
				t.Error("the plan names put alone")
			}
		})
	}
}
