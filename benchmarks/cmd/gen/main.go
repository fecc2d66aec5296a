// Command gen writes synthetic rollouts, the evaluation set that some of them
// leaked from, and the truth about which rows are faulty; see package gen.
//
//	go run ./cmd/gen -rows 1000000 -seed 1 -o rows.jsonl.zst -eval eval.jsonl -truth truth.jsonl
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/rollmill/rollmill/benchmarks/gen"
)

func main() {
	var cfg gen.Config
	flag.Int64Var(&cfg.Rows, "rows", 1000, "number of rows")
	flag.Uint64Var(&cfg.Seed, "seed", 1, "seed of everything")
	flag.IntVar(&cfg.Ngrams, "ngrams", 1_000_000, "least number of distinct word 8-grams in the evaluation set")
	rows := flag.String("o", "-", "write the rows to `FILE` (.zst and .gz are compressed, - is standard output)")
	eval := flag.String("eval", "", "write the evaluation set to `FILE`")
	truth := flag.String("truth", "", "write what is special about which row to `FILE`")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "gen: unexpected argument %q\n", flag.Arg(0))
		flag.Usage()
		os.Exit(2)
	}
	if err := run(cfg, *rows, *eval, *truth); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func run(cfg gen.Config, rows, eval, truth string) error {
	if eval != "" {
		if err := writeFile(eval, func(w io.Writer) error {
			n, err := gen.WriteEval(w, cfg)
			fmt.Fprintf(os.Stderr, "%s: %d items\n", eval, n)
			return err
		}); err != nil {
			return err
		}
	}
	if truth != "" {
		if err := writeFile(truth, func(w io.Writer) error {
			n, err := gen.WriteTruth(w, cfg)
			fmt.Fprintf(os.Stderr, "%s: %d special rows\n", truth, n)
			return err
		}); err != nil {
			return err
		}
	}
	start := time.Now()
	var plain counter
	if err := writeFile(rows, func(w io.Writer) error {
		return gen.Write(io.MultiWriter(&plain, w), cfg)
	}); err != nil {
		return err
	}
	s := time.Since(start).Seconds()
	fmt.Fprintf(os.Stderr, "%s: %d rows, %.1f MB plain in %.2f s: %.0f rows/s, %.0f MB/s\n",
		rows, cfg.Rows, float64(plain)/1e6, s, float64(cfg.Rows)/s, float64(plain)/1e6/s)
	return nil
}

// counter counts the bytes written to it.
type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}
