// Package jsonl reads and writes rollouts as JSON text. It reads JSONL, JSON
// arrays, objects keyed by row, single documents and Inspect's evaluation
// logs, plain, gzip or zstd, in any dialect of package dialect, and writes
// JSONL: rows of the same dialect byte for byte, changed ones with the change
// spliced in, all others as row v1.
//
//	in := jsonl.Open("rollouts.jsonl.zst")
//	out := jsonl.Create("out.jsonl.zst")
//	_, err := stream.Run(ctx, stream.To(stream.From(in), out))
//
// Memory is bounded by blocks and workers, not by the input. A record that
// cannot become a row travels on as a reject with its place and its bytes.
package jsonl
