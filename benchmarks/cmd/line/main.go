// Command line measures the whole line end to end; see package line.
//
//	go run ./cmd/line -rows 1000000 -limits DIR
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/rollmill/rollmill/benchmarks/gen"
	"github.com/rollmill/rollmill/benchmarks/line"
)

func main() {
	cfg := gen.Config{Seed: 1, Ngrams: 1_000_000}
	var r line.Run
	flag.Int64Var(&cfg.Rows, "rows", 100_000, "rows that are generated")
	flag.IntVar(&r.Workers, "workers", runtime.GOMAXPROCS(0), "workers of each stage")
	flag.BoolVar(&r.NoScan, "no-scan", false, "leave the hack scan out")
	runs := flag.Int("n", 3, "runs, of which the one of median CPU time is told")
	limits := flag.String("limits", os.Getenv("ROLLMILL_LIMITS"), "folder of the programs that measure what the machine can do")
	dir := flag.String("dir", "", "folder in which rows are kept for the next time (default: a temporary one)")
	prof := flag.String("cpuprofile", "", "write the CPU profile to a file")
	flag.Parse()
	if err := run(context.Background(), cfg, r, *runs, *limits, *dir, *prof); err != nil {
		fmt.Fprintln(os.Stderr, "line:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, cfg gen.Config, r line.Run, runs int, limits, dir, prof string) error {
	if dir == "" {
		tmp, err := os.MkdirTemp("", "line")
		if err != nil {
			return err
		}
		defer os.RemoveAll(tmp)
		dir = tmp
	}
	size, err := rowsIn(dir, cfg, &r)
	if err != nil {
		return err
	}
	defer os.RemoveAll(r.Out)
	result, list, err := r.Median(ctx, runs, func() ([]line.Limit, error) {
		if limits == "" {
			return nil, nil
		}
		return line.Limits(ctx, limits, dir)
	})
	if err != nil {
		return err
	}
	result.Bytes = size
	if prof != "" {
		if err := os.WriteFile(prof, result.Profile, 0o666); err != nil {
			return err
		}
	}
	return line.WriteTable(os.Stdout, "go run ./cmd/line "+strings.Join(os.Args[1:], " "), r, result, list)
}

// rowsIn makes the rows and the evaluation set in a folder, unless they are there.
// It returns the size of the rows as plain text.
func rowsIn(dir string, cfg gen.Config, r *line.Run) (size int64, err error) {
	r.Rows, r.Against, r.Out = filepath.Join(dir, fmt.Sprintf("rows-%d.jsonl.zst", cfg.Rows)), filepath.Join(dir, "eval.jsonl"), filepath.Join(dir, "out")
	note := r.Rows + ".size"
	if text, err := os.ReadFile(note); err == nil {
		if _, err := fmt.Sscan(string(text), &size); err == nil {
			return size, nil
		}
	}
	if err := write(r.Against, func(w io.Writer) error {
		_, err := gen.WriteEval(w, cfg)
		return err
	}); err != nil {
		return 0, err
	}
	var plain counter
	if err := write(r.Rows, func(w io.Writer) error {
		z, err := zstd.NewWriter(w)
		if err != nil {
			return err
		}
		if err := gen.Write(io.MultiWriter(&plain, z), cfg); err != nil {
			return err
		}
		return z.Close()
	}); err != nil {
		return 0, err
	}
	return int64(plain), os.WriteFile(note, fmt.Append(nil, int64(plain)), 0o666)
}

func write(path string, fill func(io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := fill(f); err != nil {
		return err
	}
	return f.Close()
}

// counter counts the bytes written to it.
type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}
