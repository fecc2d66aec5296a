package simulate_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/formats/rollout/behaviour"
	"github.com/rollmill/rollmill/stages/simulate"
	"github.com/rollmill/rollmill/stages/simulate/agent"
	"github.com/rollmill/rollmill/stages/simulate/tools"
	"github.com/rollmill/rollmill/stats"
)

// Sixteen asks of four rollouts: all that was planned is there, each row says
// what was planted in it, and each group stands together.
func TestSixteenByFour(t *testing.T) {
	c := config(t)
	c.Situations, c.Repeats, c.RepeatPolicy = 16, 4, simulate.Fixed
	rows, report := simulated(t, c)
	if len(rows) != 64 || report.Rows != 64 || report.Tasks != 16 || report.UniquePrompts != 16 || report.Stopped != simulate.StopSituations {
		t.Fatalf("%d rows: %+v", len(rows), report)
	}
	for i := range rows {
		r := &rows[i]
		if r.Index.Text != fmt.Sprint(i%4) || r.TaskID != rows[i-i%4].TaskID || r.Prompt != rows[i-i%4].Prompt {
			t.Errorf("row %d is %s #%s", i, r.TaskID, r.Index.Text)
		}
		if r.Pos.Record != int64(i+1) {
			t.Errorf("row %d stands at %v", i, r.Pos)
		}
		if seeded := extra(r, "seeded"); !strings.HasPrefix(seeded, "[") {
			t.Errorf("row %d: seeded %q", i, seeded)
		}
		for _, name := range []string{"arm", "scenario_dimensions", "steps", "tier", "ask_family", "model_version", "policy_version", "writer_model", "seed", "behavior_signature", "tools_used", "lineage"} {
			if extra(r, name) == "" {
				t.Errorf("row %d has no %s", i, name)
			}
		}
	}
}

// A leak is found exactly where one was planted.
func TestLeaksAreThosePlanted(t *testing.T) {
	for _, c := range []struct {
		name      string
		behaviors []agent.Behavior
		leaks     bool
	}{
		{"leaks alone", []agent.Behavior{agent.Leak}, true},
		{"all behaviours", nil, true},
		{"all but leaks", []agent.Behavior{agent.Hedging, agent.Sycophancy, agent.Apology, agent.Boilerplate, agent.IgnoreFault}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			conf := config(t)
			conf.Agent = scripted(t, 0.5, c.behaviors...)
			conf.Budget = 400
			rows, _ := simulated(t, conf)
			var b behaviour.Reader
			leaks := 0
			for i := range rows {
				b.Read(&rows[i])
				_, state := b.Leak(behaviour.LeakFloor)
				planted := strings.Contains(extra(&rows[i], "seeded"), `"leak"`)
				if (state == behaviour.LeakFound) != planted {
					t.Errorf("row %d: leak %v, seeded %s: %s", i, state, extra(&rows[i], "seeded"), rows[i].FinalText)
				}
				if planted {
					leaks++
				}
			}
			if (leaks > 0) != c.leaks {
				t.Errorf("%d leaks", leaks)
			}
		})
	}
}

// The same seed gives the same rows on any number of workers, in both schedules.
func TestSameRowsForAnyWorkers(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*simulate.Config)
	}{
		{"explore", func(c *simulate.Config) { c.Mode = simulate.Explore }},
		{"sft", func(c *simulate.Config) { c.Mode = simulate.SFT }},
		{"rl", func(c *simulate.Config) {}},
		{"rl in rounds", func(c *simulate.Config) { c.Schedule = simulate.Rounds }},
		{"adaptive", func(c *simulate.Config) { c.Mode = simulate.Adaptive }},
		{"saturation", func(c *simulate.Config) { c.Until = simulate.UntilSaturation }},
		{"runs", func(c *simulate.Config) { c.Runs, c.Repeats = 3, 4 }},
		{"a person", func(c *simulate.Config) { c.User = simulate.ScriptedUser(simulate.NormalPatience, 4) }},
		{"an agent that waits", func(c *simulate.Config) { c.Agent = waiting{c.Agent} }},
	} {
		t.Run(c.name, func(t *testing.T) {
			var want string
			for i, workers := range []int{1, 3, 8} {
				conf := config(t)
				conf.Budget = 300
				c.change(&conf)
				conf.Workers, conf.InFlight = workers, workers
				rows, report := simulated(t, conf)
				got := text(rows)
				if i == 0 {
					want = got
				}
				if got != want {
					t.Fatalf("%d workers give other rows", workers)
				}
				if len(rows) == 0 || len(rows) > conf.Budget*max(1, conf.Runs) && conf.Until == "" || int(report.Rows) != len(rows) {
					t.Errorf("%d rows, %d reported, budget %d", len(rows), report.Rows, conf.Budget)
				}
			}
		})
	}
	a, b := config(t), config(t)
	a.Budget, b.Budget, b.Seed = 64, 64, 2
	first, _ := simulated(t, a)
	second, _ := simulated(t, b)
	if text(first) == text(second) {
		t.Error("two seeds give the same rows")
	}
}

// waiting is an agent that is treated as one that waits.
type waiting struct{ agent.Agent }

func (waiting) Waits() bool { return true }

// Every pair of values that the grid plans is covered when the budget allows.
func TestEveryPlannedPairIsCovered(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list, err := tools.Parse([]byte(shopTools))
		if err != nil {
			t.Fatal(err)
		}
		mode := rapid.SampledFrom(simulate.Modes()).Draw(t, "mode")
		schedule := rapid.SampledFrom([]simulate.Schedule{simulate.Streaming, simulate.Rounds}).Draw(t, "schedule")
		if mode == simulate.Adaptive {
			schedule = simulate.Rounds
		}
		a, err := agent.NewScripted(0.3)
		if err != nil {
			t.Fatal(err)
		}
		c := simulate.Config{
			Tools: list[:rapid.IntRange(1, len(list)).Draw(t, "tools")], System: rapid.SampledFrom([]string{"", shopPolicy}).Draw(t, "policy"),
			Agent: a, Mode: mode, Schedule: schedule, Seed: rapid.Int64Range(0, 1<<40).Draw(t, "seed"), Repeats: 2, Phrasings: 1, Budget: 600,
		}
		_, report, err := attempt(context.Background(), c)
		if err != nil {
			t.Fatal(err)
		}
		if report.Pairs.Covered != report.Pairs.Planned || report.Cells.Run != report.Cells.Planned {
			t.Fatalf("%+v of %+v", report.Pairs, report.Cells)
		}
	})
}

// Every fault that is scheduled meets a rollout that calls a tool, and no other
// does; no rollout passes its turn limit.
func TestFaultsFire(t *testing.T) {
	c := config(t)
	c.Budget = 1200
	rows, report := simulated(t, c)
	planned := 0
	for i := range rows {
		r := &rows[i]
		var b behaviour.Reader
		b.Read(r)
		name := b.FaultName()
		_, mode, faulted := strings.Cut(extra(r, "faults"), `"mode":"`)
		if !faulted {
			if slices.Contains([]string{"timeout", "malformed", "stale", "deny"}, name) {
				t.Errorf("row %d met %s, which nobody planned", i, name)
			}
			continue
		}
		planned++
		mode, _, _ = strings.Cut(mode, `"`)
		if mode == "permission_denied" {
			mode = "deny"
		}
		if name != mode {
			t.Errorf("row %d met %q, planned was %q: %s", i, name, mode, extra(r, "steps"))
		}
	}
	if planned == 0 || int64(planned) != report.Faults.Rows {
		t.Errorf("%d rows planned a fault, %d met one", planned, report.Faults.Rows)
	}
}

func TestFaultRate(t *testing.T) {
	for _, c := range []struct {
		rate       float64
		least, max float64
	}{{0, 0, 0}, {1, 1, 1}, {0.5, 0.35, 0.65}} {
		conf := config(t)
		conf.FaultRate = stats.Of(c.rate)
		conf.Budget = 1000
		conf.RepeatPolicy, conf.Repeats = simulate.Fixed, 2
		_, r := simulated(t, conf)
		share := float64(r.Faults.Kept) / float64(r.Faults.Tagged)
		if share < c.least || share > c.max {
			t.Errorf("rate %v: %d of %d kept", c.rate, r.Faults.Kept, r.Faults.Tagged)
		}
	}
}

// No agent, whatever it does, gets more turns than the limit and the one that
// lets it speak after a call.
func TestTurnLimit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(1, 5).Draw(t, "limit")
		habits := rapid.SliceOfN(rapid.SampledFrom([]string{"call", "say", "nothing", "preamble", "ask", "unknown", "broken"}), 1, 6).Draw(t, "habits")
		list, err := tools.Parse([]byte(shopTools))
		if err != nil {
			t.Fatal(err)
		}
		a := agent.Func("habits", func(_ context.Context, c *agent.Conversation) (agent.Reply, error) {
			if c.Turn > limit {
				t.Errorf("turn %d of %d", c.Turn, limit)
			}
			switch habits[c.Turn%len(habits)] {
			case "call":
				return agent.Reply{Calls: []rollout.ToolCall{{Name: "get_order", Arguments: `{"order_id":"A1"}`}}}, nil
			case "unknown":
				return agent.Reply{Text: "so", Calls: []rollout.ToolCall{{Name: "no_such_tool", Arguments: `{}`}}}, nil
			case "broken":
				return agent.Reply{Calls: []rollout.ToolCall{{Name: "get_order", Arguments: `{"order_id":`}}}, nil
			case "preamble":
				return agent.Reply{Text: "Sure, let me look."}, nil
			case "ask":
				return agent.Reply{Text: fmt.Sprintf("Which one, number %d?", c.Turn)}, nil
			case "nothing":
				return agent.Reply{}, nil
			}
			return agent.Reply{Text: fmt.Sprintf("It is %d.", c.Turn)}, nil
		})
		rows, _, err := attempt(context.Background(), simulate.Config{
			Tools: list, Agent: a, MaxTurns: limit, Budget: 20, User: simulate.ScriptedUser(simulate.EndlessPatience, 9), DeadAfter: 1000,
		})
		if err != nil {
			t.Fatal(err)
		}
		for i := range rows {
			m := rows[i].Messages
			turns := 0
			for _, m := range m {
				if m.Role == rollout.RoleAssistant {
					turns++
				}
			}
			if turns > limit+1 || m[len(m)-1].Role == rollout.RoleUser {
				t.Errorf("%d turns of %d, the last message is of the %s", turns, limit, m[len(m)-1].Role)
			}
		}
	})
}

// What an agent can do wrong, and what becomes of it.
func TestAgentsThatFail(t *testing.T) {
	ok := agent.Reply{Text: "It is done."}
	for _, c := range []struct {
		name    string
		reply   func(ctx context.Context, c *agent.Conversation) (agent.Reply, error)
		rows    int
		lost    map[simulate.Lost]int64
		again   map[simulate.Lost]int64
		stopped simulate.Stop
		err     error
	}{
		{name: "errors always", stopped: simulate.StopAgent, err: simulate.ErrAgent,
			reply: func(context.Context, *agent.Conversation) (agent.Reply, error) {
				return agent.Reply{}, errors.New("down")
			}},
		{name: "errors at first", rows: 20, stopped: simulate.StopBudget, again: map[simulate.Lost]int64{simulate.LostError: 10},
			reply: func(_ context.Context, c *agent.Conversation) (agent.Reply, error) {
				if c.Task.Attempt == 0 && c.Task.Index == 0 {
					return agent.Reply{}, errors.New("down")
				}
				return ok, nil
			}},
		{name: "panics at first", rows: 20, stopped: simulate.StopBudget, again: map[simulate.Lost]int64{simulate.LostError: 10},
			reply: func(_ context.Context, c *agent.Conversation) (agent.Reply, error) {
				if c.Task.Attempt == 0 && c.Task.Index == 0 {
					panic("oops")
				}
				return ok, nil
			}},
		{name: "never answers the second rollout", rows: 20, stopped: simulate.StopBudget,
			lost: map[simulate.Lost]int64{simulate.LostTimeout: 19}, again: map[simulate.Lost]int64{simulate.LostTimeout: 38},
			reply: func(ctx context.Context, c *agent.Conversation) (agent.Reply, error) {
				if c.Task.Index == 1 {
					<-ctx.Done()
					return agent.Reply{}, ctx.Err()
				}
				return ok, nil
			}},
		{name: "says nothing", stopped: simulate.StopEmpty,
			reply: func(context.Context, *agent.Conversation) (agent.Reply, error) { return agent.Reply{Text: " \n"}, nil }},
		{name: "writes markup at first", rows: 20, stopped: simulate.StopBudget, again: map[simulate.Lost]int64{simulate.LostMarkup: 10},
			reply: func(_ context.Context, c *agent.Conversation) (agent.Reply, error) {
				if c.Task.Attempt == 0 && c.Task.Index == 0 {
					return agent.Reply{Text: `<tool_call>{"name":"get_order"}</tool_call>`}, nil
				}
				return ok, nil
			}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				rows, report, err := attempt(t.Context(), simulate.Config{
					Tools: shop(t), Agent: waiting{agent.Func(c.name, c.reply)}, Budget: 20, Repeats: 2, RepeatPolicy: simulate.Fixed, DeadAfter: 64,
				})
				if !errors.Is(err, c.err) {
					t.Fatal(err)
				}
				if len(rows) != c.rows || report.Stopped != c.stopped {
					t.Errorf("%d rows, stopped because of %s", len(rows), report.Stopped)
				}
				if c.err == nil && c.stopped != simulate.StopEmpty {
					for _, why := range simulate.LostReasons() {
						if report.Lost[why] != c.lost[why] || report.Rerolled[why] != c.again[why] {
							t.Errorf("%s: lost %d, run again %d; want %d, %d", why, report.Lost[why], report.Rerolled[why], c.lost[why], c.again[why])
						}
					}
				}
			})
		})
	}
}

func TestTimeBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := agent.Func("slow", func(ctx context.Context, _ *agent.Conversation) (agent.Reply, error) {
			select {
			case <-time.After(time.Second):
			case <-ctx.Done():
			}
			return agent.Reply{Text: "At last."}, ctx.Err()
		})
		rows, report := simulated(t, simulate.Config{Tools: shop(t), Agent: waiting{slow}, TimeBudget: 10 * time.Second, InFlight: 2})
		if report.Stopped != simulate.StopTime || len(rows) < 20 || len(rows) > 60 {
			t.Errorf("%d rows, stopped because of %s", len(rows), report.Stopped)
		}
	})
}

// A group that agrees after its probes ends; one that does not is filled.
func TestSuccessive(t *testing.T) {
	a := agent.Func("parity", func(_ context.Context, c *agent.Conversation) (agent.Reply, error) {
		if strings.HasSuffix(c.Task.Prompt, ".") && c.Task.Index%2 == 1 {
			return agent.Reply{Text: "I cannot do that."}, nil
		}
		return agent.Reply{Text: "It was done."}, nil
	})
	rows, report := simulated(t, simulate.Config{Tools: shop(t), Agent: a, Mode: simulate.RL, Budget: 400})
	size := map[string]int{}
	for i := range rows {
		size[rows[i].Prompt]++
	}
	for prompt, n := range size {
		if want := map[bool]int{true: 8, false: 2}[strings.HasSuffix(prompt, ".")]; n != want && extraOf(rows, prompt, "group_cut") == "" {
			t.Errorf("%q has %d rollouts, want %d", prompt, n, want)
		}
	}
	g := report.Groups
	if len(rows) != 400 || g.Mixed == 0 || g.Unanimous == 0 || g.Groups != report.Tasks || g.Saved != 6*g.Unanimous {
		t.Errorf("%d rows, %+v", len(rows), g)
	}
}

func extraOf(rows []rollout.Row, prompt, name string) string {
	for i := range rows {
		if rows[i].Prompt == prompt {
			return extra(&rows[i], name)
		}
	}
	return ""
}

// A reward is the label where there is one; a row that was cut off has neither.
func TestGrade(t *testing.T) {
	a := agent.Func("lengths", func(_ context.Context, c *agent.Conversation) (agent.Reply, error) {
		if c.Task.Index == 1 {
			return agent.Reply{Text: "It was", Finish: "length"}, nil
		}
		return agent.Reply{Text: strings.Repeat("word ", 13*c.Task.Index) + "end."}, nil // each behaves otherwise
	})
	c := simulate.Config{Agent: a, Mode: simulate.RL, Budget: 80, Grade: func(_ context.Context, r *rollout.Row) error {
		if r.Index.Num == 3 {
			return errors.New("no verdict")
		}
		r.SetReward(rollout.Number(1), rollout.StatusOK)
		return nil
	}}
	rows, report := simulated(t, c)
	for i := range rows {
		r := &rows[i]
		switch r.Index.Num {
		case 1:
			if r.Status != rollout.StatusMissingReward || r.Judge != "length_cap" || r.State() != rollout.Unscored || r.FinishReason != "length" {
				t.Errorf("row %d: %v %s %s", i, r.Status, r.Judge, r.FinishReason)
			}
		case 3:
			if r.Status != rollout.StatusError || r.State() != rollout.Unscored {
				t.Errorf("row %d: %v", i, r.Status)
			}
		default:
			if pass, ok := r.BinaryReward(); !pass || !ok {
				t.Errorf("row %d has no reward", i)
			}
		}
	}
	// Indices 0 and 2 agree, and nothing else carries a label by then.
	if report.Truncated == 0 || report.Groups.Mixed != 0 || len(rows) != 80 {
		t.Errorf("%d rows: %+v", len(rows), report.Groups)
	}
}

func TestRuns(t *testing.T) {
	c := config(t)
	c.Runs, c.Repeats, c.Budget = 3, 4, 40
	rows, report := simulated(t, c)
	if len(rows) != 120 || report.UniquePrompts != 10 {
		t.Fatalf("%d rows, %d prompts", len(rows), report.UniquePrompts)
	}
	differ := false
	for i := range rows {
		if rows[i].Prompt != rows[i%40].Prompt || !strings.Contains(extra(&rows[i], "lineage"), fmt.Sprintf(`"eval_run":%d`, i/40)) {
			t.Errorf("row %d: %s", i, extra(&rows[i], "lineage"))
		}
		differ = differ || rows[i].FinalText != rows[i%40].FinalText
	}
	if !differ {
		t.Error("the runs are copies of each other")
	}
}

func TestSaturation(t *testing.T) {
	c := config(t)
	c.Mode, c.Until = simulate.Explore, simulate.UntilSaturation
	_, report := simulated(t, c)
	if report.Stopped != simulate.StopSaturation || report.Cells.Least < simulate.SaturationCopies || report.Arms["failure_mutation"] == 0 {
		t.Errorf("%+v", report)
	}
}

func TestTypedToolsAndPeople(t *testing.T) {
	type in struct {
		OrderID string `json:"order_id" description:"such as A1002"`
	}
	lookup := tools.Func("get_order", "Look an order up.", func(_ context.Context, i in) (map[string]string, error) {
		if i.OrderID == "" {
			return nil, errors.New("which order?")
		}
		return map[string]string{"found": i.OrderID}, nil
	})
	people, err := tools.Parse([]byte(`[{"kind":"human","name":"ask_person","parameters":{"type":"object","properties":{"question":{"type":"string"}}}}]`))
	if err != nil {
		t.Fatal(err)
	}
	a := agent.Func("both", func(_ context.Context, c *agent.Conversation) (agent.Reply, error) {
		switch c.Turn {
		case 0:
			return agent.Reply{Calls: []rollout.ToolCall{{Name: "get_order", Arguments: `{"order_id":"A7"}`}, {Name: "ask_person", Arguments: `{"question":"?"}`}}}, nil
		case 1:
			return agent.Reply{Calls: []rollout.ToolCall{{Name: "get_order", Arguments: `{}`}}}, nil
		}
		return agent.Reply{Text: "Done."}, nil
	})
	rows, report := simulated(t, simulate.Config{Tools: append(people, lookup), Agent: a, Budget: 5, FaultRate: stats.Of(0.0)})
	for i := range rows {
		steps := extra(&rows[i], "steps")
		for _, want := range []string{`"result":{"found":"A7"}`, `"result":{"answer":"(no reply yet)"}`, `"result":{"status":"error","reason":"which order?"}`} {
			if !strings.Contains(steps, want) {
				t.Errorf("row %d: %s", i, steps)
			}
		}
		if used := extra(&rows[i], "tools_used"); used != `["get_order","ask_person"]` {
			t.Errorf("row %d used %s", i, used)
		}
	}
	if len(rows) != 5 || report.Tools[1].Calls != 10 || report.Tools[1].Succeeded != 5 {
		t.Errorf("%d rows, %+v", len(rows), report.Tools)
	}
}

func TestConfigIsChecked(t *testing.T) {
	for _, c := range []struct {
		field  string
		change func(*simulate.Config)
	}{
		{"Agent", func(c *simulate.Config) { c.Agent = nil }},
		{"Mode", func(c *simulate.Config) { c.Mode = "eval" }},
		{"RepeatPolicy", func(c *simulate.Config) { c.RepeatPolicy = "all" }},
		{"Schedule", func(c *simulate.Config) { c.Schedule = "soon" }},
		{"Until", func(c *simulate.Config) { c.Until = "noon" }},
		{"Budget", func(c *simulate.Config) { c.Budget = -1 }},
		{"Probe", func(c *simulate.Config) { c.Probe = 1 }},
		{"FaultRate", func(c *simulate.Config) { c.FaultRate = stats.Of(1.5) }},
		{"Runs", func(c *simulate.Config) { c.Runs, c.Mode = 2, simulate.Adaptive }},
		{"RepeatPolicy", func(c *simulate.Config) { c.Runs, c.RepeatPolicy = 2, simulate.Successive }},
		{"Schedule", func(c *simulate.Config) { c.Schedule, c.Until = simulate.Streaming, simulate.UntilSaturation }},
	} {
		conf := config(t)
		c.change(&conf)
		if _, err := simulate.New(conf); !errors.Is(err, simulate.ErrConfig) || !strings.Contains(err.Error(), c.field+":") {
			t.Errorf("%s: %v", c.field, err)
		}
	}
}
