// Command labelled writes the labelled set of package labelled as files, so that
// commands and other tools can be held against it: eval.jsonl, and train.jsonl
// with the members label (copy or clean), class and item.
//
//	go run ./cmd/labelled -half judge -o DIR
//	rollmill decontaminate DIR/train.jsonl --against DIR/eval.jsonl -o kept.jsonl
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/rollmill/rollmill/stages/decontaminate/labelled"
)

func main() {
	seed := flag.Uint64("seed", 1, "seed of everything")
	half := flag.String("half", "both", "which templates: tune, judge or both")
	dir := flag.String("o", ".", "write the files into `DIR`")
	flag.Parse()
	halves, known := map[string][]labelled.Half{
		"tune": {labelled.Tune}, "judge": {labelled.Judge}, "both": {labelled.Tune, labelled.Judge},
	}[*half]
	if flag.NArg() > 0 || !known {
		fmt.Fprintf(os.Stderr, "labelled: unexpected half %q or argument %q\n", *half, flag.Args())
		flag.Usage()
		os.Exit(2)
	}
	if err := run(halves, *seed, *dir); err != nil {
		fmt.Fprintln(os.Stderr, "labelled:", err)
		os.Exit(1)
	}
}

func run(halves []labelled.Half, seed uint64, dir string) error {
	var sets []*labelled.Set
	for _, h := range halves {
		sets = append(sets, labelled.New(h, seed))
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	if err := writeAll(filepath.Join(dir, "eval.jsonl"), sets, (*labelled.Set).WriteItems); err != nil {
		return err
	}
	return writeAll(filepath.Join(dir, "train.jsonl"), sets, (*labelled.Set).WriteRows)
}

// writeAll writes a part of each set into one file.
func writeAll(path string, sets []*labelled.Set, write func(*labelled.Set, io.Writer) error) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	for _, s := range sets {
		if err := write(s, f); err != nil {
			return err
		}
	}
	return nil
}
