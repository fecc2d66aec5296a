package simulate_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/simulate"
	"github.com/rollmill/rollmill/stages/simulate/agent"
)

// A journal that was cut anywhere gives the rows of a whole run, and the agent
// is asked for what is missing alone.
func TestJournalCutAnywhere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	asked := 0
	config := func() simulate.Config {
		return simulate.Config{Tools: shop(t), Mode: simulate.RL, Repeats: 3, Budget: 12, Checkpoint: path, Workers: 1,
			Agent: agent.Func("counting", func(_ context.Context, c *agent.Conversation) (agent.Reply, error) {
				asked++
				switch {
				case c.Task.Attempt == 0 && c.Task.Index == 1:
					return agent.Reply{}, errors.New("not now")
				case c.Turn == 0:
					return agent.Reply{Text: "I look\xff.", Calls: []rollout.ToolCall{{Name: "get_order", Arguments: `{"order_id": "A1"}`}}, OutputTokens: 3}, nil
				}
				return agent.Reply{Text: fmt.Sprintf("Done, %d.", c.Task.Index), Seeded: []string{}}, nil
			})}
	}
	rows, _ := simulated(t, config())
	want, all := text(rows), asked
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for cut := len(whole); cut >= 0; cut -= max(1, len(whole)/40) {
		if err := os.WriteFile(path, whole[:cut], 0o666); err != nil {
			t.Fatal(err)
		}
		asked = 0
		rows, report := simulated(t, config())
		kept := max(0, strings.Count(string(whole[:cut]), "\n")-1)
		if text(rows) != want || asked != all-kept || report.Resumed != int64(kept) {
			t.Fatalf("cut at %d of %d: asked %d of %d times, %d kept, %d used again", cut, len(whole), asked, all, kept, report.Resumed)
		}
		if again, err := os.ReadFile(path); err != nil || string(again) != string(whole) {
			t.Fatalf("cut at %d: the journal is not what it was: %v", cut, err)
		}
	}
}

func TestJournalIsRefused(t *testing.T) {
	c := config(t)
	c.Budget, c.Checkpoint = 8, filepath.Join(t.TempDir(), "journal")
	simulated(t, c)
	whole, err := os.ReadFile(c.Checkpoint)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, _ := strings.Cut(string(whole), "\n")
	for _, w := range []struct {
		name, text, want string
		change           func(*simulate.Config)
	}{
		{"another seed", "", "another seed: 1, now 5", func(c *simulate.Config) { c.Seed = 5 }},
		{"another prompt", "", "another system: ", func(c *simulate.Config) { c.System = "Help." }},
		{"another agent", "", "another agent: ", func(c *simulate.Config) {
			c.Agent = agent.Func("other", func(context.Context, *agent.Conversation) (agent.Reply, error) { return agent.Reply{}, nil })
		}},
		{"something else", "{\"a\":1}\n", ":1: it is no checkpoint of a simulation", nil},
		{"a broken line", head + "\n{\"key\":\n" + rest, ":2: no answer", nil},
		{"a broken key", head + "\n{\"key\":\"zz\"}\n", ":2: key zz", nil},
	} {
		t.Run(w.name, func(t *testing.T) {
			conf := c
			if w.text != "" {
				conf.Checkpoint = filepath.Join(t.TempDir(), "journal")
				if err := os.WriteFile(conf.Checkpoint, []byte(w.text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if w.change != nil {
				w.change(&conf)
			}
			if _, err := simulate.New(conf); !errors.Is(err, simulate.ErrCheckpoint) || !strings.Contains(err.Error(), w.want) {
				t.Errorf("%v, want %q", err, w.want)
			}
		})
	}
}
