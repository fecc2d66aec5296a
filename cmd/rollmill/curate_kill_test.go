package main

import (
	"bytes"
	"context"
	"flag"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

var (
	kills    = flag.Int("kills", 10, "kill rollmill curate so often")
	killSeed = flag.Uint64("kill-seed", 0, "kill it at the moments of this seed, which a test that failed tells (default: any)")
)

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
		return []string{"curate", in, "--against", evals, "--with", "conduct", "-o", out, "--shuffles", "20", "--part-rows", "30", "--batch-rows", "10"}
	}
	begun := time.Now()
	rollmill(t, append(args(filepath.Join(dir, "whole")), "--quiet")...)
	took := time.Since(begun)
	want := lasting(t, filepath.Join(dir, "whole"))

	out := filepath.Join(dir, "killed")
	seed := *killSeed
	if seed == 0 {
		seed = uint64(time.Now().UnixNano()) // any moment is as good
	}
	t.Logf("-kills %d -kill-seed %d", *kills, seed)
	random := rand.New(rand.NewPCG(seed, 0))
	killed, continued, ended := 0, 0, 0
	for n := 0; killed < *kills; n++ {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(random.Int64N(int64(took))))
		cmd := exec.CommandContext(ctx, "rollmill", args(out)...) // the end of the context is a SIGKILL
		if n%4 == 3 {
			cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
		}
		said, err := cmd.CombinedOutput()
		cancel()
		if bytes.Contains(said, []byte("rollmill: continuing: ")) {
			continued++
		}
		if code := cmd.ProcessState.ExitCode(); code > 0 && (code != exitInterrupted || !bytes.Contains(said, []byte("rollmill: interrupted"))) {
			t.Fatalf("exit code %d: %s", code, said)
		}
		if _, err := os.Stat(out); err != nil {
			killed++ // before it began
			continue
		}
		if err == nil {
			sameRun(t, out, want)
			ended++
			if err := os.RemoveAll(out); err != nil {
				t.Fatal(err)
			}
			continue
		}
		killed++
		for name, text := range lasting(t, out) {
			if !bytes.Equal(text, want[name]) {
				t.Fatalf("%s is not whole after a kill", name)
			}
		}
	}
	t.Logf("%d kills; %d runs continued another, and %d came to their end", killed, continued, ended)
	rollmill(t, append(args(out), "--quiet")...)
	sameRun(t, out, want)
}

// sameRun checks that a folder holds a finished run of these bytes and nothing else.
func sameRun(t *testing.T, out string, want map[string][]byte) {
	t.Helper()
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
