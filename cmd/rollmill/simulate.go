package main

import (
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rollmill/rollmill/stages/simulate"
	"github.com/rollmill/rollmill/stages/simulate/agent"
	"github.com/rollmill/rollmill/stages/simulate/world"
	"github.com/rollmill/rollmill/stats"
)

const simulateHelp = `Simulate gives an agent things to do and writes down what it did: from its tools and
its system prompt it plans situations, writes messages for them, and answers the
agent's calls from a mock world that fails on purpose. No model and no network are
needed: the agent called scripted makes one call, reports what came of it, and in
some rollouts misbehaves in a way that the field seeded names.

The situations cover every pair of values of six axes: tool, rule of the prompt,
stance of the person, state of the world, behaviour of the tool, history. Messages
are put together from templates and read like it: the summary says how many are
unlike and how many repeat a pattern.

MODES
  explore   one rollout of each message
  sft       3 messages a situation, and up to 4 rollouts each where one fails
  rl        groups of 8: two rollouts, and the rest where they disagree
  adaptive  3 messages, up to 3 rollouts, in rounds that learn where to look
--repeats, --phrasings and --policy change that.

AGENTS
  scripted              without a model; --rate and --behaviors say how it misbehaves
  cmd:PROGRAM ARGS      a program that reads one JSON object a line and answers with
                        one: {"messages", "tools", "system", ...} in, {"text", "calls"}
                        out; it is started again when it dies (see --protocol)
  http://HOST/v1        a server that speaks OpenAI's chat completions; --model names
                        the model, $ROLLMILL_API_KEY holds the key, if it wants one

A rollout that comes to nothing (an error of the agent, no answer in time, an empty
reply) is run again, and then counted as lost by its reason. It is no row and never a
score. The same arguments give the same bytes, for any number of workers; with an
agent that is no program of draws, as far as its answers are the same.

--checkpoint FILE keeps every answer before it is used: the same command continues
after a crash, asks for none of them again and writes the same rows.`

const simulateExample = `  rollmill simulate --tools tools.json --system policy.txt -o rollouts.jsonl
  rollmill simulate --tools tools.json --system policy.txt --mode rl --repeats 8 --budget 1000 --agent scripted -o - | rollmill measure -
  rollmill simulate --tools tools.json --system policy.txt --agent 'cmd:python3 agent.py' --checkpoint run.journal -o run.jsonl
  rollmill simulate --tools tools.json --system policy.txt --agent http://localhost:8000/v1 --model my-policy -o run.parquet`

// simulateFlags are what simulate is told.
type simulateFlags struct {
	tools, system string
	agent         string
	model         string
	rate          float64
	behaviors     []string
	user          string
	grade         string

	mode, policy, schedule, until         string
	situations, phrasings, repeats, probe int
	budget, runs, turns, inFlight         int
	timeBudget, timeout                   time.Duration
	seed                                  int64
	faultRate, hardShare, openEnded       float64
	checkpoint                            string
	protocol                              bool

	out convertFlags
}

func newSimulate() *cobra.Command {
	var f simulateFlags
	cmd := &cobra.Command{
		Use:     "simulate --tools FILE --system FILE -o OUT",
		Short:   "Make rollouts of an agent in situations that fail on purpose",
		Long:    simulateHelp,
		Example: simulateExample,
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.tools, "tools", "", "the tools stand in `FILE`, JSON, as any chat API takes them")
	flags.StringVar(&f.system, "system", "", "the system prompt stands in `FILE`")
	flags.StringVarP(&f.out.out, "output", "o", "", "write to `OUT`, - for standard output")
	flags.StringVar(&f.agent, "agent", "scripted", "what is tested: scripted, cmd:PROGRAM ARGS, or a URL")
	flags.StringVar(&f.model, "model", "", "the model that a server is asked for")
	flags.Float64Var(&f.rate, "rate", agent.DefaultRate, "the scripted agent misbehaves in this `SHARE` of the rollouts")
	flags.StringSliceVar(&f.behaviors, "behaviors", nil, "and in these ways: "+strings.Join(texts(agent.Behaviors()), ", ")+" (default: all)")
	flags.StringVar(&f.user, "user", "none", "who plays the person when the agent has spoken: none, scripted")
	flags.StringVar(&f.grade, "grade", "", "give each row a reward: conduct, none (default: conduct for the scripted agent)")
	flags.StringVar(&f.mode, "mode", string(simulate.Explore), "what the rollouts are for: "+strings.Join(texts(simulate.Modes()), ", "))
	flags.IntVar(&f.budget, "budget", 0, "make at most `N` rows (default: 1000)")
	flags.IntVar(&f.situations, "situations", 0, "in `N` situations (default: as many as the budget allows)")
	flags.IntVar(&f.phrasings, "phrasings", 0, "with `N` messages each (default: by mode)")
	flags.IntVar(&f.repeats, "repeats", 0, "and up to `N` rollouts of each message (default: by mode)")
	flags.StringVar(&f.policy, "policy", "", "how rollouts are allotted: "+strings.Join(texts(simulate.Policies()), ", ")+" (default: by mode)")
	flags.IntVar(&f.probe, "probe", 0, "successive decides after `N` rollouts (default: 2)")
	flags.StringVar(&f.schedule, "schedule", "", "streaming, or rounds that learn from what came before (default: by mode)")
	flags.StringVar(&f.until, "until", "", "stop at budget, or at saturation: when every situation was run often enough")
	flags.DurationVar(&f.timeBudget, "time-budget", 0, "begin no message after this `TIME`; the rows then depend on the clock")
	flags.IntVar(&f.runs, "runs", 0, "run all messages `N` times over (default: once)")
	flags.Int64Var(&f.seed, "seed", 0, "draw by seed `N`")
	flags.Float64Var(&f.faultRate, "fault-rate", -1, "of the messages with a fault this `SHARE` keeps it (default: 0.5, in mode rl 0.8)")
	flags.Float64Var(&f.hardShare, "hard-share", -1, "this `SHARE` of the situations is hard, once each was run (default: 0.4)")
	flags.Float64Var(&f.openEnded, "open-ended", -1, "this `SHARE` of the messages is of no situation (default: 0.1)")
	flags.IntVar(&f.turns, "max-turns", 0, "the agent answers at most `N` times (default: 16)")
	flags.IntVar(&f.inFlight, "in-flight", 0, "run `N` rollouts at a time with an agent that waits (default: 16)")
	flags.DurationVar(&f.timeout, "timeout", 0, "an answer may take this `TIME` (default: 5m for an agent that waits)")
	flags.StringVar(&f.checkpoint, "checkpoint", "", "keep the answers of the agent in `FILE`, and continue from those that are there")
	flags.Int64Var(&f.out.rowsPerFile, "rows-per-file", 0, "begin a new file after `N` rows: OUT-00000.jsonl, OUT-00001.jsonl (default: one file)")
	flags.BoolVar(&f.out.force, "force", false, "replace files that are there")
	flags.BoolVar(&f.out.dryRun, "dry-run", false, "run and report, and write nothing")
	flags.BoolVar(&f.protocol, "protocol", false, "print what a program of --agent cmd: reads and writes, and stop")
	flags.IntVar(&f.out.in.workers, "workers", 0, "work with `N` workers (default: one a core)")
	f.out.report.add(cmd)
	for name, words := range map[string][]string{
		"mode": texts(simulate.Modes()), "policy": texts(simulate.Policies()), "grade": {"conduct", "none"}, "user": {"none", "scripted"},
		"schedule": {string(simulate.Streaming), string(simulate.Rounds)}, "until": {string(simulate.UntilBudget), string(simulate.UntilSaturation)},
		"behaviors": texts(agent.Behaviors()),
	} {
		cobra.CheckErr(cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)))
	}
	return cmd
}

func texts[S ~string](list []S) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = string(s)
	}
	return out
}

// check says what is wrong with the flags that the library does not see.
func (f *simulateFlags) check(changed func(flag string) bool) error {
	for _, s := range []struct {
		flag  string
		share float64
	}{{"fault-rate", f.faultRate}, {"hard-share", f.hardShare}, {"open-ended", f.openEnded}} {
		if changed(s.flag) && !(s.share >= 0 && s.share <= 1) {
			return usagef("--%s %g: want 0 to 1", s.flag, s.share)
		}
	}
	switch {
	case f.tools == "" && f.system == "":
		return usagef("say what the agent is: --tools FILE, --system FILE, or both")
	case !slices.Contains([]string{"none", "scripted"}, f.user):
		return usagef("--user: there is no %q; there are none and scripted", f.user)
	case !slices.Contains([]string{"", "conduct", "none"}, f.grade):
		return usagef("--grade: there is no %q; there are conduct and none", f.grade)
	case f.out.rowsPerFile < 0:
		return usagef("--rows-per-file %d: want at least 1", f.out.rowsPerFile)
	case f.out.in.workers < 0 || f.out.in.workers > maxWorkers:
		return usagef("--workers %d: want 1 to %d", f.out.in.workers, maxWorkers)
	}
	return nil
}

// share is a share that was given, absent for the default.
func share(f float64) stats.Null[float64] {
	if f < 0 {
		return stats.Null[float64]{}
	}
	return stats.Of(f)
}

// config puts the flags together.
func (f *simulateFlags) config() simulate.Config {
	c := simulate.Config{
		Mode: simulate.Mode(f.mode), RepeatPolicy: simulate.Policy(f.policy), Schedule: simulate.Schedule(f.schedule), Until: simulate.Until(f.until),
		Situations: f.situations, Phrasings: f.phrasings, Repeats: f.repeats, Probe: f.probe, Budget: f.budget, Runs: f.runs,
		TimeBudget: f.timeBudget, Seed: f.seed, FaultRate: share(f.faultRate), HardShare: share(f.hardShare), OpenEnded: share(f.openEnded),
		MaxTurns: f.turns, Timeout: f.timeout, Workers: f.out.in.parallel(), InFlight: f.inFlight, World: world.Options{},
		Checkpoint: f.checkpoint,
	}
	if f.user == "scripted" {
		c.User = simulate.ScriptedUser(simulate.NormalPatience, 4)
	}
	return c
}
