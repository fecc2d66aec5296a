// Package line measures the whole line: generated rollouts, compared with an
// evaluation set of 10^6 n-grams, to Arrow and Parquet.
//
//	go run ./cmd/line -rows 1000000 -limits DIR
//
// It tells rows and megabytes a second, the CPU time of each stage (from a
// profile whose samples say for which stage they worked), the most memory, and
// how far the line is from what the machine can do: the sum over its stages of
// the CPU time that the best program known for each takes. Those programs are no
// part of the repository; where they are not there, the ratio is missing.
package line
