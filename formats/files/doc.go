// Package files is the ground the formats stand on: which paths an argument
// means, input that is decompressed by its first bytes, output that appears
// under its final name only when it is whole. It knows nothing of rollouts.
//
//	paths, err := files.Expand([]string{"runs/", "more-*.jsonl.zst"})
//	in, err := files.Open(paths[0])  // plain, gzip or zstd
//	defer in.Close()
//	out, err := files.Create("out.jsonl.zst", false)
//	defer out.Abort()                // a no-op after Commit
//	...
//	err = out.Commit()
package files
