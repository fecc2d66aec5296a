package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"
)

// Ctrl-C ends a run within a second. It says what is saved and how to go on, and to
// go on ends with the same bytes.
func TestCurateInterrupted(t *testing.T) {
	dir := t.TempDir()
	in, whole, out := filepath.Join(dir, "rows.jsonl"), filepath.Join(dir, "whole"), filepath.Join(dir, "out")
	write(t, in, string(rows(0, 30_000)))
	args := func(out string) []string {
		return []string{"curate", in, "-o", out, "--no-scan", "--part-rows", "1000", "--format", "jsonl"}
	}
	rollmill(t, append(args(whole), "--quiet")...)

	cmd := exec.Command("rollmill", args(out)...)
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for !exists(filepath.Join(out, ".spool", "part-00001.json")) {
		runtime.Gosched()
	}
	sent := time.Now()
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	took := time.Since(sent)
	if code := cmd.ProcessState.ExitCode(); code != exitInterrupted || took > time.Second {
		t.Errorf("exit code %d after %v", code, took)
	}
	told := regexp.MustCompile(`^rollmill: interrupted; ([0-9,]+) rows are saved in ` + out + `: the same command continues\n$`).FindStringSubmatch(said.String())
	if told == nil {
		t.Fatalf("it said %q", said.String())
	}
	again := exec.Command("rollmill", args(out)...)
	said.Reset()
	again.Stderr = &said
	if err := again.Run(); err != nil {
		t.Fatalf("%v: %s", err, said.String())
	}
	if want := "rollmill: continuing: " + told[1] + " of the rows were read before\n"; said.String() != want {
		t.Errorf("it said %q, want %q", said.String(), want)
	}
	sameRun(t, out, lasting(t, whole))
	t.Logf("it ended after %v, with %s rows saved", took, told[1])
}

// One line in a hundred is broken: each is set aside with its place, the sum holds,
// and what is mended comes back by replay.
func TestCurateBrokenLines(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "rows.jsonl"), filepath.Join(dir, "out")
	var text strings.Builder
	var places []int
	const lines = 10_000
	for n := range lines {
		if n%100 == 37 {
			places = append(places, n+1)
			fmt.Fprintf(&text, `{"scenario_id":"t%d","rollout_index":%d,"prompt":"What is %d","reward":%d`+"\n", n/8, n%8, n/8, n%2)
			continue
		}
		fmt.Fprintf(&text, `{"scenario_id":"t%d","rollout_index":%d,"prompt":"What is %d","reward":%d}`+"\n", n/8, n%8, n/8, n%2)
	}
	write(t, in, text.String())
	said := rollmill(t, "curate", in, "-o", out, "--no-scan", "--quiet", "--part-rows", "700", "--batch-rows", "64", "--keep-duplicates")
	if !regexp.MustCompile(`\nin 10,000 = kept [0-9,]+ \+ dropped [0-9,]+ \+ quarantined 100\n$`).MatchString(said) {
		t.Errorf("it said %s", said)
	}
	var mended []byte
	n := 0
	for line := range bytes.Lines(read(t, filepath.Join(out, "quarantine.jsonl"))) {
		var q map[string]any
		if err := json.Unmarshal(line, &q); err != nil {
			t.Fatal(err)
		}
		if q["input"] != in || q["record"] != float64(places[n]) || q["code"] != "bad_json" {
			t.Fatalf("%v, want record %d", q, places[n])
		}
		n++
		q["raw"] = q["raw"].(string) + "}"
		fixed, err := json.Marshal(q)
		if err != nil {
			t.Fatal(err)
		}
		mended = append(append(mended, fixed...), '\n')
	}
	if n != len(places) {
		t.Fatalf("%d are set aside, want %d", n, len(places))
	}
	fixed, back := filepath.Join(dir, "mended.jsonl"), filepath.Join(dir, "back.jsonl")
	write(t, fixed, string(mended))
	if said := rollmill(t, "replay", fixed, "-o", back); !strings.Contains(said, "in 100 = written 100 + still broken 0\n") {
		t.Errorf("replay said %s", said)
	}
	said = rollmill(t, "curate", in, back, "-o", filepath.Join(dir, "all"), "--no-scan", "--quiet", "--keep-duplicates")
	if !strings.Contains(said, "\nin 10,100 = ") {
		t.Errorf("with them it said %s", said)
	}
}
