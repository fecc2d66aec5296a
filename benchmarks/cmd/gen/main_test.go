package main

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/rollmill/rollmill/benchmarks/gen"
)

func TestFileNameDecidesTheCompression(t *testing.T) {
	cfg := gen.Config{Rows: 600, Seed: 5}
	want := gen.New(cfg.Seed).AppendRows(nil, 0, cfg.Rows)
	for name, open := range map[string]func(io.Reader) (io.Reader, error){
		"rows.jsonl":     func(r io.Reader) (io.Reader, error) { return r, nil },
		"rows.jsonl.gz":  func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
		"rows.jsonl.zst": func(r io.Reader) (io.Reader, error) { return zstd.NewReader(r) },
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), name)
			if err := run(cfg, path, "", ""); err != nil {
				t.Fatal(err)
			}
			f, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			r, err := open(f)
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(r)
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%d bytes and error %v, want the %d bytes of the rows", len(got), err, len(want))
			}
		})
	}
}

func TestRunWritesEvalSetAndTruth(t *testing.T) {
	dir := t.TempDir()
	cfg := gen.Config{Rows: 200, Seed: 5, Ngrams: 1}
	eval, truth := filepath.Join(dir, "eval.jsonl"), filepath.Join(dir, "truth.jsonl")
	if err := run(cfg, filepath.Join(dir, "rows.jsonl"), eval, truth); err != nil {
		t.Fatal(err)
	}
	for path, write := range map[string]func(io.Writer) error{
		eval:  func(w io.Writer) error { _, err := gen.WriteEval(w, cfg); return err },
		truth: func(w io.Writer) error { _, err := gen.WriteTruth(w, cfg); return err },
	} {
		var want bytes.Buffer
		if err := write(&want); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want.Bytes()) {
			t.Errorf("%s: %d bytes and error %v, want %d bytes", filepath.Base(path), len(got), err, want.Len())
		}
	}
}

func TestRunSaysWhichFileCannotBeMade(t *testing.T) {
	err := run(gen.Config{Rows: 1}, filepath.Join(t.TempDir(), "missing", "rows.jsonl"), "", "")
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got error %v, want one that wraps %v", err, fs.ErrNotExist)
	}
}
