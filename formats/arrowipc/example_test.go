package arrowipc_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/rollmill/rollmill/formats/arrowipc"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

// exampleRows are three rollouts of two tasks.
func exampleRows() []rollout.Row {
	rows := make([]rollout.Row, 3)
	d := rollout.NewDecoder(rollout.AllFields)
	for i, record := range []string{
		`{"scenario_id":"sum","prompt":"2+2?","final_text":"4","reward":1,"seed":7}`,
		`{"scenario_id":"sum","prompt":"2+2?","final_text":"5","reward":0,"seed":8}`,
		`{"scenario_id":"cap","prompt":"Capital of Norway?","final_text":"Oslo","reward":1.0}`,
	} {
		if err := d.Decode([]byte(record), &rows[i]); err != nil {
			log.Fatal(err)
		}
	}
	return rows
}

// Rows go to a file and two of their columns come back.
func Example() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "rollouts.arrow")
	ctx := context.Background()

	out := arrowipc.Create(path, arrowipc.Compress(arrowipc.Zstd))
	if _, err := stream.Run(ctx, stream.To(stream.FromSlice(exampleRows()), out)); err != nil {
		log.Fatal(err)
	}

	in := arrowipc.Open(path, arrowipc.Fields(rollout.FieldTaskID|rollout.FieldReward))
	for row, err := range stream.From(in).All(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(row.Pos.Record, row.TaskID, row.Reward.Text)
	}
	// Output:
	// 1 sum 1
	// 2 sum 0
	// 3 cap 1.0
}

// A program that embeds us takes the record batches of a flow.
func ExampleRecords() {
	rows := stream.FromSlice(exampleRows())
	for rec, err := range arrowipc.Records(rows, arrowipc.RecordRows(2)).All(context.Background()) {
		if err != nil {
			log.Fatal(err)
		}
		rewards := rec.Column(rec.Schema().FieldIndices("reward")[0])
		fmt.Println(rec.NumRows(), "rows, rewards", rewards)
	}
	// Output:
	// 2 rows, rewards [1 0]
	// 1 rows, rewards [1]
}

// What a column does not give back stands in extra, and wins on the way back.
func ExampleEncode() {
	rec, err := arrowipc.Encode(exampleRows())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(rec.Column(int(rec.NumCols()) - 1))
	rows, _, err := arrowipc.Decode(rec, rollout.AllFields)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(rows[2].AppendJSON(nil)))
	// Output:
	// ["{\"seed\":7}" "{\"seed\":8}" "{\"reward\":1.0}"]
	// {"schema_version":"1","scenario_id":"cap","prompt":"Capital of Norway?","final_text":"Oslo","reward":1.0}
}
