package decode_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	goccy "github.com/goccy/go-json"
	"github.com/rollmill/rollmill/benchmarks/gen"
	"github.com/rollmill/rollmill/formats/rollout"
)

// peerRow is what the other libraries fill: every field that AllFields decodes
// of the generated records, JSON text where Row keeps text.
type peerRow struct {
	SchemaVersion string             `json:"schema_version"`
	RolloutID     string             `json:"rollout_id"`
	ScenarioID    string             `json:"scenario_id"`
	RolloutIndex  int64              `json:"rollout_index"`
	Prompt        string             `json:"prompt"`
	Messages      []peerMessage      `json:"messages"`
	Tools         json.RawMessage    `json:"tools"`
	FinalText     string             `json:"final_text"`
	FinishReason  string             `json:"finish_reason"`
	Logprob       float64            `json:"logprob"`
	NTokens       int64              `json:"n_tokens"`
	Reward        *float64           `json:"reward"`
	JudgeStatus   string             `json:"judge_status"`
	Markers       map[string]float64 `json:"markers"`
	ModelVersion  json.RawMessage    `json:"model_version"`
	Seed          json.RawMessage    `json:"seed"`
	Privileged    json.RawMessage    `json:"privileged"`
}

type peerMessage struct {
	Role       string     `json:"role"`
	Content    string     `json:"content"`
	Name       string     `json:"name"`
	ToolCallID string     `json:"tool_call_id"`
	ToolCalls  []peerCall `json:"tool_calls"`
}

type peerCall struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

type fewFields struct {
	ScenarioID string   `json:"scenario_id"`
	Prompt     string   `json:"prompt"`
	FinalText  string   `json:"final_text"`
	Reward     *float64 `json:"reward"`
}

const four = rollout.FieldTaskID | rollout.FieldPrompt | rollout.FieldFinalText | rollout.FieldReward

func records(tb testing.TB, n int) (lines [][]byte, size int64) {
	text := gen.New(1).AppendRows(nil, 0, int64(n))
	for line := range bytes.Lines(text) {
		lines = append(lines, bytes.TrimSuffix(line, []byte("\n")))
	}
	return lines, int64(len(text))
}

// The peer reads the same values, or the comparison is worth nothing.
func TestPeerReadsTheSame(t *testing.T) {
	lines, _ := records(t, 2000)
	d := rollout.NewDecoder(rollout.AllFields)
	for _, line := range lines {
		var ours rollout.Row
		var peer peerRow
		if err := d.Decode(line, &ours); err != nil {
			t.Fatal(err)
		}
		if err := goccy.Unmarshal(line, &peer); err != nil {
			t.Fatal(err)
		}
		reward, scored := ours.Reward.Float()
		if scored != (peer.Reward != nil) || scored && reward != *peer.Reward || ours.ID != peer.RolloutID ||
			ours.Prompt != peer.Prompt || ours.FinalText != peer.FinalText || len(ours.Messages) != len(peer.Messages) {
			t.Fatalf("%s", line)
		}
		for i, m := range ours.Messages {
			p := peer.Messages[i]
			if m.Content != p.Content || m.Role != p.Role || fmt.Sprint(m.ToolCalls) != fmt.Sprint(calls(p)) {
				t.Fatalf("message %d: %+v, %+v", i, m, p)
			}
		}
		for _, m := range ours.Markers {
			if peer.Markers[m.Name] != m.Value.Num {
				t.Fatalf("marker %s: %v, %v", m.Name, m.Value, peer.Markers[m.Name])
			}
		}
	}
}

func calls(m peerMessage) []rollout.ToolCall {
	var out []rollout.ToolCall
	for _, c := range m.ToolCalls {
		out = append(out, rollout.ToolCall{ID: c.ID, Type: c.Type, Name: c.Function.Name, Arguments: c.Function.Arguments})
	}
	return out
}

func BenchmarkDecode(b *testing.B) {
	lines, size := records(b, 2000)
	ours := func(want rollout.Fields) func() func([]byte) error {
		return func() func([]byte) error {
			d := rollout.NewDecoder(want)
			var row rollout.Row
			return func(line []byte) error { return d.Decode(line, &row) }
		}
	}
	for _, c := range []struct {
		name string
		make func() func([]byte) error
	}{
		{"all/rollmill", ours(rollout.AllFields)},
		{"all/goccy", func() func([]byte) error {
			return func(line []byte) error { var r peerRow; return goccy.Unmarshal(line, &r) }
		}},
		{"all/std", func() func([]byte) error {
			return func(line []byte) error { var r peerRow; return json.Unmarshal(line, &r) }
		}},
		{"four/rollmill", ours(four)},
		{"four/goccy", func() func([]byte) error {
			return func(line []byte) error { var r fewFields; return goccy.Unmarshal(line, &r) }
		}},
		{"none/rollmill", ours(0)},
	} {
		b.Run(c.name, func(b *testing.B) {
			decode := c.make()
			b.SetBytes(size)
			b.ReportAllocs()
			for b.Loop() {
				for _, line := range lines {
					if err := decode(line); err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64(b.N)*float64(len(lines))/b.Elapsed().Seconds(), "rows/s")
		})
	}
}
