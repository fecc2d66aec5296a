package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rollmill/rollmill/formats/files"
)

// A copy of standard input that a killed run left is removed by the next run that copies
// to the same place, and those of runs that live are not.
func TestCopiesOfKilledRuns(t *testing.T) {
	input := string(rows(0, 40))
	for _, c := range []struct {
		name string
		args func(dir string) []string
		at   string // where the copy stands
	}{
		{"curate", func(dir string) []string { return curateArgs(dir) }, "out/.spool/inputs"},
		{"curate --tmp OUT", func(dir string) []string { return append(curateArgs(dir), "--tmp", filepath.Join(dir, "out")) }, "out/.spool/inputs"},
		{"curate --tmp", func(dir string) []string { return append(curateArgs(dir), "--tmp", filepath.Join(dir, "tmp")) }, "tmp"},
		{"select", func(dir string) []string {
			return []string{"select", "-", "-o", filepath.Join(dir, "out.jsonl"), "--ignore-band", "--no-tools", "--force", "--tmp", filepath.Join(dir, "tmp")}
		}, "tmp"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			folder := filepath.Join(dir, c.at)
			if err := os.Mkdir(filepath.Join(dir, "tmp"), 0o777); err != nil {
				t.Fatal(err)
			}
			copying(t, filepath.Join(dir, "tmp"), "scan", "-", "--tmp", filepath.Join(dir, "tmp")) // and lives
			living := copiesIn(t, folder)
			killed := copying(t, folder, c.args(dir)...)
			if err := killed.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			killed.Wait()
			if left := copiesIn(t, folder); left != living+1 {
				t.Fatalf("%d copies are left of a run that was killed, want 1", left-living)
			}
			again := exec.Command("rollmill", c.args(dir)...)
			again.Stdin = strings.NewReader(input)
			if said, err := again.CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, said)
			}
			if left := copiesIn(t, folder); left != living {
				t.Errorf("%d copies are left, want %d", left, living)
			}
			if exists(filepath.Join(dir, "out", ".spool")) {
				t.Error("the spool is left")
			}
		})
	}
}

func curateArgs(dir string) []string {
	return []string{"curate", "-", "-o", filepath.Join(dir, "out"), "--no-scan", "--ignore-band", "--no-tools"}
}

// copying starts a command and returns when it has begun to copy its standard input,
// which does not end.
func copying(t *testing.T, folder string, args ...string) *exec.Cmd {
	t.Helper()
	before := copiesIn(t, folder)
	cmd := exec.Command("rollmill", args...)
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err == nil {
		_, err = io.WriteString(in, "{}\n")
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	for deadline := time.Now().Add(20 * time.Second); copiesIn(t, folder) == before; {
		if time.Now().After(deadline) {
			t.Fatal("it does not copy its input")
		}
		runtime.Gosched()
	}
	return cmd
}

func copiesIn(t *testing.T, folder string) int {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(folder, copyBegin+"*"+copyEnd))
	if err != nil {
		t.Fatal(err)
	}
	return len(found)
}

// A run that is refused leaves nothing in a folder that is not its own.
func TestCopyInRefusedFolder(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "out"), 0o777); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "out", "mine.txt"), "mine")
	cmd := exec.Command("rollmill", curateArgs(dir)...)
	cmd.Stdin = strings.NewReader("{}\n")
	if said, err := cmd.CombinedOutput(); err == nil || cmd.ProcessState.ExitCode() != exitOutput {
		t.Fatalf("%v: %s", err, said)
	}
	if entries, err := os.ReadDir(filepath.Join(dir, "out")); err != nil || len(entries) != 1 {
		t.Errorf("it holds %v, %v", entries, err)
	}
	cmd = exec.Command("rollmill", append(curateArgs(dir), "-o", filepath.Join(dir, "new"), "--k", "x")...)
	cmd.Stdin = strings.NewReader("{}\n")
	if said, err := cmd.CombinedOutput(); err == nil || exists(filepath.Join(dir, "new")) {
		t.Errorf("a folder is left by a run that did not begin: %v: %s", err, said)
	}
}

// A copy whose owner lives stays, and what only looks like one does too.
func TestClearCopies(t *testing.T) {
	dir := t.TempDir()
	to, lock, err := makeCopy(dir)
	if err != nil {
		t.Fatal(err)
	}
	to.Close()
	dead, name := filepath.Join(dir, "rollmill-17.spool"), filepath.Join(dir, "rollmill.spool.txt")
	write(t, dead, "x")
	write(t, name, "x")
	if err := os.Mkdir(filepath.Join(dir, "rollmill-18.spool"), 0o777); err != nil {
		t.Fatal(err)
	}
	clearCopies(dir)
	if exists(dead) || !exists(name) || !exists(to.Name()) || !exists(filepath.Join(dir, "rollmill-18.spool")) {
		t.Error("it cleared away what was not left, or left what was")
	}
	if err := files.Lock(lock); err != nil {
		t.Errorf("the lock is lost: %v", err)
	}
	lock.Close()
	clearCopies(dir)
	if exists(to.Name()) {
		t.Error("it is left when its owner is gone")
	}
}
