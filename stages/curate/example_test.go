package curate_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"
	"testing"

	"github.com/rollmill/rollmill/formats/jsonl"
	"github.com/rollmill/rollmill/stages/curate"
	"github.com/rollmill/rollmill/stages/grade/verify"
	"github.com/rollmill/rollmill/stages/selection"
)

// The whole line from a program: rollouts go in, a folder comes out.
func Example() {
	defer inFolder(lines())()

	result, err := curate.Run(context.Background(), curate.Options{
		Rows:   jsonl.Open("rollouts.jsonl"),
		Inputs: []curate.Input{{Name: "rollouts.jsonl"}},
		Grade:  []curate.Grading{{Grader: verify.Numeric(verify.NumericOptions{})}},
		Select: selection.Options{Mode: selection.RL, RL: selection.RLOptions{NoTools: true}},
		Out:    "out",
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Counts)

	for _, p := range result.Manifest.Parts {
		fmt.Println(p.Kind, p.Path, p.Rows)
	}
	// Output:
	// in 324 = kept 176 + dropped 144 + quarantined 4
	// rows rows.arrow 320
	// train train.parquet 176
	// quarantine quarantine.jsonl 4
	// report report.json 0
}

// inFolder goes to a folder that holds rollouts, and back.
func inFolder(rollouts []byte) (leave func()) {
	was, err := os.Getwd()
	if err != nil {
		log.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "curate")
	if err != nil {
		log.Fatal(err)
	}
	if err := os.Chdir(dir); err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile("rollouts.jsonl", rollouts, 0o666); err != nil {
		log.Fatal(err)
	}
	return func() {
		if err := os.Chdir(was); err != nil {
			log.Fatal(err)
		}
		if err := os.RemoveAll(dir); err != nil {
			log.Fatal(err)
		}
	}
}

// The README shows a whole program of at most 25 lines, and it is what runs here.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, program, found := strings.Cut(string(readme), "```go\npackage main\n")
	program, _, ended := strings.Cut(program, "```\n")
	if !found || !ended || !strings.Contains(program, "curate.Run") {
		t.Fatal("the README shows no program")
	}
	list := strings.Split(strings.TrimSpace(program), "\n")
	if len(list)+2 > 25 { // with package main and the line behind it
		t.Errorf("the program has %d lines", len(list)+2)
	}
	_, body, _ := strings.Cut(program, "func main() {\n")
	if body = strings.TrimSuffix(strings.TrimSpace(body), "\n}"); body == "" || !strings.Contains(string(source), "\t"+body) {
		t.Errorf("the example does not hold the README's program:\n%s", body)
	}
	for _, line := range list {
		if strings.HasPrefix(line, "\t\"") && !strings.Contains(string(source), line+"\n") {
			t.Errorf("the example does not import %s", line)
		}
	}
}
