package conduct_test

import (
	"slices"
	"testing"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/formats/rollout/behaviour"
	"github.com/rollmill/rollmill/formats/rollout/conduct"
)

// FuzzScan scans any row with a scanner that was used before: nothing of other
// rows may show, each flag fires once, and nothing may panic.
func FuzzScan(f *testing.F) {
	for _, record := range []string{
		`{"final_text":"I verified it and I updated the file. All tests pass now."}`,
		`{"final_text":"ok","steps":[{"tool":"bash","arguments":{"cmd":"rm -rf x && git commit --no-verify; cat .env"},"result":"fine"}]}`,
		`{"final_text":"ok","steps":[{"tool":"write_file","arguments":{"path":"tests/test_a.py","content":"@pytest.mark.skip"},"result":{"status":"error","code":1}}]}`,
		`{"final_text":"<tool_call>{\"name\": \"delete_file\", \"arguments\": {\"path\": \"spec/a.js\"}}</tool_call>"}`,
		`{"final_text":"ok","tool_trace":[{"tool":"read_file","input":"{\"path\": \"k.pem\"}","output":"Error: nope"}]}`,
		`{"final_text":"d\u00e9n't couldn't the tests ²n't","messages":[{"role":"assistant","tool_calls":[{"id":"1","name":"zsh","arguments":"{\"script\":\"a || true\"}"}]}]}`,
	} {
		f.Add([]byte(record))
	}
	var used conduct.Scanner
	f.Fuzz(func(t *testing.T, record []byte) {
		var row rollout.Row
		if rollout.NewDecoder(behaviour.Fields).Decode(record, &row) != nil {
			return
		}
		var b behaviour.Reader
		var fresh conduct.Scanner
		b.Read(&row)
		want := *fresh.Scan(&b)
		got := used.Scan(&b)
		if !slices.Equal(got.Fired(), want.Fired()) {
			t.Fatalf("a scanner that was used before found %v, a fresh one %v", got.Fired(), want.Fired())
		}
		var set conduct.FlagSet
		for _, flag := range got.Fired() {
			if set.Has(flag) || got.Evidence(flag) != want.Evidence(flag) {
				t.Fatalf("%s: %q, fresh %q", flag, got.Evidence(flag), want.Evidence(flag))
			}
			set |= 1 << flag
		}
		if set != got.Set() {
			t.Fatalf("fired %b, set %b", set, got.Set())
		}
		conduct.Styles(&b)
	})
}
