package parquet_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/rollmill/rollmill/formats/parquet"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

func Example() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "rollouts.parquet")

	rows := []rollout.Row{{ID: "r1"}, {ID: "r2"}}
	for i := range rows {
		rows[i].Touch(rollout.FieldID)
		rows[i].SetReward(rollout.Number(float64(i)/2), rollout.StatusOK)
	}
	w := parquet.Create(path)
	if _, err := stream.Run(context.Background(), stream.To(stream.FromSlice(rows), w)); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(w.Summary().Rows, "rows written")

	scores := stream.From(parquet.Open(path, parquet.Fields(rollout.FieldID|rollout.FieldReward)))
	for row, err := range scores.All(context.Background()) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(row.ID, row.Reward.Text)
	}
	// Output:
	// 2 rows written
	// r1 0
	// r2 0.5
}
