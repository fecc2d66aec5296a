package behaviour_test

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rollmill/rollmill/formats/rollout/behaviour"
)

// outcome is all that a reader tells of a row.
type outcome struct {
	Length, Turns, Calls     int
	Scan, Said, Shape, Fault string
	Leak                     *behaviour.Leak
}

func outcomeOf(b *behaviour.Reader) outcome {
	o := outcome{
		Length: b.ReplyLength(), Turns: b.AssistantTurns(), Calls: b.ToolCalls(),
		Scan: string(b.AppendScanText(nil)), Said: string(b.AppendAssistantText(nil)),
		Shape: string(b.AppendShape(nil)), Fault: string([]byte(b.FaultName())),
	}
	if leak, state := b.Leak(behaviour.LeakFloor); state != behaviour.LeakUnchecked {
		o.Leak = &leak
	}
	return o
}

// TestPython holds the reader against what CPython 3.11 makes of odd rows by a
// plain reading of the same rules: values of every type in every place, quotes,
// controls and characters beyond ASCII, faults of each kind.
func TestPython(t *testing.T) {
	f, err := os.Open("testdata/python.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var b behaviour.Reader
	n := 0
	for lines := bufio.NewScanner(f); lines.Scan(); n++ {
		var c struct {
			Row  json.RawMessage
			Want outcome
		}
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		b.Read(decode(t, c.Row))
		if diff := cmp.Diff(c.Want, outcomeOf(&b)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.Row, diff)
		}
	}
	if n < 100 {
		t.Fatalf("%d rows; want more", n)
	}
}
