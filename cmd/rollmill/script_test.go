package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/rollmill/rollmill/stages/grade/sandbox"
)

var update = flag.Bool("update", false, "rewrite the expected files of the scripts")

func TestMain(m *testing.M) {
	sandbox.Main()
	testscript.Main(m, map[string]func(){"rollmill": main, "test-agent": testAgent})
}

// The command is tested as a user types it. The scripts read like a manual.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       *update,
		Condition: func(cond string) (bool, error) {
			switch cond {
			case "root":
				return os.Getuid() == 0, nil
			case "tmpfs":
				return canMount(t), nil
			case "python":
				_, err := exec.LookPath("python3")
				return err == nil, nil
			}
			return false, fmt.Errorf("unknown condition %q", cond)
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits":     exits,
			"make-rows": makeRows,
			"small-fs":  smallFS,
			"interrupt": interrupt,
			"left-open": leftOpen,
		},
	})
}

// exits runs a command that must end with an exit code: exits 3 rollmill head none.jsonl
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits code command [args]")
	}
	if code := exitCode(ts, ts.Exec(args[1], args[2:]...)); fmt.Sprint(code) != args[0] {
		ts.Fatalf("%s exits with %d, want %s", args[1], code, args[0])
	}
}

func exitCode(ts *testscript.TestScript, err error) int {
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode()
	}
	ts.Check(err)
	return 0
}

// rows makes n rows, with a bad line behind every 500th.
func rows(first, n int) []byte {
	var b bytes.Buffer
	for i := first; i < first+n; i++ {
		fmt.Fprintf(&b, `{"scenario_id":"t%d","rollout_index":%d,"prompt":"%s?","reward":%d,"other":[1.0,null]}`+"\n",
			i/8, i%8, strings.Repeat("What is it", 1+i%30), i%2)
		if i%500 == 499 {
			b.WriteString("{broken\n")
		}
	}
	return b.Bytes()
}

// makeRows writes rows to a file: make-rows 1000 rows.jsonl
func makeRows(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: make-rows n file")
	}
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), rows(0, n), 0o666))
}

// canMount reports whether a small file system can be mounted here.
func canMount(t *testing.T) bool {
	dir, err := os.MkdirTemp("", "mount")
	if err != nil {
		t.Fatal(err)
	}
	defer os.Remove(dir)
	if exec.Command("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", dir).Run() != nil {
		return false
	}
	if err := exec.Command("umount", dir).Run(); err != nil {
		t.Fatal(err)
	}
	return true
}

// smallFS mounts a file system of 1 MiB: small-fs folder
func smallFS(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: small-fs folder")
	}
	dir := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(dir, 0o777))
	ts.Check(exec.Command("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", dir).Run())
	ts.Defer(func() { ts.Check(exec.Command("umount", dir).Run()) })
}

// start starts a command whose standard input stays open.
func start(ts *testscript.TestScript, args []string) (cmd *exec.Cmd, stdin io.WriteCloser) {
	path := filepath.Join(strings.Split(ts.Getenv("PATH"), string(os.PathListSeparator))[0], args[0])
	cmd = exec.Command(path, args[1:]...)
	cmd.Dir = ts.MkAbs(".")
	cmd.Stdout, cmd.Stderr = ts.Stdout(), ts.Stderr()
	stdin, err := cmd.StdinPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	return cmd, stdin
}

// interrupt feeds rows to a command until it has begun to write to a folder,
// and then interrupts it: interrupt folder rollmill convert - -o folder/out.jsonl
func interrupt(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: interrupt folder command [args]")
	}
	cmd, stdin := start(ts, args[1:])
	for n := 0; !holdsFiles(ts, args[0]); n += 500 {
		_, err := stdin.Write(rows(n, 500))
		ts.Check(err)
	}
	ts.Check(cmd.Process.Signal(os.Interrupt))
	if code := exitCode(ts, cmd.Wait()); code != exitInterrupted {
		ts.Fatalf("exits with %d, want %d", code, exitInterrupted)
	}
}

func holdsFiles(ts *testscript.TestScript, dir string) bool {
	entries, err := os.ReadDir(ts.MkAbs(dir))
	ts.Check(err)
	return len(entries) > 0
}

// leftOpen feeds rows to a command, leaves its standard input open and waits for
// it to end: left-open 100 rollmill head - -n 1
func leftOpen(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: left-open n command [args]")
	}
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	cmd, stdin := start(ts, args[1:])
	if _, err = stdin.Write(rows(0, n)); !errors.Is(err, syscall.EPIPE) { // it may have seen enough
		ts.Check(err)
	}
	if code := exitCode(ts, cmd.Wait()); code != exitDone {
		ts.Fatalf("exits with %d", code)
	}
}
