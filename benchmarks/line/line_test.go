package line_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rollmill/rollmill/benchmarks/gen"
	"github.com/rollmill/rollmill/benchmarks/line"
)

var rows = flag.Int64("rows", 20_000, "rows that are curated")

// made writes rows and an evaluation set.
func made(t *testing.T, n int64) (r line.Run) {
	t.Helper()
	dir := t.TempDir()
	r = line.Run{Rows: filepath.Join(dir, "rows.jsonl"), Against: filepath.Join(dir, "eval.jsonl"), Out: filepath.Join(dir, "out"), Workers: 2}
	cfg := gen.Config{Rows: n, Seed: 1}
	for path, write := range map[string]func(io.Writer) error{
		r.Rows:    func(w io.Writer) error { return gen.Write(w, cfg) },
		r.Against: func(w io.Writer) error { _, err := gen.WriteEval(w, cfg); return err },
	} {
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := write(f); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// hashes are those of the files that must not depend on how a run went.
func hashes(t *testing.T, out string) string {
	t.Helper()
	var b strings.Builder
	for _, name := range []string{"rows.arrow", "train.parquet", "quarantine.jsonl", "report.json"} {
		f, err := os.Open(filepath.Join(out, name))
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		h := sha256.New()
		if _, err := io.Copy(h, f); err != nil {
			t.Fatal(err)
		}
		f.Close()
		fmt.Fprintf(&b, "%s %x\n", name, h.Sum(nil))
	}
	return b.String()
}

// The files are the same for any workers and batches. With a million rows:
//
//	go test ./line -run SameBytes -rows 1000000 -timeout 1h
func TestSameBytes(t *testing.T) {
	r := made(t, *rows)
	want := ""
	for _, workers := range []int{1, 2, 8} {
		for _, batch := range []int{100, 1024, 5000} {
			r.Workers, r.Batch = workers, batch
			if _, err := r.Do(context.Background()); err != nil {
				t.Fatal(err)
			}
			got := hashes(t, r.Out)
			if want == "" {
				want = got
				if strings.Count(want, "\n") < 3 {
					t.Fatalf("files are missing: %s", want)
				}
			}
			if got != want {
				t.Fatalf("%d workers, batches of %d: got\n%swant\n%s", workers, batch, got, want)
			}
		}
	}
}

func TestTableTellsWhatARunTook(t *testing.T) {
	r := made(t, 4_000)
	result, err := r.Do(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if result.Rows != 4_000 || result.Kept == 0 || result.CPU <= 0 || result.Peak == 0 {
		t.Fatalf("%+v", result)
	}
	var b bytes.Buffer
	if err := line.WriteTable(&b, "go run", r, result, nil); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"`go run`", "| rows in, kept | 4000, ", "| ratio to the stage limits | not measured", "| read | encode |"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}

func TestLimitSumCountsKeptRowsWhereOnlyTheyCome(t *testing.T) {
	got := line.LimitSum([]line.Limit{{Row: 2e-6}, {Row: 1e-5, Kept: true}}, 1_000_000, 400_000)
	if got != 6 {
		t.Errorf("%v seconds, want 6", got)
	}
}
