package stats

import "fmt"

// DefaultEffect is the gain that [EvalPower] asks about unless told.
const DefaultEffect = 0.05

// PowerVerdict says whether an evaluation can show a gain.
type PowerVerdict string

const (
	PowerEmpty        PowerVerdict = "empty"        // nothing graded
	PowerFloored      PowerVerdict = "floored"      // every task fails every time
	PowerSaturated    PowerVerdict = "saturated"    // less room than the gain
	PowerUnderpowered PowerVerdict = "underpowered" // too few tasks
	PowerUsable       PowerVerdict = "usable"
)

// Codes of the findings of a [PowerReport]; the warning carries the verdict as
// its code.
const CodeBandUnreadable Code = "band_unreadable" // k = 1 says nothing about bands

// PowerOptions are the arguments of [EvalPower]; zero values are the defaults.
type PowerOptions struct {
	Effect  float64   // the gain asked about; default 0.05
	Power   float64   // default 0.8
	Alpha   float64   // default 0.05
	Band    *Interval // pass rates that can move either way; default 0.2 to 0.8
	Ceiling float64   // default 0.9
}

// PowerReport reads from base rows alone whether an evaluation of these tasks
// could show a gain (Miller 2024, arXiv:2411.00640, section 5; the band of
// useful difficulty after Lambert 2025, arXiv:2504.12501, and DAPO,
// arXiv:2503.14476).
type PowerReport struct {
	Tasks         int           `json:"n_tasks"`
	Rollouts      int           `json:"n_rollouts"`
	K             Null[int]     `json:"k"`           // rollouts of the smallest task
	Base          Null[float64] `json:"base"`        // rounded to 4 digits
	TaskSpread    Null[float64] `json:"task_spread"` // sd of the task rates, rounded to 4
	InBand        int           `json:"in_band"`
	TiedPass      int           `json:"tied_pass"` // tasks that always pass
	TiedFail      int           `json:"tied_fail"`
	SingleRollout int           `json:"single_rollout"`
	TaskStd       Null[float64] `json:"task_std"`
	Resolvable    Null[float64] `json:"resolvable"` // the smallest gain they show
	Needed        Null[int]     `json:"n_needed"`   // tasks for the gain asked about
	Verdict       PowerVerdict  `json:"verdict"`
	Reason        string        `json:"reason"`
	Notes         []string      `json:"notes"`
	Warnings      []string      `json:"warnings"`
	Findings      []Finding     `json:"findings"`
	Exact         struct {
		Base       Null[float64] `json:"base"`
		TaskSpread Null[float64] `json:"task_spread"`
	} `json:"exact"`
}

// EvalPower judges an evaluation by the pass rates of its tasks.
func EvalPower(tasks []TaskMean, o PowerOptions) (*PowerReport, error) {
	if o.Effect == 0 {
		o.Effect = DefaultEffect
	}
	if o.Band == nil {
		o.Band = &Interval{Low: 0.2, High: 0.8}
	}
	if o.Band.Low < 0 || o.Band.High > 1 || o.Band.Low >= o.Band.High {
		return nil, &ArgumentError{Name: "Band", Got: *o.Band, Want: "0 <= low < high <= 1"}
	}
	sizing := HoldoutOptions{Power: o.Power, Alpha: o.Alpha, Ceiling: o.Ceiling}
	if err := sizing.check(o.Effect); err != nil {
		return nil, err
	}
	r := &PowerReport{Findings: []Finding{}}
	if len(tasks) > 0 {
		if err := r.measure(tasks, o, sizing); err != nil {
			return nil, err
		}
	}
	r.judge(o)
	r.Notes, r.Warnings = texts(r.Findings, Note), texts(r.Findings, Warning)
	return r, nil
}

func (r *PowerReport) measure(tasks []TaskMean, o PowerOptions, sizing HoldoutOptions) error {
	m := Metric{Tasks: tasks}
	r.Tasks, r.K = len(tasks), Of(m.smallest())
	r.Exact.Base, r.Exact.TaskSpread = Of(m.Mean()), SampleSD(m.Means())
	r.Base, r.TaskSpread = rounded(r.Exact.Base, 4), rounded(r.Exact.TaskSpread, 4)
	for _, t := range tasks {
		r.Rollouts += t.N
		if o.Band.Contains(t.Mean) {
			r.InBand++
		}
		if t.Mean >= 1 {
			r.TiedPass++
		}
		if t.Mean <= 0 {
			r.TiedFail++
		}
		if t.N == 1 {
			r.SingleRollout++
		}
	}
	sizing.Before = tasks
	need, err := HoldoutSize(o.Effect, sizing)
	if err != nil {
		return err
	}
	r.TaskStd, r.Needed = Of(need.TaskStd), Of(need.Tasks)
	r.Resolvable, err = DetectableEffect(r.Tasks, DetectableOptions{
		Base: r.Exact.Base, K: r.K.V, Power: sizing.Power, Alpha: sizing.Alpha,
	})
	return err
}

func (r *PowerReport) judge(o PowerOptions) {
	fix := ""
	switch base := r.Exact.Base.V; {
	case r.Tasks == 0:
		r.Verdict, r.Reason, fix = PowerEmpty, "no graded row", "grade the rows first"
	case r.TiedFail == r.Tasks:
		r.Verdict, fix = PowerFloored, "use easier tasks or a stronger base"
		r.Reason = fmt.Sprintf("all %d tasks fail every rollout", r.Tasks)
	case 1-base < o.Effect:
		r.Verdict, fix = PowerSaturated, "use harder tasks"
		r.Reason = fmt.Sprintf("base %.2f leaves less room than +%.3f", base, o.Effect)
	case !r.Resolvable.Valid || r.Resolvable.V > o.Effect:
		r.Verdict = PowerUnderpowered
		r.Reason = fmt.Sprintf("%d tasks resolve %s, not +%.3f", r.Tasks, signed(r.Resolvable, 3), o.Effect)
		fix = fmt.Sprintf("use %d tasks", r.Needed.V)
	default:
		r.Verdict = PowerUsable
		r.Reason = fmt.Sprintf("%d tasks resolve %s, asked +%.3f", r.Tasks, signed(r.Resolvable, 3), o.Effect)
	}
	if fix != "" {
		r.Findings = append(r.Findings, Finding{
			Code: Code(r.Verdict), Level: Warning, Text: r.Reason + ": " + fix,
			Numbers: quantities("n_tasks", r.Tasks, "base", r.Exact.Base, "effect", o.Effect,
				"resolvable", r.Resolvable, "n_needed", float64(r.Needed.V)),
		})
	}
	if r.K.Or(0) == 1 {
		r.Findings = append(r.Findings, Finding{
			Code: CodeBandUnreadable, Level: Note, Numbers: quantities("k", 1),
			Text: "one rollout a task is always 0 or 1: in_band cannot be read",
		})
	}
}

// String prints the verdict, its reason and the counts behind it.
func (r *PowerReport) String() string {
	s := fmt.Sprintf("eval power: %s (%s)\n%d tasks, %d rollouts, base %s, spread %s, in band %d, always pass %d, always fail %d",
		r.Verdict, r.Reason, r.Tasks, r.Rollouts, fixed(r.Base, 4), fixed(r.TaskSpread, 4), r.InBand, r.TiedPass, r.TiedFail)
	for _, w := range r.Warnings {
		s += "\nwarning: " + w
	}
	for _, n := range r.Notes {
		s += "\nnote: " + n
	}
	return s
}
