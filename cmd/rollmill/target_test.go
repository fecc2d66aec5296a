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
	for _, name := range []string{
		"out-00000.jsonl.zst", "out-00001.jsonl.zst", "out-00003.jsonl.zst", "out-20240115.jsonl.zst", "out-00001.jsonl",
		"out-0002.jsonl.zst", "xout-00000.jsonl.zst", "[x]-00000",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		base string
		from int
		want []string
	}{
		{"out.jsonl.zst", 0, []string{"out-00000.jsonl.zst", "out-00001.jsonl.zst"}},
		{"out.jsonl.zst", 1, []string{"out-00001.jsonl.zst"}},
		{"out.jsonl.zst", 2, nil},
		{"out.jsonl", 1, []string{"out-00001.jsonl"}},
		{"[x]", 0, []string{"[x]-00000"}},
		{"none.jsonl", 0, nil},
	} {
		path := filepath.Join(dir, c.base)
		got := partsFrom(path, c.from)
		if len(got) != len(c.want) {
			t.Errorf("%s from %d: %v, want %v", c.base, c.from, got, c.want)
			continue
		}
		for i := range c.want {
			if got[i] != filepath.Join(dir, c.want[i]) || !isPart(path, got[i]) {
				t.Errorf("%s: part %s, want %s", c.base, got[i], c.want[i])
			}
		}
	}
	if isPart(filepath.Join(dir, "out.jsonl"), filepath.Join(t.TempDir(), "out-00001.jsonl")) {
		t.Error("a file of another folder is a part")
	}
}
