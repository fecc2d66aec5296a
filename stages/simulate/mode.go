package simulate

import "errors"

// Mode is what the rollouts are for; it decides how often each message is run.
type Mode string

// The modes (spec of simulation, section 3).
const (
	Explore  Mode = "explore"  // one rollout of each of many situations
	SFT      Mode = "sft"      // 3 wordings, up to 4 rollouts each
	RL       Mode = "rl"       // groups of 8, where they disagree
	Adaptive Mode = "adaptive" // 3 wordings, up to 3 rollouts, where something happens
)

// Modes returns the modes.
func Modes() []Mode { return []Mode{Explore, SFT, RL, Adaptive} }

// Policy is how the rollouts of one message are allotted.
type Policy string

// The repeat policies (spec of simulation, section 3 and 14).
const (
	Fixed      Policy = "fixed"      // all k
	None       Policy = "none"       // k, which is 1 unless it is set
	Verify     Policy = "adaptive"   // one, and one more up to k as long as the last one met a failure
	Successive Policy = "successive" // two, and the rest up to k where they disagree
)

// Policies returns the repeat policies.
func Policies() []Policy { return []Policy{Fixed, None, Verify, Successive} }

// Schedule is how work is put in order.
type Schedule string

const (
	// Streaming keys every draw on seed, prompt and number, and nothing waits:
	// no rollout changes what comes after those of its own group.
	Streaming Schedule = "streaming"
	// Rounds takes a fixed number of messages at a time and learns from what
	// came of them: which situations are starved, stuck or failing. A round
	// waits for its slowest rollout.
	Rounds Schedule = "rounds"
)

// Until is what ends a run besides the budget.
type Until string

const (
	UntilBudget     Until = "budget"
	UntilSaturation Until = "saturation" // every planned cell was run often enough
)

// Stop is why a run ended (spec of simulation, section 14.6).
type Stop string

// The reasons to stop.
const (
	StopBudget     Stop = "budget"
	StopTime       Stop = "time_budget"
	StopSituations Stop = "situations_exhausted" // as many as were asked for have run
	StopWriter     Stop = "writer_exhausted"     // no other message can be written
	StopSaturation Stop = "saturation"
	StopAgent      Stop = "agent_failed"  // it failed again and again
	StopEmpty      Stop = "empty_replies" // all that came back was empty
)

// Defaults, with where they come from. Those of the reference implementation
// are its conventions, untested unless another source is named.
const (
	DefaultBudget        = 1000   // rows; the reference's
	SaturationCap        = 50_000 // rows, where saturation ends a run and no budget is set; the reference's
	DefaultProbe         = 2      // rollouts before a group is judged: the fewest that can disagree (DAPO, arXiv:2503.14476)
	DefaultFaultRate     = 0.5    // of prompts tagged with a fault keep it: arXiv:2603.21972 is stable up to 5 % of calls
	DefaultFaultRateRL   = 0.8    // the shape of PALADIN, arXiv:2509.25238
	DefaultHardShare     = 0.40   // of situations from the hard tiers; the reference's
	DefaultOpenEnded     = 0.10   // of messages without a cell; the reference's
	DefaultMaxTurns      = 16     // answers of the agent; the reference's for a window of 4,096 tokens without tools
	DefaultInFlight      = 16     // rollouts at a time of an agent that waits; that of package stream
	DefaultTimeout       = 300    // seconds for an answer of an agent that waits; a cold start of 113 s was measured by the reference
	DefaultPerRound      = 32     // messages of a round
	DefaultDeadAfter     = 64     // errors without a row; the reference waits for twice the budget
	SaturationCopies     = 5      // rows of each cell; the reference's
	deadBudgetMultiple   = 2      // of the budget: so many errors end a run that has rows too; the reference's
	defaultPhrasingsSFT  = 3      // the reference's
	defaultRepeatsSFT    = 4      // the least k that a k-way figure is reported on (tau2-bench)
	defaultRepeatsRL     = 8      // Dr. GRPO, arXiv:2503.20783, and arXiv:2603.21972
	defaultPhrasingsAdpt = 3      // the reference's
	defaultRepeatsAdpt   = 3      // the reference's, with time enough
)

// Errors of a configuration that cannot run.
var (
	// ErrConfig is wrapped by every error of New about a field; it says which.
	ErrConfig = errors.New("simulate: configuration")
	// ErrCheckpoint: a checkpoint cannot be used.
	ErrCheckpoint = errors.New("simulate: checkpoint")
)
