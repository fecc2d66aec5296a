package verify_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/grade"
	"github.com/rollmill/rollmill/stages/grade/sandbox"
	"github.com/rollmill/rollmill/stages/grade/verify"
	"github.com/rollmill/rollmill/stream"
)

func TestMain(m *testing.M) {
	sandbox.Main()
	os.Exit(m.Run())
}

// box is a box at the highest level that the system allows.
func box(t testing.TB, wall time.Duration) *sandbox.Box {
	t.Helper()
	limits := sandbox.DefaultLimits()
	limits.Wall = wall
	b, err := sandbox.New(t.Context(), sandbox.Full, limits)
	if errors.Is(err, sandbox.ErrIsolation) {
		b, err = sandbox.New(t.Context(), sandbox.Weak, limits)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func codeExec(t testing.TB, wall time.Duration, o verify.CodeOptions) grade.Grader {
	t.Helper()
	g, err := verify.CodeExec(t.Context(), box(t, wall), o)
	if errors.Is(err, verify.ErrNoInterpreter) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// tested makes a row with an answer and private tests.
func tested(t testing.TB, answer, tests string) *rollout.Row {
	t.Helper()
	text, err := json.Marshal(map[string]any{"final_text": answer, "privileged": map[string]any{"tests": tests}})
	if err != nil {
		t.Fatal(err)
	}
	return decode(t, string(text))
}

func TestCodeExec(t *testing.T) {
	g := codeExec(t, 20*time.Second, verify.CodeOptions{})
	const tests = "assert add(1, 2) == 3\ndef test_more():\n    assert add(-1, 1) == 0, 'want 0 here'"
	for _, c := range []struct{ name, answer, tests, want string }{
		{"the whole answer", "def add(a, b):\n    return a + b", tests, "1: the tests pass"},
		{"a fenced block", "Here:\n```python\ndef add(a, b):\n    return a + b\n```\nDone.", tests, "1: the tests pass"},
		{"the last block of Python", "```python\nx\n```\n```\ndef add(a, b): return a + b\n```\n```sh\nrm x\n```", tests, "1: the tests pass"},
		{"a wrong answer", "def add(a, b): return 3", tests, "0: AssertionError"},
		{"no Python", "I do not know", tests, "0: SyntaxError"},
		{"an exit before the tests", "import sys\ndef add(a, b): return 4\nsys.exit(0)", tests, "0: it ended before its tests were through"},
		{"a hard exit before the tests", "import os\nos._exit(0)", tests, "0: it ended before its tests were through"},
		{"an exit code", "import os\nos._exit(3)", tests, "0: exit code 3"},
		{"annotations of the future", "from __future__ import annotations\ndef add(a: X, b) -> Y: return a + b", tests, "1: the tests pass"},
		{"code for the main module", "def add(a, b): return a + b\nif __name__ == '__main__':\n    print(add(1, 2))", tests, "1: the tests pass"},
		{"hints by name", "import typing\nclass A: pass\ndef add(a: 'A', b): return a + b\nassert typing.get_type_hints(add)", tests, "1: the tests pass"},
		{"a message that quotes the tests", "def add(a, b): return a + b if a > 0 else 1", tests, "0: AssertionError"},
		{"a word at the exit", "import atexit\natexit.register(print, 'bye')\ndef add(a, b): return a + b", tests, "1: the tests pass"},
		{"output that is no text", "import os\nos.write(1, b'\\xff\\x00')\ndef add(a, b): return a + b", tests, "1: the tests pass"},
		{"no standard output", "import sys\nsys.stdout = None\ndef add(a, b): return a + b", tests, "1: the tests pass"},
		{"a module that was not imported", "def add(a, b): return a + b + 0 * sys.maxsize", tests, "0: NameError"},
		{"a test that waits", "def add(a, b): return 3", tests + "\nasync def test_wait(): assert add(1, 1) == 2\ndel test_more", "0: AssertionError"},
		{"a file in place of the word", "print(open('word.txt').read())", tests, "0: FileNotFoundError"},
		{"no tests", "x = 1", "", "invalid_result: no tests"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := verdict(t, g, tested(t, c.answer, c.tests)); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
	r, err := g.Grade(t.Context(), tested(t, "x = 1", "pass"))
	if err != nil || len(r.Meta) != 1 || r.Meta[0].Name != "sandbox" {
		t.Errorf("evidence %+v, %v", r.Meta, err)
	}
	if info := g.Info(); !info.Waits || !info.Pure || info.Name != "code" {
		t.Errorf("info %+v", info)
	}
}

// TestCodeExecSources has tests stand elsewhere than in privileged.tests.
func TestCodeExecSources(t *testing.T) {
	g := codeExec(t, 20*time.Second, verify.CodeOptions{Setup: "import math"})
	public := decode(t, `{"final_text":"x = math.pi","reference":"assert x < 3, 'too large'"}`)
	if got := verdict(t, g, public); got != "0: AssertionError: too large" {
		t.Errorf("of public tests: %q", got)
	}
	if got := verdict(t, g, decode(t, `{"final_text":"x","reference":4}`)); got != "invalid_result: no tests" {
		t.Errorf("of a number: %q", got)
	}
	all := codeExec(t, 20*time.Second, verify.CodeOptions{Tests: "assert x == 1"})
	if got := verdict(t, all, decode(t, `{"final_text":"x = 1"}`)); got != "1: the tests pass" {
		t.Errorf("of tests for all: %q", got)
	}
}

func TestCodeExecLimits(t *testing.T) {
	g := codeExec(t, 3*time.Second, verify.CodeOptions{})
	for _, c := range []struct{ name, answer, want string }{
		{"a loop", "while True: pass", "0: not done within 3s"},
		{"memory", "x = bytearray(10 << 30)", "0: more than 512 MiB of memory"},
		{"output", "while True: print('x' * 1000)", "0: more than 64 KiB of output"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := verdict(t, g, tested(t, c.answer, "pass")); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestCodeExecCommand(t *testing.T) {
	g := codeExec(t, 20*time.Second, verify.CodeOptions{Command: []string{"sh", "main.sh"}, File: "main.sh", Words: []string{"sh"}})
	for answer, want := range map[string]string{
		"```sh\nx=1\n```": "1: the tests pass",
		"x=2":             "0: exit code 1",
	} {
		if got := verdict(t, g, tested(t, answer, `test "$x" = 1`)); got != want {
			t.Errorf("%q: got %q, want %q", answer, got, want)
		}
	}
	link := filepath.Join(t.TempDir(), "shell")
	if err := os.Symlink("/bin/sh", link); err != nil {
		t.Fatal(err)
	}
	elsewhere := codeExec(t, 20*time.Second, verify.CodeOptions{Command: []string{link, "main.sh"}, File: "main.sh"})
	if got := verdict(t, elsewhere, tested(t, "x=1", `test "$x" = 1`)); got != "1: the tests pass" {
		t.Errorf("by a program that lies elsewhere: %q", got)
	}
	if _, err := verify.CodeExec(t.Context(), box(t, time.Second), verify.CodeOptions{Command: []string{"no-such-program", "a"}, File: "a"}); !errors.Is(err, verify.ErrNoInterpreter) {
		t.Errorf("got %v", err)
	}
	if _, err := verify.CodeExec(t.Context(), box(t, time.Second), verify.CodeOptions{Command: []string{"sh"}, File: "a"}); err == nil {
		t.Error("no error for a command that does not name the file")
	}
}

// TestHumanEval runs the canonical solutions of HumanEval, which all pass, and
// each with its body replaced, which all fail.
func TestHumanEval(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs 328 programs")
	}
	file, err := os.Open(data(t, "humaneval/HumanEval.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	plain, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	var rows []rollout.Row
	lines := bufio.NewScanner(plain)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var p struct {
			ID       string `json:"task_id"`
			Prompt   string `json:"prompt"`
			Entry    string `json:"entry_point"`
			Solution string `json:"canonical_solution"`
			Test     string `json:"test"`
		}
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			t.Fatal(err)
		}
		tests := p.Test + "\ncheck(" + p.Entry + ")\n"
		for _, body := range []string{p.Solution, "    return 'mutated'\n"} {
			row := tested(t, p.Prompt+body, tests)
			row.TaskID = p.ID
			rows = append(rows, *row)
		}
	}
	g := codeExec(t, time.Minute, verify.CodeOptions{})
	flow := stream.Through(stream.FromSlice(rows), grade.Stage(g, grade.InFlight(4)))
	graded, _, err := stream.Collect(t.Context(), flow)
	if err != nil {
		t.Fatal(err)
	}
	if len(graded) != 328 {
		t.Errorf("%d rows, want 328", len(graded))
	}
	for i := range graded {
		r := &graded[i]
		if want := fmt.Sprint(1 - i%2); r.Reward.Text != want || !strings.Contains(r.Extra[len(r.Extra)-2].JSON, `"sandbox":`) {
			t.Errorf("%s: reward %s, want %s: %s, %v", r.TaskID, r.Reward.Text, want, r.Reason, r.Extra)
		}
	}
}
