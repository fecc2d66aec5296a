package simulate

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/simulate/agent"
	"github.com/rollmill/rollmill/stages/simulate/grid"
	"github.com/rollmill/rollmill/stages/simulate/tools"
	"github.com/rollmill/rollmill/stages/simulate/world"
	"github.com/rollmill/rollmill/stats"
)

// Config says what is simulated. The zero value of a field stands for its
// default; the names of the defaults say where they come from.
type Config struct {
	Tools  []tools.Tool // what the agent can call; those with a function are run, the others answered by the mock world
	System string       // the system prompt, whose clauses become situations
	Agent  agent.Agent  // what is tested; it must be set
	User   User         // who plays the person; default: one who says nothing more

	// Grade, if set, gives a row its reward in place. An error leaves the row
	// without one. It is called by several workers at once.
	Grade func(ctx context.Context, row *rollout.Row) error

	Mode         Mode     // default Explore
	Schedule     Schedule // default Streaming; Rounds for Adaptive and UntilSaturation
	Until        Until    // default UntilBudget
	RepeatPolicy Policy   // default by mode: None, Verify, Successive, Verify

	Situations int           // how many situations, at least 1; default: what the budget allows
	Phrasings  int           // messages for each, at least 1; default by mode: 1, 3, 1, 3
	Repeats    int           // rollouts of each message, at least 1; default by mode: 1, 4, 8, 3
	Probe      int           // rollouts before Successive decides, at least 2; default DefaultProbe
	Budget     int           // rows of a run, at least 1; default DefaultBudget, SaturationCap with UntilSaturation
	TimeBudget time.Duration // no message is begun later; rows then depend on the clock. Default: no limit
	Runs       int           // complete runs of the same messages, at least 1; default 1

	Seed      int64
	FaultRate stats.Null[float64]    // share, 0 to 1, of the messages tagged with a fault that keep it; default DefaultFaultRate, DefaultFaultRateRL in RL
	HardShare stats.Null[float64]    // share, 0 to 1, of hard situations once each has run; default DefaultHardShare
	OpenEnded stats.Null[float64]    // share, 0 to 1, of messages that no cell stands behind; default DefaultOpenEnded
	Values    map[grid.Axis][]string // values in the place of an axis's own; default none
	World     world.Options          // how the mock world behaves; its seed is Seed

	MaxTurns  int           // answers of the agent in a rollout, at least 1; default DefaultMaxTurns
	Timeout   time.Duration // for one answer; default DefaultTimeout for an agent that waits, else none
	Workers   int           // cores for an agent that computes, at least 1; default 1
	InFlight  int           // rollouts at a time of an agent that waits, at least 1; default DefaultInFlight
	PerRound  int           // messages of a round, at least 1; default DefaultPerRound
	DeadAfter int           // errors of the agent without a row after which the run ends, at least 1; default DefaultDeadAfter

	// Checkpoint names a journal of the agent's answers. One that is there, of
	// the same configuration, is continued: no answer in it is asked for again.
	Checkpoint string
}

// refuse says what is wrong with a field.
func refuse(field, format string, args ...any) error {
	return fmt.Errorf("%w: %s: %s", ErrConfig, field, fmt.Sprintf(format, args...))
}

// check says what is wrong with the configuration as it was given.
func (c *Config) check() error {
	if c.Agent == nil {
		return refuse("Agent", "there is none; want what is to be tested")
	}
	for _, w := range []struct {
		field, word string
		all         []string
	}{
		{"Mode", string(c.Mode), words(Modes())},
		{"Schedule", string(c.Schedule), words([]Schedule{Streaming, Rounds})},
		{"Until", string(c.Until), words([]Until{UntilBudget, UntilSaturation})},
		{"RepeatPolicy", string(c.RepeatPolicy), words(Policies())},
	} {
		if w.word != "" && !slices.Contains(w.all, w.word) {
			return refuse(w.field, "%q; want one of %s", w.word, strings.Join(w.all, ", "))
		}
	}
	for _, n := range []struct {
		field string
		n     int
	}{
		{"Situations", c.Situations}, {"Phrasings", c.Phrasings}, {"Repeats", c.Repeats}, {"Probe", c.Probe}, {"Budget", c.Budget},
		{"Runs", c.Runs}, {"MaxTurns", c.MaxTurns}, {"Workers", c.Workers}, {"InFlight", c.InFlight}, {"PerRound", c.PerRound},
		{"DeadAfter", c.DeadAfter}, {"TimeBudget", int(min(c.TimeBudget, 1))}, {"Timeout", int(min(c.Timeout, 1))},
	} {
		if n.n < 0 {
			return refuse(n.field, "it is negative; want at least 1, or 0 for the default")
		}
	}
	if c.Probe == 1 {
		return refuse("Probe", "1; want at least 2, since one rollout cannot disagree")
	}
	for _, s := range []struct {
		field string
		share stats.Null[float64]
	}{{"FaultRate", c.FaultRate}, {"HardShare", c.HardShare}, {"OpenEnded", c.OpenEnded}} {
		if s.share.Valid && !(s.share.V >= 0 && s.share.V <= 1) {
			return refuse(s.field, "%v; want 0 to 1", s.share.V)
		}
	}
	switch {
	case c.Runs > 1 && c.RepeatPolicy == Successive:
		return refuse("RepeatPolicy", "successive with Runs %d; runs are compared task by task, so want fixed", c.Runs)
	case c.Schedule == Streaming && c.Until == UntilSaturation:
		return refuse("Schedule", "streaming with Until saturation; what is saturated is only known in rounds")
	case c.Runs > 1 && (c.Schedule == Rounds || c.Mode == Adaptive || c.Until == UntilSaturation):
		return refuse("Runs", "%d in rounds; rounds learn from a run, so the next would have other messages", c.Runs)
	}
	return nil
}

func words[S ~string](list []S) []string {
	out := make([]string, len(list))
	for i, w := range list {
		out[i] = string(w)
	}
	return out
}

// resolve fills the defaults in.
func (c *Config) resolve() {
	orElse(&c.Mode, Explore)
	orElse(&c.Until, UntilBudget)
	if c.Mode == Adaptive || c.Until == UntilSaturation {
		orElse(&c.Schedule, Rounds)
	}
	orElse(&c.Schedule, Streaming)
	c.resolveRepeats()
	orElse(&c.Probe, DefaultProbe)
	if c.Until == UntilSaturation {
		orElse(&c.Budget, SaturationCap)
	}
	orElse(&c.Budget, DefaultBudget)
	orElse(&c.Runs, 1)
	rate := DefaultFaultRate
	if c.Mode == RL {
		rate = DefaultFaultRateRL
	}
	orElse(&c.FaultRate, stats.Of(rate))
	orElse(&c.HardShare, stats.Of(DefaultHardShare))
	orElse(&c.OpenEnded, stats.Of(DefaultOpenEnded))
	orElse(&c.MaxTurns, DefaultMaxTurns)
	orElse(&c.Workers, 1)
	orElse(&c.InFlight, DefaultInFlight)
	orElse(&c.PerRound, DefaultPerRound)
	orElse(&c.DeadAfter, DefaultDeadAfter)
	if agent.Waits(c.Agent) {
		orElse(&c.Timeout, DefaultTimeout*time.Second)
	}
	c.World.Seed = c.Seed
}

// resolveRepeats finds how many messages and rollouts there are, and by which
// policy. Repeats that were asked for are all run, unless a policy was named
// that saves some; and groups of several runs are all of one size.
func (c *Config) resolveRepeats() {
	asked := c.Repeats > 0
	policy := None
	switch c.Mode {
	case SFT:
		policy = Verify
		orElse(&c.Phrasings, defaultPhrasingsSFT)
		orElse(&c.Repeats, defaultRepeatsSFT)
	case RL:
		policy = Successive
		orElse(&c.Repeats, defaultRepeatsRL)
	case Adaptive:
		policy = Verify
		orElse(&c.Phrasings, defaultPhrasingsAdpt)
		orElse(&c.Repeats, defaultRepeatsAdpt)
	}
	orElse(&c.Phrasings, 1)
	orElse(&c.Repeats, 1)
	if c.RepeatPolicy == "" && (asked && policy == Verify && c.Mode != Adaptive || c.Runs > 1) {
		policy = Fixed
	}
	orElse(&c.RepeatPolicy, policy)
	c.Repeats = min(c.Repeats, math.MaxInt16)
}

func orElse[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}
