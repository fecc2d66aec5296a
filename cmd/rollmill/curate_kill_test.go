package main

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// kills is how often a run is killed before it may end.
const kills = 10

// A run that is killed at any moment ends, by the same command, with the same bytes,
// and whatever stands under its own name until then is whole.
func TestCurateKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs the command many times")
	}
	dir := t.TempDir()
	rows, err := demoRollouts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	in := filepath.Join(dir, "rollouts.jsonl")
	write(t, in, string(rolloutLines(rows))+"{\"broken\n")
	evals := filepath.Join(dir, "evals.jsonl")
	write(t, evals, string(evalsOf(rows)))
	args := func(out string) []string {
		return []string{"curate", in, "--against", evals, "--with", "conduct", "-o", out, "--quiet", "--shuffles", "20"}
	}
	begun := time.Now()
	rollmill(t, args(filepath.Join(dir, "whole"))...)
	took := time.Since(begun)
	want := lasting(t, filepath.Join(dir, "whole"))

	out := filepath.Join(dir, "killed")
	random := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0)) // any moment is as good
	killed := 0
	for n := range kills {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(random.Int64N(int64(took))))
		cmd := exec.CommandContext(ctx, "rollmill", args(out)...) // the end of the context is a SIGKILL
		if n%4 == 3 {
			cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
		}
		said, err := cmd.CombinedOutput()
		cancel()
		if err != nil {
			killed++
		}
		if code := cmd.ProcessState.ExitCode(); code > 0 && (code != exitInterrupted || !bytes.Contains(said, []byte("rollmill: interrupted; "))) {
			t.Fatalf("exit code %d: %s", code, said)
		}
		if _, err := os.Stat(out); err != nil {
			continue // before it began
		}
		for name, text := range lasting(t, out) {
			if !bytes.Equal(text, want[name]) {
				t.Fatalf("%s is not whole after a kill", name)
			}
		}
	}
	t.Logf("%d of %d runs were killed", killed, kills)
	rollmill(t, args(out)...)
	got := lasting(t, out)
	if len(got) != len(want) {
		t.Errorf("%d files, want %d", len(got), len(want))
	}
	for name, text := range want {
		if !bytes.Equal(text, got[name]) {
			t.Errorf("%s differs", name)
		}
	}
	if entries, err := os.ReadDir(out); err != nil || len(entries) != len(want)+2 { // run.json and report.html
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

// lasting are the files of a folder that are there to stay and do not depend on the
// machine.
func lasting(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	found := map[string][]byte{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if name := e.Name(); name[0] != '.' && name != "run.json" && name != "report.html" {
			found[name] = read(t, filepath.Join(dir, name))
		}
	}
	return found
}
