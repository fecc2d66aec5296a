package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// testAgent is a program for --agent cmd:. It calls a tool and then says what
// came of it, and writes each question to a log. TEST_AGENT says what else it
// does: kill N kills rollmill at the N-th question of the log, before it answers
// or, for an odd N, behind the answer; die, hang, rubbish, error and stderr
// misbehave at every question of the index 1.
func testAgent() {
	habit, arg, _ := strings.Cut(os.Getenv("TEST_AGENT"), " ")
	at, _ := strconv.Atoi(arg)
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var q question
		if err := json.Unmarshal(line, &q); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		asked := note(q.String())
		if habit == "kill" && asked == at && at%2 == 0 {
			_ = syscall.Kill(os.Getppid(), syscall.SIGKILL)
		}
		if q.Task.Index == 1 {
			switch habit {
			case "die":
				os.Exit(3)
			case "hang":
				select {}
			case "rubbish":
				fmt.Println("Hello, I'm an agent.")
				continue
			case "error":
				fmt.Printf("{\"id\":%d,\"error\":\"overloaded\"}\n", q.ID)
				continue
			case "stderr":
				fmt.Fprintln(os.Stderr, strings.Repeat("x", 1000)+" the end of the trace")
				os.Exit(1)
			}
		}
		if q.Turn == 0 {
			fmt.Printf("{\"id\":%d,\"calls\":[{\"name\":\"get_order\",\"arguments\":{\"order_id\":\"A%d\"}}]}\n", q.ID, 1000+q.Task.Index)
		} else {
			fmt.Printf("{\"id\":%d,\"text\":%q}\n", q.ID, fmt.Sprintf("I looked, and found %d things.", q.Task.Index))
		}
		if habit == "kill" && asked == at {
			_ = syscall.Kill(os.Getppid(), syscall.SIGKILL)
		}
	}
}

type question struct {
	ID   int64
	Task struct {
		ID             string
		Index, Attempt int
	}
	Turn int
}

func (q question) String() string {
	return fmt.Sprintf("%s %d %d %d", q.Task.ID, q.Task.Index, q.Task.Attempt, q.Turn)
}

// note appends a line to the log and returns how many there are.
func note(line string) int {
	path := os.Getenv("TEST_AGENT_LOG")
	if path == "" {
		return 0
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return 0
	}
	defer f.Close()
	fmt.Fprintln(f, line)
	text, _ := os.ReadFile(path)
	return bytes.Count(text, []byte("\n"))
}

// A run that is killed at any moment goes on where it was: the bytes are those of
// a run that nothing disturbed, and no answer that was kept is asked for again.
func TestSimulateResumesAfterKill(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "tools.json"), `[{"name":"get_order","parameters":{"type":"object","properties":{"order_id":{"type":"string","description":"such as A1002"}},"required":["order_id"]}}]`)
	args := func(out, journal string, more ...string) []string {
		return append([]string{"simulate", "--tools", "tools.json", "--agent", "cmd:test-agent", "--quiet",
			"--checkpoint", journal, "-o", out, "--seed", "3"}, more...)
	}
	run := func(args []string, habit, log string) error {
		cmd := exec.Command("rollmill", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "TEST_AGENT="+habit, "TEST_AGENT_LOG="+log)
		return cmd.Run()
	}
	for i, more := range [][]string{
		{"--mode", "rl", "--repeats", "4", "--budget", "40", "--in-flight", "1"},
		{"--mode", "rl", "--repeats", "4", "--budget", "40", "--in-flight", "4"},
		{"--mode", "adaptive", "--budget", "40", "--in-flight", "3"},
	} {
		t.Run(strings.Join(more, " "), func(t *testing.T) {
			whole, broken := fmt.Sprintf("whole%d.jsonl", i), fmt.Sprintf("broken%d.jsonl", i)
			if err := run(args(whole, fmt.Sprintf("whole%d.journal", i), more...), "", ""); err != nil {
				t.Fatal(err)
			}
			journal := fmt.Sprintf("broken%d.journal", i)
			random := rand.New(rand.NewPCG(uint64(i), 1))
			kills := 0
			for n := 0; ; n++ {
				kept := answers(t, filepath.Join(dir, journal))
				log := filepath.Join(dir, fmt.Sprintf("log%d.%d", i, n))
				habit := fmt.Sprintf("kill %d", 1+random.IntN(25))
				if n == 12 {
					habit = ""
				}
				err := run(args(broken, journal, more...), habit, log)
				for _, asked := range linesOf(t, log) {
					if kept[asked] {
						t.Fatalf("%s was asked for again", asked)
					}
				}
				if err == nil {
					break
				}
				kills++
				if n == 3 { // and the machine stopped in the middle of a line
					tear(t, filepath.Join(dir, journal))
				}
			}
			if kills == 0 {
				t.Fatal("it was never killed")
			}
			want, got := read(t, filepath.Join(dir, whole)), read(t, filepath.Join(dir, broken))
			if !bytes.Equal(want, got) || len(got) == 0 {
				t.Errorf("after %d kills the rows are others: %d bytes, want %d", kills, len(got), len(want))
			}
		})
	}
}

// answers returns what a journal holds.
func answers(t *testing.T, path string) map[string]bool {
	t.Helper()
	kept := map[string]bool{}
	text, err := os.ReadFile(path)
	if err != nil {
		return kept
	}
	whole := text[:bytes.LastIndexByte(text, '\n')+1]
	for line := range bytes.Lines(whole) {
		var e struct {
			Task                 string
			Index, Attempt, Turn int
		}
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatal(err)
		}
		if e.Task != "" {
			kept[fmt.Sprintf("%s %d %d %d", e.Task, e.Index, e.Attempt, e.Turn)] = true
		}
	}
	return kept
}

// tear cuts the last bytes of a file off.
func tear(t *testing.T, path string) {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, info.Size()-5); err != nil {
		t.Fatal(err)
	}
}

func linesOf(t *testing.T, path string) []string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	return strings.Split(strings.TrimSpace(string(text)), "\n")
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
