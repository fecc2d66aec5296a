package curate_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/rollmill/rollmill/formats/jsonl"
	"github.com/rollmill/rollmill/stages/curate"
	"github.com/rollmill/rollmill/stages/grade/verify"
	"github.com/rollmill/rollmill/stages/selection"
)

// The whole line from a program: rollouts go in, a folder comes out.
func Example() {
	dir, err := os.MkdirTemp("", "curate")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	in := filepath.Join(dir, "rollouts.jsonl")
	if err := os.WriteFile(in, lines(), 0o666); err != nil {
		log.Fatal(err)
	}

	result, err := curate.Run(context.Background(), curate.Options{
		Rows:   jsonl.Open(in),
		Inputs: []curate.Input{{Name: in}},
		Grade:  []curate.Grading{{Grader: verify.Numeric(verify.NumericOptions{})}},
		Select: selection.Options{Mode: selection.RL, RL: selection.RLOptions{NoTools: true}},
		Out:    filepath.Join(dir, "out"),
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
