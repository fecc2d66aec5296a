package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestDefaultQuarantine(t *testing.T) {
	for path, want := range map[string]string{
		"out.jsonl":           "out.quarantine.jsonl",
		"dir.d/out.jsonl.zst": "dir.d/out.quarantine.jsonl",
		"run.v2.NDJSON.gz":    "run.v2.quarantine.jsonl",
		"run.v2":              "run.v2.quarantine.jsonl",
		"out":                 "out.quarantine.jsonl",
		"-":                   "",
		"":                    "",
		os.DevNull:            "",
	} {
		if got := defaultQuarantine(path); got != want {
			t.Errorf("%q: %q, want %q", path, got, want)
		}
	}
}

func TestParts(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"out-00000.jsonl.zst", "out-123456.jsonl.zst", "out-00001.jsonl", "out-0001.jsonl.zst", "out-0000x.jsonl.zst", "xout-00000.jsonl.zst", "[x]-00000"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for base, want := range map[string][]string{
		"out.jsonl.zst": {"out-00000.jsonl.zst", "out-123456.jsonl.zst"},
		"out.jsonl":     {"out-00001.jsonl"},
		"[x]":           {"[x]-00000"},
		"none.jsonl":    nil,
	} {
		path := filepath.Join(dir, base)
		got := partsOf(path)
		if len(got) != len(want) {
			t.Errorf("%s: %v, want %v", base, got, want)
			continue
		}
		for i := range want {
			if got[i] != filepath.Join(dir, want[i]) || !isPart(path, got[i]) {
				t.Errorf("%s: part %s, want %s", base, got[i], want[i])
			}
		}
	}
	if isPart(filepath.Join(dir, "out.jsonl"), filepath.Join(t.TempDir(), "out-00001.jsonl")) {
		t.Error("a file of another folder is a part")
	}
}
