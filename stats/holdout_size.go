package stats

import (
	"fmt"
	"math"
)

// Defaults of sizing (spec of statistics, section 2).
const (
	DefaultAlpha    = 0.05 // two-sided error
	DefaultPower    = 0.8
	DefaultBase     = 0.6 // assumed pass rate when no rows are given
	DefaultRollouts = 4   // assumed rollouts a task
	DefaultCeiling  = 0.9 // pass rate above which an evaluation is saturated
	MinHoldoutTasks = 2   // floor of every size answer
)

// Codes of the findings of a [HoldoutReport].
const (
	CodeCeiling      Code = "ceiling"      // the base leaves no room for a gain
	CodeDegenerate   Code = "degenerate"   // the rows do not vary, so they say nothing
	CodeAssumption   Code = "assumption"   // which standard deviation is in play
	CodeIndependence Code = "independence" // what the spread of the tasks is worth
)

// HoldoutOptions are the arguments of [HoldoutSize]. The zero value of each is
// its default.
type HoldoutOptions struct {
	Base    Null[float64] // assumed pass rate; default 0.6, measured when Before is given
	K       int           // assumed rollouts a task; default 4, measured when Before is given
	Power   float64       // strictly between 0 and 1; default 0.8
	Alpha   float64       // strictly between 0 and 1; default 0.05
	Before  []TaskMean    // pass rates of a pilot, nil when there is none
	After   []TaskMean    // and of the same tasks after a change; needs Before
	TaskStd float64       // standard deviation of a task's difference, when known
	Ceiling float64       // default 0.9
}

// Source says where the standard deviation of a size answer came from.
type Source string

const (
	SourceRows  Source = "rows"  // paired differences of a pilot
	SourceGiven Source = "given" // the caller
	SourceModel Source = "model" // the uniform model at the base rate
)

// HoldoutReport says how many paired tasks resolve a gain (Miller 2024,
// arXiv:2411.00640, section 5).
type HoldoutReport struct {
	Tasks             int           `json:"n_tasks"`
	Effect            float64       `json:"effect"`
	Base              float64       `json:"base"`
	K                 int           `json:"k"`
	Power             float64       `json:"power"`
	Alpha             float64       `json:"alpha"`
	TaskStd           float64       `json:"task_std"` // rounded to 4 digits
	SDSource          Source        `json:"sd_source"`
	HalfWidth         float64       `json:"half_width"`           // of the interval on Tasks tasks; rounded to 4
	TasksConcentrated Null[int]     `json:"n_tasks_concentrated"` // if few tasks carry the gain
	BaseSpread        Null[float64] `json:"base_spread"`          // sd of the task rates; rounded to 4
	NPaired           Null[int]     `json:"n_paired"`
	Saturated         bool          `json:"saturated"`
	TasksLow          Null[int]     `json:"n_tasks_low"` // the pilot's own uncertainty
	TasksHigh         Null[int]     `json:"n_tasks_high"`
	RangeMethod       Null[string]  `json:"n_tasks_range_method"`
	Notes             []string      `json:"notes"`
	Warnings          []string      `json:"warnings"`
	Findings          []Finding     `json:"findings"`
	Exact             HoldoutExact  `json:"exact"`
}

// HoldoutExact holds what a [HoldoutReport] rounds.
type HoldoutExact struct {
	TaskStd    float64       `json:"task_std"`
	HalfWidth  float64       `json:"half_width"`
	BaseSpread Null[float64] `json:"base_spread"`
}

// HoldoutSize says how many paired tasks a gain of effect needs, from the best
// evidence given: paired rows, a known standard deviation, or the model. It
// fails when an option is out of range, when Before has nothing graded, or when
// Before and After share fewer than three tasks.
func HoldoutSize(effect float64, o HoldoutOptions) (*HoldoutReport, error) {
	if err := o.check(effect); err != nil {
		return nil, err
	}
	s := sizing{effect: effect, power: o.Power, alpha: o.Alpha, k: o.K, base: o.Base.Or(DefaultBase)}
	r := &HoldoutReport{Effect: effect, Power: o.Power, Alpha: o.Alpha}
	if err := s.read(o); err != nil {
		return nil, err
	}
	if s.rows && s.source != SourceGiven && (s.base >= o.Ceiling || s.sd <= 0) {
		r.Saturated = true
		r.Findings = append(r.Findings, s.saturate(o.Ceiling))
	}
	r.Base, r.K, r.SDSource, r.NPaired = s.base, s.k, s.source, s.paired
	r.Tasks = s.tasks(s.sd)
	r.Exact.TaskStd = s.sd
	r.Exact.HalfWidth = NormalQuantile(1-o.Alpha/2) * s.sd / math.Sqrt(float64(r.Tasks))
	if s.source == SourceModel {
		r.TasksConcentrated = Of(s.tasks(ConcentratedSD(s.modelBase, effect, s.k)))
	}
	r.Exact.BaseSpread = SampleSD(s.rates)
	if s.rows && o.TaskStd == 0 && !r.Saturated {
		s.bootstrapRange(r)
	}
	r.TaskStd, r.HalfWidth = Round(r.Exact.TaskStd, 4), Round(r.Exact.HalfWidth, 4)
	r.BaseSpread = rounded(r.Exact.BaseSpread, 4)
	r.Findings = append(r.Findings, s.notes(r)...)
	r.Notes, r.Warnings = texts(r.Findings, Note), texts(r.Findings, Warning)
	return r, nil
}

func (o *HoldoutOptions) check(effect float64) error {
	if o.Power == 0 {
		o.Power = DefaultPower
	}
	if o.Alpha == 0 {
		o.Alpha = DefaultAlpha
	}
	if o.K == 0 {
		o.K = DefaultRollouts
	}
	if o.Ceiling == 0 {
		o.Ceiling = DefaultCeiling
	}
	for _, x := range []Quantity{{"effect", Of(effect)}, {"Power", Of(o.Power)}, {"Alpha", Of(o.Alpha)}} {
		if err := openUnit(x.Name, x.Value.V); err != nil {
			return err
		}
	}
	switch {
	case o.TaskStd < 0 || math.IsNaN(o.TaskStd):
		return &ArgumentError{Name: "TaskStd", Got: o.TaskStd, Want: "a positive number"}
	case o.K < 1:
		return &ArgumentError{Name: "K", Got: o.K, Want: "1 or more"}
	case o.After != nil && o.Before == nil:
		return &ArgumentError{Name: "After", Got: len(o.After), Want: "Before as well"}
	}
	return nil
}

// sizing is the evidence behind a size answer.
type sizing struct {
	effect, power, alpha float64
	base                 float64 // measured, or assumed
	modelBase            float64 // what the model takes as base
	k                    int
	sd                   float64
	source               Source
	rows                 bool // a pilot was given
	rates                []float64
	differences          []float64
	paired               Null[int]
}

// read takes base, k and standard deviation from the best source.
func (s *sizing) read(o HoldoutOptions) error {
	s.modelBase = s.base
	if o.Before != nil {
		before := Metric{Tasks: o.Before}
		if len(o.Before) == 0 {
			return &ArgumentError{Name: "Before", Got: "without a graded row", Want: "graded rows"}
		}
		s.rows, s.rates = true, before.Means()
		s.base, s.k = before.Mean(), before.smallest()
		s.modelBase = s.base
		if o.After != nil {
			p := pair(o.Before, o.After)
			if len(p.differences) < MinCITasks {
				return &ArgumentError{Name: "After", Got: fmt.Sprintf("%d shared tasks", len(p.differences)), Want: "3 or more"}
			}
			s.source, s.differences, s.paired = SourceRows, p.differences, Of(len(p.differences))
			s.base, s.sd = Mean(p.before), SampleSD(p.differences).V
			s.k = min(s.k, Metric{Tasks: o.After}.smallest())
			return nil
		}
	}
	if o.TaskStd > 0 {
		s.source, s.sd = SourceGiven, o.TaskStd
		return nil
	}
	s.source, s.sd = SourceModel, UniformSD(s.base, s.effect, s.k)
	return nil
}

// saturate replaces rows that cannot tell a gain by the model at the default
// base, and says why.
func (s *sizing) saturate(ceiling float64) Finding {
	f := Finding{
		Code: CodeDegenerate, Level: Warning,
		Numbers: quantities("base", s.base, "task_std", s.sd),
		Text:    fmt.Sprintf("DEGENERATE: the rows do not vary (base %.2f), so the answer is the model's at base %.1f", s.base, DefaultBase),
	}
	if s.base >= ceiling {
		f.Code = CodeCeiling
		f.Numbers = quantities("base", s.base, "ceiling", ceiling)
		f.Text = fmt.Sprintf("CEILING: base %.2f is at or above %.2f, so the answer is the model's at base %.1f; use harder tasks", s.base, ceiling, DefaultBase)
	}
	s.modelBase, s.source, s.paired = DefaultBase, SourceModel, Null[int]{}
	s.sd = UniformSD(DefaultBase, s.effect, s.k)
	return f
}

// tasks is the size for a standard deviation.
func (s *sizing) tasks(sd float64) int {
	if sd <= 0 {
		return MinHoldoutTasks
	}
	z := NormalQuantile(1-s.alpha/2) + NormalQuantile(s.power)
	root := z * sd / s.effect
	return max(MinHoldoutTasks, int(math.Ceil(root*root)))
}

// notes say which assumption is in play, and what the spread of the tasks is
// worth.
func (s *sizing) notes(r *HoldoutReport) []Finding {
	text := map[Source]string{
		SourceRows:  "task_std is the spread of the paired differences of the rows",
		SourceGiven: "task_std is as given",
		SourceModel: "task_std is modelled: every task gains alike, rollouts are independent",
	}[s.source]
	out := []Finding{{
		Code: CodeAssumption, Level: Note, Subject: string(s.source),
		Numbers: quantities("task_std", s.sd, "base", s.modelBase), Text: text,
	}}
	if spread := r.Exact.BaseSpread.Or(0); spread > 0 && !r.Saturated {
		if ratio := IndependenceRatio(s.rates); ratio.Valid {
			out = append(out, Finding{
				Code: CodeIndependence, Level: Note,
				Numbers: quantities("ratio", ratio, "base_spread", spread),
				Text:    fmt.Sprintf("tasks differ in difficulty (spread %.2f): the model asks for up to %.2f times the tasks that they need", spread, ratio.V),
			})
		}
	}
	return out
}

// String prints the answer and what it assumes.
func (r *HoldoutReport) String() string {
	s := fmt.Sprintf("holdout %d paired tasks for a +%.3f gain at k=%d (base %.2f, power %.2f, alpha %.2f)\n",
		r.Tasks, r.Effect, r.K, r.Base, r.Power, r.Alpha)
	s += fmt.Sprintf("task_std %.4f (%s", r.TaskStd, r.SDSource)
	if r.NPaired.Valid {
		s += fmt.Sprintf(", %d paired tasks", r.NPaired.V)
	}
	s += fmt.Sprintf("), half-width %.4f", r.HalfWidth)
	for _, w := range r.Warnings {
		s += "\nwarning: " + w
	}
	for _, n := range r.Notes {
		s += "\nnote: " + n
	}
	return s
}
