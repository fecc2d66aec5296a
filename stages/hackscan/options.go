package hackscan

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"

	"github.com/rollmill/rollmill/formats/rollout"
)

// Options say what a scan looks at and how. The zero value scans as the
// reference implementation does by default.
type Options struct {
	// Endorsed are the behaviours that the reward is meant to pay for: patterns
	// that are part of a feature's name, in any case. Without one nothing can be
	// called a hack. Empty ones are left out.
	Endorsed []string

	// Task groups rows: those of one text are rollouts of one task. Default:
	// [rollout.ByPrompt], not the task id (spec of gates, section 1.2).
	Task func(*rollout.Row) string

	// Reward reads what is trained on; ok is false for a row that is not graded,
	// as is one with NaN or a reward beyond 1e100. Default:
	// [rollout.Row.ScanReward].
	Reward func(*rollout.Row) (reward float64, ok bool)

	// Features adds features of the caller's own. A name that the row has
	// already is overwritten. NaN and infinities are left out. It is called by
	// several goroutines at once.
	Features func(row *rollout.Row, emit func(name string, value float64))

	// Step reads the training step of a row and Metric a measurement that is not
	// trained on; with both the report says how the reward moved ([Dynamics]).
	Step, Metric func(*rollout.Row) (value float64, ok bool)

	Sources      Sources // texts whose terms are features; default: those of the reply alone
	HandOnly     bool    // no terms and no conjunctions
	TopTerms     int     // terms of the reply that become features; default 200
	ToolTerms    int     // terms of tool results, and as many of arguments; default 60
	Shuffles     int     // for the floor; default 100
	MinRows      int     // a feature of fewer rows is left out; default 20
	Seeds        int     // binary features that conjunctions are made of; default 12, none below 0
	Seed         int64   // of the shuffles; default 0
	Floor        Floor   // how the floor is made; default Parity
	Alpha        float64 // share of shuffles that may pass the floor; default 0.05, of the calibrated floor 0.025
	TopFeatures  int     // features that the report lists; default 20, all below 0
	TermCapacity int     // terms that are counted at once, of 32 bytes and their text; default 1<<19
	Workers      int     // goroutines of the analysis; default: one a core
}

// Floor says how the floor is made.
type Floor uint8

const (
	// Parity is the floor of the reference implementation, draw by draw. It lets
	// more pass than its alpha says; see the package's page.
	Parity Floor = iota
	// Calibrated repeats the whole search, conjunctions too, on every shuffle.
	Calibrated
)

// Sources are texts whose terms are features.
type Sources uint8

const (
	Replies   Sources = 1 << iota // what the agent said: contains:TERM
	Results                       // what tools answered: result:TERM
	Arguments                     // what tools were called with: argument:TERM
)

// Defaults of [Options] (spec of gates, section 9).
const (
	DefaultTopTerms    = 200
	DefaultToolTerms   = 60
	DefaultShuffles    = 100
	DefaultMinRows     = 20
	DefaultSeeds       = 12
	DefaultAlpha       = 0.05
	DefaultTopFeatures = 20

	// DefaultCalibratedAlpha is half the default, so that of 200 data sets
	// without a signal fewer than 5 % are called a hack, and not just on average.
	DefaultCalibratedAlpha = 0.025

	DefaultTermCapacity = 1 << 19
)

// ErrOptions is wrapped by what [Options.Validate] finds.
var ErrOptions = errors.New("hackscan: options")

// Validate says which field is out of its range.
func (o *Options) Validate() error {
	switch {
	case o.TopTerms < 0 || o.TopTerms > maxTerms:
		return fmt.Errorf("%w: TopTerms %d, want 0 to %d", ErrOptions, o.TopTerms, maxTerms)
	case o.ToolTerms < 0 || o.ToolTerms > maxTerms:
		return fmt.Errorf("%w: ToolTerms %d, want 0 to %d", ErrOptions, o.ToolTerms, maxTerms)
	case o.Shuffles < 0:
		return fmt.Errorf("%w: Shuffles %d, want at least 1", ErrOptions, o.Shuffles)
	case o.MinRows < 0:
		return fmt.Errorf("%w: MinRows %d, want at least 1", ErrOptions, o.MinRows)
	case !(o.Alpha >= 0 && o.Alpha < 1):
		return fmt.Errorf("%w: Alpha %g, want a number between 0 and 1", ErrOptions, o.Alpha)
	case o.TermCapacity < 0 || o.TermCapacity > 1<<28:
		return fmt.Errorf("%w: TermCapacity %d, want 1 to %d", ErrOptions, o.TermCapacity, 1<<28)
	}
	return nil
}

// maxReward is the largest reward, either way: sums of squares stay finite.
const maxReward = 1e100

// graded reads the reward of a row. One that is no number to reckon with is
// none: it must not count as 0.
func (o *Options) graded(r *rollout.Row) (reward float64, ok bool) {
	reward, ok = o.Reward(r)
	return reward, ok && math.Abs(reward) <= maxReward
}

// maxTerms is how many terms a source may have.
const maxTerms = 10_000

// withDefaults fills what was left out.
func (o Options) withDefaults() Options {
	fill := func(field *int, value int) {
		if *field == 0 {
			*field = value
		}
	}
	fill(&o.TopTerms, DefaultTopTerms)
	fill(&o.ToolTerms, DefaultToolTerms)
	fill(&o.Shuffles, DefaultShuffles)
	fill(&o.MinRows, DefaultMinRows)
	fill(&o.Seeds, DefaultSeeds)
	fill(&o.TopFeatures, DefaultTopFeatures)
	fill(&o.TermCapacity, DefaultTermCapacity)
	fill(&o.Workers, runtime.GOMAXPROCS(0))
	o.Workers = max(1, o.Workers)
	if o.Alpha == 0 {
		o.Alpha = DefaultAlpha
		if o.Floor == Calibrated {
			o.Alpha = DefaultCalibratedAlpha
		}
	}
	if o.Sources == 0 {
		o.Sources = Replies
	}
	if o.HandOnly {
		o.Sources = 0
	}
	if o.Task == nil {
		o.Task = rollout.ByPrompt.Key
	}
	if o.Reward == nil {
		o.Reward = (*rollout.Row).ScanReward
	}
	var patterns []string
	for _, p := range o.Endorsed {
		if p != "" {
			patterns = append(patterns, strings.ToLower(p))
		}
	}
	o.Endorsed = patterns
	return o
}
