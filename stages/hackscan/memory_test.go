package hackscan

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"unsafe"
	"weak"

	"github.com/rollmill/rollmill/formats/rollout"
)

// heap is how many bytes are in use.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// watch is a context that looks at the heap whenever it is asked whether it is
// done, as the analysis does before each block of permutations.
type watch struct {
	context.Context
	most *int64
}

func (w watch) Err() error {
	*w.most = max(*w.most, heap())
	return nil
}

// used scans n rows of eight rollouts a task and returns how many bytes were in
// use at most between batches and between blocks.
func used(t *testing.T, n int) int64 {
	t.Helper()
	texts, results := zipf(512, 80), zipf(512, 40)
	src := rand.New(rand.NewPCG(1, 1))
	batch := func(from int) []rollout.Row {
		src = rand.New(rand.NewPCG(uint64(from), 7))
		rows := make([]rollout.Row, 1000)
		for i := range rows {
			at := from + i
			call := rollout.ToolCall{ID: "1", Name: []string{"search", "lookup", "calculate", "refund"}[src.IntN(4)], Arguments: `{"query":"` + results[src.IntN(512)] + `"}`}
			text := texts[src.IntN(512)]
			rows[i] = rollout.Row{
				Pos: rollout.Pos{Record: int64(at + 1)}, Prompt: fmt.Sprintf("task-%07d", at/8), FinalText: text,
				Messages: []rollout.Message{
					{Role: rollout.RoleAssistant, ToolCalls: []rollout.ToolCall{call}},
					{Role: rollout.RoleTool, ToolCallID: "1", Content: results[src.IntN(512)]},
					{Role: rollout.RoleAssistant, Content: text},
				},
				Reward: rollout.Integer(int64(src.IntN(2))), Logprob: rollout.Number(-src.Float64()), NTokens: rollout.Integer(200),
				Markers: []rollout.Marker{
					{Name: "grounded", Value: rollout.Integer(int64(src.IntN(2)))}, {Name: "polite", Value: rollout.Number(src.Float64())},
				},
			}
			rows[i].Hold(rollout.FieldMessages | rollout.FieldFinalText | rollout.FieldPrompt)
		}
		return rows
	}
	before, most := heap(), int64(0)
	first, err := NewFirst(Options{Sources: Replies | Results | Arguments, Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	for at := 0; at < n; at += 1000 {
		first.Add(first.Read(batch(at)))
	}
	most = heap()
	second := first.Second()
	for at := 0; at < n; at += 1000 {
		if err := second.Add(second.Read(batch(at))); err != nil {
			t.Fatal(err)
		}
	}
	first = nil
	most = max(most, heap())
	r, err := second.Report(watch{context.Background(), &most})
	if err != nil {
		t.Fatal(err)
	}
	terms := 0
	for _, source := range r.Terms {
		terms += source.Kept
	}
	if terms != DefaultTopTerms+2*DefaultToolTerms {
		t.Fatalf("%d terms are features, want %d", terms, DefaultTopTerms+2*DefaultToolTerms)
	}
	return most - before
}

// Beyond what does not grow, a scan holds at most 100 bytes a row.
func TestBytesPerRow(t *testing.T) {
	small, large := used(t, 20_000), used(t, 80_000)
	perRow := (large - small) / 60_000
	t.Logf("20,000 rows: %d bytes, 80,000 rows: %d bytes, so %d a row", small, large, perRow)
	if perRow > 100 {
		t.Errorf("a scan holds %d bytes a row, want at most 100", perRow)
	}
}

// What is kept is copied, so that the block that rows were read from can go.
func TestNoBlockIsPinned(t *testing.T) {
	block := []byte(`{"prompt":"a prompt","reward":1,"final_text":"some text of a reply","steps":[{"tool":"look","arguments":{"a":"b"},"result":"r"}],"markers":{"m":0.5}}`)
	pinned := weak.Make(unsafe.SliceData(block))
	rows := make([]rollout.Row, 1)
	if err := rollout.NewDecoder(rollout.AllFields).Decode(block, &rows[0]); err != nil {
		t.Fatal(err)
	}
	first, err := NewFirst(all)
	if err != nil {
		t.Fatal(err)
	}
	first.Add(first.Read(rows))
	runtime.GC()
	runtime.GC() // pools are emptied by the second
	if pinned.Value() != nil {
		t.Error("First keeps the block of a row")
	}
	runtime.KeepAlive(first)
}
