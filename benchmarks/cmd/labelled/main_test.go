package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/rollmill/rollmill/stages/decontaminate/labelled"
)

func TestRun(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	if err := run([]labelled.Half{labelled.Tune, labelled.Judge}, 1, dir); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]int{"eval.jsonl": 2 * labelled.Items, "train.jsonl": 4000} {
		raw, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(raw, []byte("\n")); n != want {
			t.Errorf("%s: %d lines, want %d", name, n, want)
		}
	}
}
