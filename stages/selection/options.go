package selection

import (
	"errors"
	"fmt"
	"math"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stats"
)

// Mode says what rows are selected for.
type Mode string

const (
	RL    Mode = "rl"    // whole groups with signal, for group-relative updates
	SFT   Mode = "sft"   // rejection sampling: replies to imitate
	Pairs Mode = "pairs" // a better and a worse reply to one prompt
)

// Truncation says what becomes of replies that were cut off, in mode [RL].
type Truncation string

const (
	DropTruncated     Truncation = "drop"     // the default
	KeepTruncated     Truncation = "keep"     // marked, without a vote on their group
	PenalizeTruncated Truncation = "penalize" // marked, with a reward of 0 by rule
)

// Order says in which order tasks of one fault kind are drawn, in mode [RL].
type Order string

const (
	Spread Order = "spread" // one of each pass rate in turn; the default
	Middle Order = "middle" // those nearest to the middle of the band first
)

// TextGates says whether the gates that read replies run, in mode [RL].
type TextGates string

const (
	AutoText    TextGates = "auto" // when some row has a reply or a tool call; the default
	RequireText TextGates = "require"
	SkipText    TextGates = "skip"
)

// Rule says which of the passing rows are taken, in mode [SFT].
type Rule string

const (
	TopPerPrompt    Rule = "top_per_prompt" // the best of each prompt; the default
	RandomPerPrompt Rule = "random_per_prompt"
	TopKOverall     Rule = "top_k_overall"
	RandomKOverall  Rule = "random_k_overall" // the control of the others
)

// overall tells whether the rule ranks all rows and not those of each prompt.
func (r Rule) overall() bool { return r == TopKOverall || r == RandomKOverall }

// The band of pass rates that a group-relative update learns from, at both ends
// included (Lambert 2025, chapter Reasoning; spec of gates, section 9).
const (
	DefaultLow  = 0.2
	DefaultHigh = 0.8
)

// Band is a range of pass rates, ends included.
type Band struct {
	Low, High float64
	// Confidence keeps a task whose Wilson interval at this level meets the
	// band, strictly between 0 and 1: a rate of 1 in 8 is compatible with many.
	// 0 judges the rate itself.
	Confidence float64
}

func (b Band) withDefaults() Band {
	if b.Low == 0 && b.High == 0 {
		b.Low, b.High = DefaultLow, DefaultHigh
	}
	return b
}

// MarshalJSON writes [low, high].
func (b Band) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, "[%v,%v]", b.Low, b.High), nil
}

func (b Band) check() error {
	if !(0 <= b.Low && b.Low <= b.High && b.High <= 1) {
		return fmt.Errorf("selection: band %v to %v: want 0 <= low <= high <= 1", b.Low, b.High)
	}
	if b.Confidence < 0 || b.Confidence >= 1 {
		return fmt.Errorf("selection: confidence %v of the band: want 0, or between 0 and 1", b.Confidence)
	}
	return nil
}

// Options say how rows are selected. The zero value selects for RL with the
// defaults of the reference, and takes all that passes the gates.
type Options struct {
	Mode   Mode // default RL
	Target int  // stop at so many rows, or pairs; default: take all

	// By slices the rows, so that a slice that starves is told; ByName is what
	// the field is called. Default: no slices.
	By     func(*rollout.Row) string
	ByName string
	// ByFields are the fields of a row that By reads.
	ByFields rollout.Fields

	// Holdout is the share of the tasks that are set aside for evaluation, from
	// 0 to below 1, and HoldoutSeed draws which. The draw depends on the task
	// alone: a task stays where it is when rows are added.
	Holdout     float64
	HoldoutSeed int64

	RL    RLOptions
	SFT   SFTOptions
	Pairs PairOptions
}

// RLOptions are those of mode [RL] (spec of gates, section 5.3).
type RLOptions struct {
	Band          Band // default 0.2 to 0.8
	IgnoreBand    bool // keep tasks outside the band; they come last
	NoTools       bool // the agent has no tools, so none is asked for
	KeepDuplicate bool
	Truncated     Truncation
	Order         Order
	TextGates     TextGates
	Prior         *TaskRates // rates of an earlier round; default: none
	Audit         stats.Null[Audit]
}

// Audit is what an audit of the verifier found: how often it fails a right answer.
type Audit struct {
	FalseNegativeRate float64                    `json:"fn_rate"`
	CI95              stats.Null[stats.Interval] `json:"fn_ci95"`
	Checked           int                        `json:"n_checked"`
	Verifier          string                     `json:"verifier"`
}

// SFTOptions are those of mode [SFT] (spec of gates, section 5.4).
type SFTOptions struct {
	Rule      Rule
	K         int                 // rows that the overall rules take; default: Target
	MinReward stats.Null[float64] // default 1
	Seed      int64               // of the random rules
}

// PairOptions are those of mode [Pairs] (spec of gates, section 5.6).
type PairOptions struct {
	MaxPerPrompt int     // default 1
	MinMargin    float64 // least difference of the rewards, above 0; default 1
	AnyLength    bool    // do not look for a rejected reply of like length
}

// withDefaults fills what was left out, and says what is wrong.
func (o Options) withDefaults() (Options, error) {
	setDefault(&o.Mode, RL)
	setDefault(&o.RL.Truncated, DropTruncated)
	setDefault(&o.RL.Order, Spread)
	setDefault(&o.RL.TextGates, AutoText)
	setDefault(&o.SFT.Rule, TopPerPrompt)
	setDefault(&o.Pairs.MaxPerPrompt, 1)
	setDefault(&o.Pairs.MinMargin, 1)
	o.RL.Band = o.RL.Band.withDefaults()
	o.SFT.MinReward = stats.Of(o.SFT.MinReward.Or(1))
	for _, err := range []error{
		oneOf("mode", o.Mode, RL, SFT, Pairs),
		oneOf("truncated", o.RL.Truncated, DropTruncated, KeepTruncated, PenalizeTruncated),
		oneOf("order", o.RL.Order, Spread, Middle),
		oneOf("text gates", o.RL.TextGates, AutoText, RequireText, SkipText),
		oneOf("rule", o.SFT.Rule, TopPerPrompt, RandomPerPrompt, TopKOverall, RandomKOverall),
		o.RL.Band.check(),
	} {
		if err != nil {
			return o, err
		}
	}
	switch {
	case o.Target < 0:
		return o, fmt.Errorf("selection: target %d: want at least 1, or 0 for all", o.Target)
	case o.SFT.K < 0:
		return o, fmt.Errorf("selection: k %d: want at least 1, or 0 for the target", o.SFT.K)
	case !(o.Holdout >= 0 && o.Holdout < 1):
		return o, fmt.Errorf("selection: holdout %v: want a share from 0 to below 1", o.Holdout)
	case math.IsNaN(o.SFT.MinReward.V):
		return o, errors.New("selection: least reward NaN: want a number")
	case !(o.Pairs.MinMargin > 0):
		return o, fmt.Errorf("selection: margin %v: want more than 0", o.Pairs.MinMargin)
	case o.Pairs.MaxPerPrompt < 0:
		return o, fmt.Errorf("selection: %d pairs a prompt: want at least 1", o.Pairs.MaxPerPrompt)
	}
	return o, nil
}

func setDefault[T comparable](v *T, def T) {
	var zero T
	if *v == zero {
		*v = def
	}
}

func oneOf[T ~string](what string, v T, words ...T) error {
	for _, w := range words {
		if v == w {
			return nil
		}
	}
	return fmt.Errorf("selection: %s %q: there are %q", what, v, words)
}

// Fields are the fields of a row that the selection reads.
func (o Options) Fields() rollout.Fields {
	return o.ByFields | rollout.FieldTaskID | rollout.FieldPrompt | rollout.FieldMessages | rollout.FieldFinalText |
		rollout.FieldFinishReason | rollout.FieldReward | rollout.FieldPriorReward | rollout.FieldStatus | rollout.FieldReason |
		rollout.FieldLabelSource | rollout.FieldMarkers | rollout.FieldPrivileged | rollout.FieldIndex | rollout.FieldExtra
}
