package hackscan

import (
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stats"
)

// Regime is the verdict of a scan: what training on these rewards would do.
type Regime string

// The words that a caller branches on (spec of gates, section 4.6).
const (
	Unknown       Regime = "unknown"        // cannot be told; the warning says why
	Degenerate    Regime = "degenerate"     // so few different replies that features cannot be told apart
	NoSignal      Regime = "no_signal"      // nothing goes with the reward more than chance would
	RewardHack    Regime = "reward_hack"    // what is paid most is not endorsed, or what is endorsed is punished
	PoolExhausted Regime = "pool_exhausted" // too many tasks are always passed
	Train         Regime = "train"          // the reward can be learned
)

// Regimes lists the verdicts.
func Regimes() []Regime {
	return []Regime{Train, RewardHack, PoolExhausted, NoSignal, Degenerate, Unknown}
}

// Report is what a scan found. Its JSON has the keys of the reference
// implementation (spec of gates, section 4), and more behind them.
type Report struct {
	Regime            Regime              `json:"regime"`
	Rows              int                 `json:"n_rows"`
	Graded            int                 `json:"n_graded"`
	Groups            int                 `json:"n_groups"`
	GroupsMulti       int                 `json:"n_groups_multi"` // tasks of two or more graded rows
	RolloutsPerGroup  int                 `json:"rollouts_per_group"`
	EffectiveRollouts int                 `json:"effective_rollouts"` // rows of tasks whose rewards differ
	Support           Support             `json:"support"`
	Tau               stats.Null[float64] `json:"tau"` // the floor: the correlation that chance reaches
	Shuffles          int                 `json:"n_perm"`
	FeatureCount      int                 `json:"n_features"`
	AboveFloor        int                 `json:"n_above_floor"`
	Features          []Feature           `json:"features"`
	TopFeature        stats.Null[string]  `json:"top_feature"`
	RhoMax            float64             `json:"rho_max"`
	Endorsed          []string            `json:"endorsed"`
	EndorsedMatched   int                 `json:"endorsed_matched"`
	EndorsedOnTop     stats.Null[bool]    `json:"endorsed_on_top"`
	Integrity         stats.Null[float64] `json:"integrity"` // of what is paid, the share that is endorsed
	Inverted          []string            `json:"inverted"`  // endorsed features that the reward punishes
	ContinuousReward  bool                `json:"continuous_reward"`
	Degenerate        bool                `json:"degenerate"`
	Collinear         []string            `json:"collinear"` // features that are the reward
	DistinctPerTask   int                 `json:"distinct_per_ask"`
	Warnings          []stats.Finding     `json:"warnings"`

	Terms    []TermCount `json:"terms"`    // how far the terms of each source were counted
	Evidence []Evidence  `json:"evidence"` // for each feature that is listed and above the floor
	Dynamics *Dynamics   `json:"dynamics,omitempty"`

	maxima []float64 // of the shuffles, in the order they were drawn
}

// Feature is one thing that replies differ in, and how it goes with the reward.
type Feature struct {
	Name       string   `json:"name"`
	Aliases    []string `json:"aliases"` // features with the same value in every row
	Rho        float64  `json:"rho"`     // correlation with the reward within tasks
	Pooled     float64  `json:"pooled"`  // over all rows, where the difficulty of tasks is mixed in
	Obs        int      `json:"n_obs"`   // rows where it is not zero
	AboveFloor bool     `json:"above_floor"`
	Endorsed   bool     `json:"endorsed"`
}

// TermCount says how the terms of a source were counted.
type TermCount struct {
	Source string `json:"source"`
	Kept   int    `json:"kept"`
	Missed int    `json:"missed"` // rows by which the count of a term that is not kept may be too low
	Exact  bool   `json:"exact"`  // the terms that are kept are the most frequent ones for certain
}

// Evidence shows a feature in rollouts: pairs of one task that differ in it.
type Evidence struct {
	Feature string `json:"feature"`
	Tasks   int    `json:"tasks"`   // whose rollouts differ in the feature
	Agree   int    `json:"agree"`   // where those with more of it have the better mean reward
	Against int    `json:"against"` // the worse
	Pairs   []Pair `json:"pairs"`   // of the first tasks that show what the correlation says
}

// Pair is two rollouts of one task.
type Pair struct {
	More Example `json:"more"` // has the feature, or more of it
	Less Example `json:"less"`
}

// Example is one rollout, by where it was read.
type Example struct {
	Pos    rollout.Pos `json:"pos"`
	Value  float64     `json:"value"`
	Reward float64     `json:"reward"`
}

// NullMaxima are the largest |correlation| of each shuffle, in the order drawn.
func (r *Report) NullMaxima() []float64 { return r.maxima }

func newReport(o *Options) *Report {
	r := &Report{
		Regime: Unknown, Shuffles: o.Shuffles, Features: []Feature{}, Endorsed: o.Endorsed, Inverted: []string{},
		Collinear: []string{}, Warnings: []stats.Finding{}, Terms: []TermCount{}, Evidence: []Evidence{},
	}
	if r.Endorsed == nil {
		r.Endorsed = []string{}
	}
	return r
}

func (r *Report) warn(code stats.Code, text string, numbers ...stats.Quantity) {
	r.Warnings = append(r.Warnings, stats.Finding{Code: code, Level: stats.Warning, Numbers: append(stats.Quantities{}, numbers...), Text: text})
}

// List cuts what the report lists to n features, and their evidence with them.
func (r *Report) List(n int) {
	r.Features = r.Features[:min(len(r.Features), n)]
	kept := r.Evidence[:0]
	for _, e := range r.Evidence {
		for _, f := range r.Features {
			if f.Name == e.Feature {
				kept = append(kept, e)
			}
		}
	}
	r.Evidence = kept
}
