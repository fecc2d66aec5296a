package hackscan

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stats"
)

// Dynamics says how the reward moved over training steps, beside a metric that
// was not trained on. It rests on two published traces and on reason, not on a
// measured rate of error.
type Dynamics struct {
	Verdict DynamicsVerdict `json:"verdict"`
	Steps   int             `json:"steps"`
	Rows    int             `json:"n"` // rows with a step, a reward and the metric
	Reward  Movement        `json:"reward"`
	Metric  Movement        `json:"metric"`
}

// DynamicsVerdict is what a movement means.
type DynamicsVerdict string

const (
	Exploitation DynamicsVerdict = "exploitation" // the reward rose and the metric did not
	Learning     DynamicsVerdict = "learning"     // both rose
	Collapse     DynamicsVerdict = "collapse"     // the reward fell
	Unmoved      DynamicsVerdict = "unmoved"      // the reward hardly moved
	Unclear      DynamicsVerdict = "unclear"      // too few steps, or a movement within the scatter of the steps
)

// Movement is a mean over the first and over the last third of the steps, and
// the difference with its 95 % interval over steps.
type Movement struct {
	Early  float64                    `json:"early"`
	Late   float64                    `json:"late"`
	Change float64                    `json:"change"`
	CI95   stats.Null[stats.Interval] `json:"ci95"` // absent under two steps a third
}

// dynamicsChange is the change from which on something moved.
const dynamicsChange = 0.05

// dynamics counts rows by training step.
type dynamics map[float64]*stepSums

type stepSums struct {
	reward, metric float64
	n              int
}

func (d dynamics) add(step, reward, metric float64) {
	s := d[step]
	if s == nil {
		s = &stepSums{}
		d[step] = s
	}
	s.reward += reward
	s.metric += metric
	s.n++
}

func (d dynamics) merge(o dynamics) {
	for step, from := range o {
		d.add(step, from.reward, from.metric)
		d[step].n += from.n - 1
	}
}

// result gives the verdict, nil when no row has a step.
func (d dynamics) result() *Dynamics {
	if len(d) == 0 {
		return nil
	}
	r := &Dynamics{Steps: len(d)}
	var rewards, metrics []float64 // means by step
	for _, step := range slices.SortedFunc(maps.Keys(d), cmp.Compare[float64]) {
		s := d[step]
		r.Rows += s.n
		rewards = append(rewards, s.reward/float64(s.n))
		metrics = append(metrics, s.metric/float64(s.n))
	}
	r.Reward, r.Metric = movement(rewards), movement(metrics)
	r.Verdict = r.verdict()
	return r
}

// movement compares the first third of a series with the last.
func movement(series []float64) (m Movement) {
	third := max(1, len(series)/3)
	early, late := series[:third], series[len(series)-third:]
	m.Early, m.Late = stats.Mean(early), stats.Mean(late)
	m.Change = m.Late - m.Early
	if third < 2 {
		return m
	}
	differences := make([]float64, third)
	for i := range differences {
		differences[i] = late[i] - early[i]
	}
	m.CI95 = stats.StudentInterval(differences, 0.95)
	return m
}

func (r *Dynamics) verdict() DynamicsVerdict {
	reward, metric := r.Reward, r.Metric
	switch {
	case !reward.CI95.Valid:
		return Unclear
	case reward.Change <= dynamicsChange && reward.Change >= -dynamicsChange:
		return Unmoved
	case reward.CI95.V.Contains(0):
		return Unclear
	case reward.Change < 0:
		return Collapse
	case metric.Change > dynamicsChange && !metric.CI95.V.Contains(0):
		return Learning
	case metric.Change <= 0 || metric.CI95.V.Contains(0) && metric.Change <= dynamicsChange:
		return Exploitation
	}
	return Unclear
}

// String prints it in one line.
func (r *Dynamics) String() string {
	move := func(m Movement) string {
		s := fmt.Sprintf("%.3f to %.3f (%+.3f", m.Early, m.Late, m.Change)
		if m.CI95.Valid {
			s += fmt.Sprintf(", 95 %% %+.3f..%+.3f", m.CI95.V.Low, m.CI95.V.High)
		}
		return s + ")"
	}
	return fmt.Sprintf("over %d steps the reward went from %s, the metric from %s: %s", r.Steps, move(r.Reward), move(r.Metric), r.Verdict)
}

// trend is what a row says of it.
type trend struct {
	step, metric float64
	ok           bool
}

func (o *Options) trend(r *rollout.Row) (t trend) {
	if o.Step == nil || o.Metric == nil {
		return t
	}
	var known bool
	if t.step, known = o.Step(r); known {
		t.metric, t.ok = o.Metric(r)
	}
	return t
}
