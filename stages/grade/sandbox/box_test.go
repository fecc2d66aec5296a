package sandbox_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rollmill/rollmill/stages/grade/sandbox"
)

// shell runs a line by a shell, whose commands are the tools of these tests.
func shell(line string) sandbox.Command {
	return sandbox.Command{Path: "/bin/sh", Args: []string{"-c", line}}
}

// box returns a box at a level, or skips where the system does not allow it.
func box(t testing.TB, level sandbox.Level, limits sandbox.Limits) *sandbox.Box {
	t.Helper()
	b, err := sandbox.New(t.Context(), level, limits)
	if errors.Is(err, sandbox.ErrIsolation) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func run(t testing.TB, b *sandbox.Box, c sandbox.Command) sandbox.Result {
	t.Helper()
	r, err := b.Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func levels(t *testing.T, test func(t *testing.T, level sandbox.Level)) {
	for _, level := range []sandbox.Level{sandbox.Weak, sandbox.Full} {
		t.Run(level.String(), func(t *testing.T) { test(t, level) })
	}
}

func TestRun(t *testing.T) {
	levels(t, func(t *testing.T, level sandbox.Level) {
		b := box(t, level, sandbox.DefaultLimits())
		for _, c := range []struct {
			name           string
			command        sandbox.Command
			exit           int
			signal         string
			stdout, stderr string
		}{
			{"a command that succeeds", shell("echo out; echo err >&2"), 0, "", "out\n", "err\n"},
			{"an exit code", shell("exit 7"), 7, "", "", ""},
			{"a signal", shell("kill -SEGV $$"), -1, "SIGSEGV", "", ""},
			{"standard input is empty", shell("cat; echo end"), 0, "", "end\n", ""},
			{"its own environment", sandbox.Command{Path: "/usr/bin/env", Env: []string{"A=b"}}, 0, "", "A=b\n", ""},
			{"files in its folder", sandbox.Command{
				Path: "/bin/sh", Args: []string{"-c", "cat a.txt && echo more > b.txt && cat b.txt"},
				Files: []sandbox.File{{Name: "a.txt", Data: []byte("text\n")}},
			}, 0, "", "text\nmore\n", ""},
		} {
			t.Run(c.name, func(t *testing.T) {
				r := run(t, b, c.command)
				if r.Exit != c.exit || r.Signal != c.signal || r.Limit != "" || string(r.Stdout) != c.stdout || string(r.Stderr) != c.stderr || r.Level != level {
					t.Errorf("%+v, stdout %q, stderr %q", r, r.Stdout, r.Stderr)
				}
			})
		}
	})
}

func TestLimits(t *testing.T) {
	limits := sandbox.Limits{
		Wall: 2 * time.Second, CPU: time.Second, Memory: 256 << 20, FileSize: 1 << 20, Processes: 20, Output: 1000,
	}
	levels(t, func(t *testing.T, level sandbox.Level) {
		b := box(t, level, limits)
		for _, c := range []struct {
			name string
			line string
			want sandbox.Limit
		}{
			{"waiting without end", "sleep 1000", sandbox.LimitWall},
			{"a child that outlives its parent", "sleep 1000 & sleep 1000", sandbox.LimitWall},
			{"output without end", "yes", sandbox.LimitOutput},
			{"a large file", "head -c 10000000 /dev/zero > file", sandbox.LimitFileSize},
		} {
			t.Run(c.name, func(t *testing.T) {
				began := time.Now()
				r := run(t, b, shell(c.line))
				if r.Limit != c.want || r.OK() || r.Exit == 0 {
					t.Errorf("%+v, stderr %q; want the limit %q", r, r.Stderr, c.want)
				}
				if took := time.Since(began); took > limits.Wall+3*time.Second {
					t.Errorf("took %v", took)
				}
				if len(r.Stdout) > limits.Output {
					t.Errorf("%d bytes of output", len(r.Stdout))
				}
			})
		}
	})
}

func TestProcessorTime(t *testing.T) {
	limits := sandbox.DefaultLimits()
	limits.Wall, limits.CPU = time.Minute, time.Second // however crowded the machine is
	levels(t, func(t *testing.T, level sandbox.Level) {
		r := run(t, box(t, level, limits), shell("while :; do :; done"))
		if r.Limit != sandbox.LimitCPU || r.OK() {
			t.Errorf("%+v, stderr %q", r, r.Stderr)
		}
	})
}

func TestFullHidesTheMachine(t *testing.T) {
	b := box(t, sandbox.Full, sandbox.DefaultLimits())
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("seen"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, line, want string }{
		{"a file of the caller's", "cat " + secret + " 2>&1 | grep -o 'No such file'", "No such file\n"},
		{"home folders", "ls /root /home 2>/dev/null; echo nothing", "nothing\n"},
		{"passwords", "cat /etc/shadow /etc/passwd 2>/dev/null; echo nothing", "nothing\n"},
		{"processes", "ls /proc | grep -c '^[0-9]'", "4\n"}, // the supervisor, the shell, ls and grep
		{"the system's folders", "echo x > /usr/x || echo refused", "refused\n"},
		{"the root", "mkdir /new || echo refused", "refused\n"},
		{"interfaces", "cat /proc/net/dev | grep -c :", "1\n"}, // lo, which is down
		{"rights", "grep -E '^(CapEff|CapBnd|NoNewPrivs|Seccomp):' /proc/self/status | tr -d '\\t\\n'",
			"CapBnd:0000000000000000CapEff:0000000000000000NoNewPrivs:1Seccomp:2"},
		{"more rights by a namespace", "unshare -Ur true || echo refused", "refused\n"},
		{"temporary files", "echo x > /tmp/x && cat /tmp/x", "x\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := run(t, b, shell(c.line))
			got := string(r.Stdout)
			if c.name == "rights" { // the order of the lines is the kernel's
				if strings.Count(got, "0000000000000000") != 2 || !strings.Contains(got, "NoNewPrivs:1") || !strings.Contains(got, "Seccomp:2") {
					t.Errorf("%q", got)
				}
				return
			}
			if got != c.want {
				t.Errorf("%q, stderr %q; want %q", got, r.Stderr, c.want)
			}
		})
	}
}

func TestReadable(t *testing.T) {
	b := box(t, sandbox.Full, sandbox.DefaultLimits())
	folder := t.TempDir()
	file := filepath.Join(folder, "file")
	if err := os.WriteFile(file, []byte("seen\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	c := shell("cat " + file + " && echo x > " + file)
	c.Readable = []string{folder}
	r := run(t, b, c)
	if string(r.Stdout) != "seen\n" || r.OK() || r.Limit != sandbox.LimitReadOnly {
		t.Errorf("%+v, stdout %q, stderr %q", r, r.Stdout, r.Stderr)
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "seen\n" {
		t.Errorf("the file is %q, %v", text, err)
	}
}

// TestProgramElsewhere runs a program that lies outside of the system's folders.
func TestProgramElsewhere(t *testing.T) {
	b := box(t, sandbox.Full, sandbox.DefaultLimits())
	link := filepath.Join(t.TempDir(), "program")
	if err := os.Symlink("/bin/true", link); err != nil {
		t.Fatal(err)
	}
	c := sandbox.Command{Path: link}
	// Many times: this is known only when the limits hold, which leave the
	// helper no memory to say so in.
	for range 60 {
		if _, err := b.Run(t.Context(), c); !errors.Is(err, sandbox.ErrStart) || !strings.Contains(err.Error(), "not among what is Readable") {
			t.Fatalf("unseen: %v", err)
		}
	}
	c.Readable = []string{link}
	if r := run(t, b, c); !r.OK() {
		t.Errorf("readable: %+v, stderr %q", r, r.Stderr)
	}
}

func TestErrors(t *testing.T) {
	levels(t, func(t *testing.T, level sandbox.Level) {
		b := box(t, level, sandbox.DefaultLimits())
		for _, c := range []struct {
			name    string
			command sandbox.Command
			want    error
		}{
			{"no such program", sandbox.Command{Path: "/usr/bin/no-such-program"}, sandbox.ErrStart},
			{"a folder", sandbox.Command{Path: "/usr"}, sandbox.ErrStart},
			{"a relative program", sandbox.Command{Path: "sh"}, sandbox.ErrCommand},
			{"a file elsewhere", sandbox.Command{Path: "/bin/sh", Files: []sandbox.File{{Name: "../x"}}}, sandbox.ErrCommand},
			{"a relative readable", sandbox.Command{Path: "/bin/sh", Readable: []string{"x"}}, sandbox.ErrCommand},
		} {
			t.Run(c.name, func(t *testing.T) {
				r, err := b.Run(t.Context(), c.command)
				if !errors.Is(err, c.want) {
					t.Errorf("%+v, %v; want %v", r, err, c.want)
				}
			})
		}
	})
	if _, err := sandbox.New(t.Context(), sandbox.Weak, sandbox.Limits{}); !errors.Is(err, sandbox.ErrLimits) {
		t.Errorf("no limits: %v", err)
	}
}

func TestCancel(t *testing.T) {
	levels(t, func(t *testing.T, level sandbox.Level) {
		b := box(t, level, sandbox.DefaultLimits())
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		began := time.Now()
		_, err := b.Run(ctx, shell("sleep 1000"))
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(began) > time.Second {
			t.Errorf("%v after %v", err, time.Since(began))
		}
	})
}

// survivors counts the processes of this machine whose command line holds a mark.
func survivors(t *testing.T, mark string) int {
	t.Helper()
	lines, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, path := range lines {
		if text, err := os.ReadFile(path); err == nil && strings.Contains(string(text), mark) {
			n++
		}
	}
	return n
}

func TestNothingIsLeftBehind(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("reads /proc")
	}
	limits := sandbox.DefaultLimits()
	limits.Wall = time.Second
	b := box(t, sandbox.Full, limits)
	for _, c := range []struct{ name, line string }{
		{"in the background", "sleep 98761 & exit 0"},
		{"in another session", "setsid sleep 98761 & setsid setsid sleep 98761 & exit 0"},
		{"at the limit", "setsid sleep 98761 & sleep 98761"},
		{"killing its parent", "setsid sleep 98761 & kill -9 $PPID; kill -TERM $PPID; exit 3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			run(t, b, shell(c.line))
			if n := survivors(t, "98761"); n != 0 {
				t.Errorf("%d processes are left", n)
			}
		})
	}
}

// TestHelperAsCaller is no test: it runs a command and never ends by itself.
func TestHelperAsCaller(t *testing.T) {
	if os.Getenv("SANDBOX_CALLER") == "" {
		t.Skip("runs only as another test's process")
	}
	limits := sandbox.DefaultLimits()
	limits.Wall = time.Hour
	run(t, box(t, sandbox.Full, limits), shell("echo started > /dev/null; setsid sleep 98762 & sleep 98762"))
}

func TestKilledCallerLeavesNothing(t *testing.T) {
	box(t, sandbox.Full, sandbox.DefaultLimits())
	cmd := exec.Command(os.Args[0], "-test.run=TestHelperAsCaller$")
	cmd.Env = append(os.Environ(), "SANDBOX_CALLER=1")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the command runs", func() bool { return survivors(t, "98762") >= 2 })
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	eventually(t, "the command is gone", func() bool { return survivors(t, "98762") == 0 })
}

// eventually waits for another process to get somewhere.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	ticker := time.NewTicker(10 * time.Millisecond)
	defer ticker.Stop()
	for range 1000 {
		if is() {
			return
		}
		<-ticker.C
	}
	t.Fatalf("not within 10 s: %s", what)
}

func BenchmarkRun(b *testing.B) {
	for _, level := range []sandbox.Level{sandbox.Weak, sandbox.Full} {
		b.Run(level.String(), func(b *testing.B) {
			box := box(b, level, sandbox.DefaultLimits())
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					if r := run(b, box, sandbox.Command{Path: "/bin/true"}); !r.OK() {
						b.Errorf("%+v", r)
					}
				}
			})
		})
	}
}
