package curate_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/rollmill/rollmill/formats/arrowipc"
	"github.com/rollmill/rollmill/formats/jsonl"
	"github.com/rollmill/rollmill/stages/curate"
	"github.com/rollmill/rollmill/stages/selection"
	"github.com/rollmill/rollmill/stream"
)

// said is a message of a training file.
type said struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// shaped is a line of a training file of any shape.
type shaped struct {
	Messages []said   `json:"messages"`
	Prompt   []said   `json:"prompt"`
	Chosen   []said   `json:"chosen"`
	Rejected []said   `json:"rejected"`
	Task     string   `json:"task_id"`
	Scenario string   `json:"scenario_id"`
	Ref      string   `json:"reference"`
	Info     string   `json:"info"`
	Reward   *float64 `json:"reward"`
}

func readShaped(t *testing.T, path string) (list []shaped) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(text) {
		var s shaped
		if err := json.Unmarshal(line, &s); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		list = append(list, s)
	}
	return list
}

// The messages shape holds the kept rows in the order of the rows shape, and can be
// read back as rows.
func TestShapeMessages(t *testing.T) {
	in := writeLines(t)
	o := options(t, in, filepath.Join(t.TempDir(), "out"), 2, 64)
	o.Format, o.Shape = "", curate.MessagesShape
	r, err := curate.Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	plain := options(t, in, filepath.Join(t.TempDir(), "out"), 2, 64)
	if _, err := curate.Run(context.Background(), plain); err != nil {
		t.Fatal(err)
	}
	want, _, err := stream.Collect(context.Background(), stream.From(jsonl.Open(filepath.Join(plain.Out, "train.jsonl"))))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(o.Out, "train.jsonl")
	got := readShaped(t, path)
	back, _, err := stream.Collect(context.Background(), stream.From(jsonl.Open(path)))
	if err != nil || len(got) != len(want) || len(back) != len(want) || r.Counts.Kept != int64(len(want)) {
		t.Fatalf("%v: %d lines, %d rows, want %d", err, len(got), len(back), len(want))
	}
	for i := range want {
		w, g := &want[i], &got[i]
		if len(g.Messages) != 2 || g.Messages[0] != (said{"user", w.Prompt}) || g.Messages[1] != (said{"assistant", w.FinalText}) ||
			g.Scenario != w.TaskID || *g.Reward != w.Reward.Num {
			t.Fatalf("line %d is %+v", i, g)
		}
		if back[i].Prompt != w.Prompt || back[i].FinalText != w.FinalText || back[i].TaskID != w.TaskID {
			t.Fatalf("line %d is read back as %+v", i, back[i])
		}
	}
}

// The prompt shape holds each task of the kept rows once, without a reply.
func TestShapePrompt(t *testing.T) {
	in := writeLines(t)
	o := options(t, in, filepath.Join(t.TempDir(), "out"), 2, 64)
	o.Shape = curate.PromptShape
	r, err := curate.Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	got := readShaped(t, filepath.Join(o.Out, "train.jsonl"))
	if int64(len(got)) != r.Counts.Kept/aTask {
		t.Errorf("%d tasks of %d rows", len(got), r.Counts.Kept)
	}
	for _, g := range got {
		var n int
		if _, err := fmt.Sscanf(g.Task, "task-%d", &n); err != nil || len(g.Prompt) != 1 || g.Prompt[0] != (said{"user", prompt(n)}) ||
			g.Ref != fmt.Sprint(1000+n) || !strings.Contains(g.Info, `"calibration"`) {
			t.Fatalf("%v: %+v", err, g)
		}
	}
}

// Pairs in the messages shape are a prompt, a reply to prefer and one to reject.
func TestShapePairs(t *testing.T) {
	in := writeLines(t)
	o := options(t, in, filepath.Join(t.TempDir(), "out"), 2, 64)
	o.Shape, o.Select.Mode, o.Select.Pairs = curate.MessagesShape, selection.Pairs, selection.PairOptions{MaxPerPrompt: 3, MinMargin: 1}
	r, err := curate.Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	got := readShaped(t, filepath.Join(o.Out, "train.jsonl"))
	if len(got) == 0 || int64(2*len(got)) != r.Counts.Kept {
		t.Fatalf("%d pairs of %d rows", len(got), r.Counts.Kept)
	}
	for _, g := range got {
		if len(g.Prompt) != 1 || len(g.Chosen) != 1 || len(g.Rejected) != 1 || strings.Contains(g.Chosen[0].Content, " is 7.") || !strings.Contains(g.Rejected[0].Content, " is 7.") {
			t.Fatalf("got %+v", g)
		}
	}
}

// Rows that do not fit the shape end at a gate of their own, and the sum holds.
func TestShapeGate(t *testing.T) {
	broken := `{"scenario_id":"task-10","rollout_index":9,"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"","tool_calls":[{"function":{"name":"f","arguments":"{"}}]},` +
		`{"role":"assistant","content":"The answer is 1010."}],"reference":"1010"}` + "\n"
	in := filepath.Join(t.TempDir(), "in.jsonl")
	if err := os.WriteFile(in, append(lines(), broken...), 0o666); err != nil {
		t.Fatal(err)
	}
	o := options(t, in, filepath.Join(t.TempDir(), "out"), 2, 64)
	o.Shape = curate.MessagesShape
	r, err := curate.Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	if g := r.Counts.Gates[1]; g.Gate != curate.ShapeGate || g.Rows != 1 {
		t.Errorf("gates: %+v", r.Counts.Gates)
	}
	rows, _, err := stream.Collect(context.Background(), stream.From(arrowipc.Open(filepath.Join(o.Out, "rows.arrow"))))
	if err != nil {
		t.Fatal(err)
	}
	if last := rows[len(rows)-1]; last.Gate != curate.ShapeGate || !strings.Contains(last.Gates[0].Detail, `arguments of a call of "f"`) {
		t.Errorf("the row says %s, %+v", last.Gate, last.Gates)
	}
}

// A training file of several holds so many rows each, and the manifest tells them.
func TestRowsPerFile(t *testing.T) {
	in := writeLines(t)
	for _, format := range []curate.Format{curate.JSONL, curate.Parquet, curate.Arrow} {
		o := options(t, in, filepath.Join(t.TempDir(), "out"), 2, 64)
		o.Format, o.RowsPerFile = format, 100
		r, err := curate.Run(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		left := r.Counts.Kept
		for _, p := range r.Manifest.Parts {
			if p.Kind != "train" {
				continue
			}
			if p.Rows != min(left, 100) || !strings.HasPrefix(p.Path, "train-0000") {
				t.Errorf("%+v", p)
			}
			left -= p.Rows
		}
		if left != 0 {
			t.Errorf("%s: %d rows are missing", format, left)
		}
		o.RowsPerFile, o.Force, o.Rows = 0, true, jsonl.Open(in)
		if _, err := curate.Run(context.Background(), o); err != nil {
			t.Fatal(err)
		}
		if parts, _ := filepath.Glob(filepath.Join(o.Out, "train-*")); len(parts) > 0 {
			t.Errorf("left behind: %v", parts)
		}
	}
}

func TestShapeOptions(t *testing.T) {
	in := writeLines(t)
	for name, change := range map[string]func(*curate.Options){
		"no such shape":       func(o *curate.Options) { o.Shape = "text" },
		"messages as parquet": func(o *curate.Options) { o.Shape, o.Format = curate.MessagesShape, curate.Parquet },
		"prompts of pairs":    func(o *curate.Options) { o.Shape, o.Select.Mode = curate.PromptShape, selection.Pairs },
		"rows per file":       func(o *curate.Options) { o.RowsPerFile = -1 },
	} {
		o := options(t, in, filepath.Join(t.TempDir(), "out"), 1, 64)
		change(&o)
		if _, err := curate.Run(context.Background(), o); !errors.Is(err, curate.ErrOptions) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
