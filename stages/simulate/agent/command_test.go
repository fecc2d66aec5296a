package agent_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/simulate/agent"
	"github.com/rollmill/rollmill/stages/simulate/tools"
)

// The tests are the program that they talk to: with this variable set, the test
// binary answers each line with what the variable says.
const answerVariable = "AGENT_TEST_ANSWER"

func TestMain(m *testing.M) {
	if answer := os.Getenv(answerVariable); answer != "" {
		program(answer)
		return
	}
	goleak.VerifyTestMain(m)
}

// program answers lines: with a text, and {n} in it the number of the line.
func program(answer string) {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	for n := 1; in.Scan(); n++ {
		switch answer {
		case "die":
			fmt.Fprintln(os.Stderr, strings.Repeat("noise ", 100)+"out of memory")
			os.Exit(3)
		case "hang":
			r, _, _ := os.Pipe()
			_, _ = r.Read(make([]byte, 1)) // for ever
		case "echo":
			fmt.Printf("{\"text\":%q}\n", in.Text())
		case "dieSecond":
			if n == 2 {
				os.Exit(0)
			}
			fmt.Printf("{\"text\":\"%d\"}\n", os.Getpid())
		default:
			fmt.Println(strings.ReplaceAll(answer, "{n}", fmt.Sprint(n)))
		}
	}
}

func command(t *testing.T, answer string) *agent.Command {
	t.Helper()
	t.Setenv(answerVariable, answer)
	c, err := agent.NewCommand(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

var asked = &agent.Conversation{
	Task: agent.Task{ID: "sc-1", Prompt: "Where is A1?", Index: 2, Seed: 7, Privileged: `{"reference":"a secret of the grader"}`}, System: "Help.", Turn: 1,
	Tools:    []tools.Tool{{Name: "get_order", Parameters: "{}"}},
	Messages: []rollout.Message{{Role: "user", Content: "Where is A1?"}},
}

func TestCommandAsks(t *testing.T) {
	got, err := command(t, "echo").Reply(t.Context(), asked)
	const want = `{"id":1,"task":{"id":"sc-1","index":2,"attempt":0,"seed":7,"prompt":"Where is A1?"},"turn":1,"system":"Help.",` +
		`"tools":[{"type":"function","function":{"name":"get_order","parameters":{}}}],"messages":[{"role":"user","content":"Where is A1?"}]}`
	if err != nil || got.Text != want {
		t.Errorf("%v\n%s\nwant\n%s", err, got.Text, want)
	}
}

func TestCommandAnswers(t *testing.T) {
	for _, c := range []struct {
		name, line string
		want       agent.Reply
	}{
		{"words", `{"text":"Hello."}`, agent.Reply{Text: "Hello."}},
		{"a call", `{"id":{n},"text":"","calls":[{"name":"a","arguments":{"x":[1]}}]}`,
			agent.Reply{Calls: []rollout.ToolCall{{Type: "function", Name: "a", Arguments: `{"x":[1]}`}}}},
		{"arguments as text", `{"calls":[{"id":"c7","name":"a","arguments":"{\"x\":"}]}`,
			agent.Reply{Calls: []rollout.ToolCall{{ID: "c7", Type: "function", Name: "a", Arguments: `{"x":`}}}},
		{"the rest", `{"text":"a","finish":"length","ended":"user_left","seeded":[],"input_tokens":3,"output_tokens":4,"other":1}`,
			agent.Reply{Text: "a", Finish: "length", Ended: "user_left", Seeded: []string{}, InputTokens: 3, OutputTokens: 4}},
	} {
		t.Run(c.name, func(t *testing.T) {
			program := command(t, c.line)
			for range 2 { // by one process
				got, err := program.Reply(t.Context(), asked)
				if diff := cmp.Diff(c.want, got); err != nil || diff != "" {
					t.Errorf("%v\n%s", err, diff)
				}
			}
		})
	}
}

func TestCommandFails(t *testing.T) {
	for _, c := range []struct{ name, line, want string }{
		{"an error", `{"error":"overloaded"}`, "overloaded"},
		{"rubbish", "Hello, I am an agent.", `unreadable answer: "Hello, I am an agent."`},
		{"a list", `[1]`, "unreadable answer"},
		{"a call without a name", `{"calls":[{"arguments":{}}]}`, "call 1 has no name"},
		{"the answer to another question", `{"id":99,"text":"a"}`, "it answers question 99; want 1"},
		{"death", "die", "it ended without an answer (exit status 3); it said: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := command(t, c.line).Reply(t.Context(), asked)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
			if c.name == "death" && (!errors.Is(err, agent.ErrCommand) || !strings.HasSuffix(err.Error(), "out of memory") || len(err.Error()) > 500) {
				t.Errorf("%v", err)
			}
		})
	}
}

// A program that hangs is killed when the context is done.
func TestCommandHangs(t *testing.T) {
	c := command(t, "hang")
	ctx, stop := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer stop()
	start := time.Now()
	if _, err := c.Reply(ctx, asked); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) > 10*time.Second {
		t.Errorf("%v after %v", err, time.Since(start))
	}
}

// A program that dies is started again; one that answers is kept.
func TestCommandStartsAgain(t *testing.T) {
	c := command(t, "dieSecond")
	first, err := c.Reply(t.Context(), asked)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Reply(t.Context(), asked); err == nil {
		t.Error("no error of a process that has died")
	}
	second, err := c.Reply(t.Context(), asked)
	if err != nil || first.Text == second.Text {
		t.Errorf("%v, the process is %s, and was %s", err, second.Text, first.Text)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if _, err := c.Reply(t.Context(), asked); !errors.Is(err, agent.ErrCommand) {
		t.Errorf("%v after Close", err)
	}
}

func TestNewCommand(t *testing.T) {
	if _, err := agent.NewCommand("no-such-program-anywhere"); !errors.Is(err, agent.ErrCommand) {
		t.Errorf("%v", err)
	}
}

func FuzzParseReply(f *testing.F) {
	f.Add([]byte(`{"text":"a","calls":[{"id":"x","name":"b","arguments":"{\"a\":1}"}],"seeded":["c"]}`))
	f.Add([]byte(`{"text":"\ud800","finish":"length","input_tokens":1}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		r, err := agent.ParseReply(line)
		if err != nil {
			return
		}
		text, err := agent.AppendReply(nil, &r)
		if err != nil {
			t.Fatal(err)
		}
		again, err := agent.ParseReply(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if diff := cmp.Diff(r, again); diff != "" {
			t.Errorf("%s\n%s", line, diff)
		}
	})
}
