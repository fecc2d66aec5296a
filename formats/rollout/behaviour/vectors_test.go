package behaviour_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/formats/rollout/behaviour"
)

// vector is inputs and outputs of the reference implementation.
type vector struct {
	ID     string
	Input  []json.RawMessage
	Expect []json.RawMessage
}

func vectors(t testing.TB) map[string]vector {
	t.Helper()
	data, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Vectors []vector }
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	byID := map[string]vector{}
	for _, v := range file.Vectors {
		byID[v.ID] = v
	}
	return byID
}

func decode(t testing.TB, record []byte) *rollout.Row {
	t.Helper()
	var row rollout.Row
	if err := rollout.NewDecoder(rollout.AllFields).Decode(record, &row); err != nil {
		t.Fatalf("%s: %v", record, err)
	}
	return &row
}

// eachRow reads the rows of a vector with one reader, as a stage does.
func eachRow[T any](t *testing.T, v vector, of func(b *behaviour.Reader) T) {
	t.Helper()
	if len(v.Input) == 0 || len(v.Input) != len(v.Expect) {
		t.Fatalf("%q: %d inputs, %d results", v.ID, len(v.Input), len(v.Expect))
	}
	var b behaviour.Reader
	for i, record := range v.Input {
		var want T
		if err := json.Unmarshal(v.Expect[i], &want); err != nil {
			t.Fatalf("%s: %v", v.ID, err)
		}
		b.Read(decode(t, record))
		for range 2 { // what was asked for once says the same again
			if diff := cmp.Diff(want, of(&b)); diff != "" {
				t.Errorf("%s: %s (-want +got):\n%s", v.ID, record, diff)
			}
		}
	}
}

func TestVectors(t *testing.T) {
	all := vectors(t)
	eachRow(t, all["trunc-1"], (*behaviour.Reader).Truncated)
	eachRow(t, all["rlen-1"], (*behaviour.Reader).ReplyLength)
	eachRow(t, all["turns-1"], (*behaviour.Reader).AssistantTurns)
	eachRow(t, all["scantext-1"], func(b *behaviour.Reader) string { return string(b.AppendScanText(nil)) })
	eachRow(t, all["atext-1"], func(b *behaviour.Reader) string { return string(b.AppendAssistantText(nil)) })
	eachRow(t, all["fault-1"], (*behaviour.Reader).FaultName)
	eachRow(t, all["taskkey-1"], func(b *behaviour.Reader) string { return b.Row().TaskKey() })

	type signature struct{ Repr, Signature string }
	eachRow(t, all["sig-1"], func(b *behaviour.Reader) signature {
		return signature{string(b.AppendShape(nil)), b.Signature().String()}
	})

	// null: nothing to look for; {}: looked for and not found
	eachRow(t, all["leak-1"], func(b *behaviour.Reader) *behaviour.Leak {
		leak, state := b.Leak(behaviour.LeakFloor)
		if state == behaviour.LeakUnchecked {
			return nil
		}
		return &leak
	})

	stable := all["stable-1"]
	for i, input := range stable.Input {
		var args [2]string
		var want string
		if json.Unmarshal(input, &args) != nil || json.Unmarshal(stable.Expect[i], &want) != nil {
			t.Fatal("stable-1 is of another shape")
		}
		if got := behaviour.StableKey(args[0], args[1]).String(); got != want {
			t.Errorf("StableKey(%q, %q) = %s, want %s", args[0], args[1], got, want)
		}
	}
}

// TestViewVector holds the rebuilt view against the reference, whose function
// for it is asked only where there are no messages.
func TestViewVector(t *testing.T) {
	v := vectors(t)["conv-1"]
	for i, record := range v.Input {
		var members map[string]json.RawMessage
		if err := json.Unmarshal(record, &members); err != nil {
			t.Fatal(err)
		}
		delete(members, "messages")
		v.Input[i], _ = json.Marshal(members)
	}
	type call struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	}
	type message struct {
		Role    string `json:"role"`
		Name    string `json:"name"`
		Content string `json:"content"`
		Calls   []call `json:"tool_calls"`
	}
	eachRow(t, v, func(b *behaviour.Reader) (said []message) {
		for _, m := range b.Messages() {
			turn := message{Role: m.Role, Name: m.Name, Content: m.Content}
			for _, c := range m.ToolCalls {
				turn.Calls = append(turn.Calls, call{c.Name, json.RawMessage(c.Arguments)})
			}
			said = append(said, turn)
		}
		return said
	})
}
