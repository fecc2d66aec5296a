// Package parquet reads and writes rollouts as Parquet, which trainers and
// other people's tools open without glue. A row that is written and read again
// says the same: what a column does not reproduce exactly stands as JSON text
// in the column extra, and wins.
//
//	w := parquet.Create("rollouts.parquet", parquet.Compression(parquet.Zstd))
//	stats, err := stream.Run(ctx, stream.To(stream.From(jsonl.Open("rollouts.jsonl.zst")), w))
//	...
//	rows := stream.From(parquet.Open("rollouts.parquet", parquet.Fields(rollout.FieldTaskID|rollout.FieldReward)))
//
// Files of another schema are read too: each row becomes a record of JSON, and
// a row as it would from JSONL. The format itself is the business of
// github.com/parquet-go/parquet-go, which only this package touches.
package parquet
