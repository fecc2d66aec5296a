//go:build cgo

// Command peers holds Rollmill against other programs: the conversion of a file against
// DuckDB, which runs here, and the gates against the figures that were recorded of the
// reference implementation (package asks):
//
//	go run ./cmd/peers -runs 5 rollouts.jsonl.zst
//	go run ./cmd/peers -reference 200000
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
)

func main() {
	runs := flag.Int("runs", 5, "how often each converts the file")
	reference := flag.Int("reference", 0, "tell the figures of the reference implementation of so many `ROWS`: 2000, 20000, 200000 (default: none)")
	child := flag.String("call", "", "run one call on the files in a folder, `CALL@FOLDER`, of -reference rows (by this program itself, to measure it apart)")
	flag.Parse()
	if err := run(*runs, *reference, *child, flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

func run(runs, reference int, child, path string) error {
	ctx, command := context.Background(), "go run ./cmd/peers "+strings.Join(os.Args[1:], " ")
	switch {
	case child != "":
		return runCall(ctx, child, reference)
	case path == "" && reference == 0:
		return fmt.Errorf("name a file to convert, or -reference ROWS")
	}
	if path != "" {
		if err := conversions(command, runs, path); err != nil {
			return err
		}
	}
	if reference > 0 {
		return recorded(ctx, command, reference)
	}
	return nil
}
