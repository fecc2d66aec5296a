package jsonl_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rollmill/rollmill/formats/jsonl"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

// Rows are read, graded by a function and written back. Lines that the
// function does not touch are written byte for byte.
func Example() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	in, out := filepath.Join(dir, "rollouts.jsonl"), filepath.Join(dir, "graded.jsonl")
	err = os.WriteFile(in, []byte(`{"rollout_id":"a","prompt":"2+2?","final_text":"4"}
{"rollout_id":"b","prompt":"2+2?","final_text":"5"}
{"rollout_id":"c","prompt":
`), 0o666)
	if err != nil {
		log.Fatal(err)
	}

	rows := stream.From(jsonl.Open(in))
	rows = stream.Through(rows, stream.Map(2, grade))
	written := jsonl.Create(out)
	if _, err := stream.Run(context.Background(), stream.To(rows, written)); err != nil {
		log.Fatal(err)
	}

	text, err := os.ReadFile(out)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(string(text))
	fmt.Println(written.Summary().Rows, "rows,", written.Summary().Rejected, "rejected")
	// Output:
	// {"rollout_id":"a","prompt":"2+2?","final_text":"4","reward":1,"judge_status":"ok"}
	// {"rollout_id":"b","prompt":"2+2?","final_text":"5","reward":0,"judge_status":"ok"}
	// 2 rows, 1 rejected
}

// grade gets a batch of rows at a time and owns it.
func grade(_ context.Context, b stream.Batch[rollout.Row]) (stream.Batch[rollout.Row], error) {
	for i := range b.Items {
		row := &b.Items[i]
		if row.FinalText == "4" {
			row.SetReward(rollout.Number(1), rollout.StatusOK)
		} else {
			row.SetReward(rollout.Number(0), rollout.StatusOK)
		}
	}
	return b, nil
}

// What the README shows is what runs here.
func TestReadmeShowsTheExample(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, code, ok := strings.Cut(string(readme), "```go\n")
	if !ok {
		t.Fatal("the README shows no Go")
	}
	code, _, _ = strings.Cut(code, "```")
	for line := range strings.Lines(code) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.Contains(string(source), line) && !strings.HasPrefix(line, "//") {
			t.Errorf("the example does not hold the README's line %q", line)
		}
	}
}
