package sandbox_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/rollmill/rollmill/stages/grade/sandbox"
)

// TestInheritedFiles has a file open in the caller as a shell leaves it open for
// what it starts.
func TestInheritedFiles(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("reads /proc")
	}
	path := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(path, []byte("seen"), 0o644); err != nil {
		t.Fatal(err)
	}
	secret, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer secret.Close()
	if _, err := unix.FcntlInt(secret.Fd(), unix.F_SETFD, 0); err != nil {
		t.Fatal(err)
	}
	levels(t, func(t *testing.T, level sandbox.Level) {
		b := box(t, level, sandbox.DefaultLimits())
		if r := run(t, b, shell(fmt.Sprintf("cat /proc/self/fd/%d", secret.Fd()))); r.OK() || len(r.Stdout) > 0 {
			t.Errorf("%+v, stdout %q, stderr %q", r, r.Stdout, r.Stderr)
		}
		if r := run(t, b, shell("ls /proc/self/fd | tr '\\n' ' '")); string(r.Stdout) != "0 1 2 3 " { // 3 is the folder
			t.Errorf("open files %q, stderr %q", r.Stdout, r.Stderr)
		}
	})
}

// TestMemoryOfNobody asks for memory that belongs to no process.
func TestMemoryOfNobody(t *testing.T) {
	b := box(t, sandbox.Full, sandbox.DefaultLimits())
	for _, c := range []struct{ name, call string }{
		{"a file without a name", "memfd_create(b'x', 0)"},
		{"a shared segment", "shmget(0, 1 << 20, 0o1600)"},
		{"a queue", "msgget(0, 0o1600)"},
		{"semaphores", "semget(0, 1000, 0o1600)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := run(t, b, python(t, "import ctypes, os\nc = ctypes.CDLL(None, use_errno=True)\nprint(c."+c.call+", os.strerror(ctypes.get_errno()))"))
			if got := string(r.Stdout); got != "-1 Function not implemented\n" {
				t.Errorf("%q, stderr %s", got, r.Stderr)
			}
		})
	}
}

// TestMemoryGoesFirst has the kernel take the command, not its caller, where the
// machine's memory runs out.
func TestMemoryGoesFirst(t *testing.T) {
	b := box(t, sandbox.Full, sandbox.DefaultLimits())
	r := run(t, b, shell("cat /proc/self/oom_score_adj; echo 0 > /proc/self/oom_score_adj || echo refused"))
	if got := string(r.Stdout); got != "1000\nrefused\n" {
		t.Errorf("%q, stderr %q", got, r.Stderr)
	}
}

// TestOrphansWithoutEnd keeps the supervisor burying what dies.
func TestOrphansWithoutEnd(t *testing.T) {
	limits := sandbox.DefaultLimits()
	limits.Wall = time.Second
	b := box(t, sandbox.Full, limits)
	const storm = `
import os
for _ in range(4): os.fork()
while True:
  try:
    child = os.fork()
    if child == 0:
      try: os.fork()
      except OSError: pass
      os._exit(0)
    os.waitpid(child, 0)
  except OSError: pass
`
	r := run(t, b, python(t, storm))
	if r.Limit != sandbox.LimitWall && r.Limit != sandbox.LimitProcesses {
		t.Errorf("%+v, stderr %s", r, r.Stderr)
	}
}

// TestStartIsNotTimed has less time than a helper takes to start.
func TestStartIsNotTimed(t *testing.T) {
	limits := sandbox.DefaultLimits()
	limits.Wall = time.Nanosecond
	levels(t, func(t *testing.T, level sandbox.Level) {
		b := box(t, level, limits)
		if r := run(t, b, shell("sleep 1000")); r.Limit != sandbox.LimitWall {
			t.Errorf("%+v, stderr %s", r, r.Stderr)
		}
	})
}

func TestManyFiles(t *testing.T) {
	c := shell("ls | wc -l")
	for i := range 12_000 {
		c.Files = append(c.Files, sandbox.File{Name: fmt.Sprint(i)})
	}
	levels(t, func(t *testing.T, level sandbox.Level) {
		limits := sandbox.DefaultLimits()
		limits.Wall = time.Minute
		if r := run(t, box(t, level, limits), c); string(r.Stdout) != "12000\n" {
			t.Errorf("%+v, stdout %q, stderr %s", r, r.Stdout, r.Stderr)
		}
	})
}
