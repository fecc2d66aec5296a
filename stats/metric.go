package stats

import (
	"math"
	"strings"
)

// MetricPassAt1 is the name of the metric that every evaluation has: the pass rate.
const MetricPassAt1 = "pass_at_1"

const markerPrefix = "marker:"

// MetricName completes a name: pass_at_1 and names that begin with "marker:"
// stand, anything else is the name of a marker. The empty name stays empty.
func MetricName(name string) string {
	if name == "" || name == MetricPassAt1 || strings.HasPrefix(name, markerPrefix) {
		return name
	}
	return markerPrefix + name
}

// TaskMean is the mean of a metric over the rows of one task.
type TaskMean struct {
	Key  string  `json:"task"`
	Mean float64 `json:"mean"`
	N    int     `json:"n"` // rows behind the mean
}

// Metric is one figure of one side of a comparison: its means a task. Tasks are
// the unit of every interval and comparison, since rollouts of one task are not
// independent (Miller 2024, arXiv:2411.00640).
type Metric struct {
	Name     string
	Tasks    []TaskMean // in first-seen order, which decides what each draw picks
	Rows     int        // rows that carry the metric
	AtOne    int        // of those, exactly 1
	AtZero   int        // of those, exactly 0
	Constant bool       // all values equal after rounding to 9 digits
}

// RateMetric is the pass rate as a metric; tasks with nothing scored are left
// out.
func RateMetric(tasks []Task) Metric {
	m := Metric{Name: MetricPassAt1}
	for _, t := range tasks {
		if t.N == 0 {
			continue
		}
		m.Tasks = append(m.Tasks, TaskMean{Key: t.Key, Mean: t.Rate(), N: t.N})
		m.Rows += t.N
		m.AtOne += t.Passes
	}
	m.AtZero = m.Rows - m.AtOne
	m.Constant = m.Rows > 0 && (m.AtOne == 0 || m.AtZero == 0)
	return m
}

// Means lists the means a task.
func (m Metric) Means() []float64 {
	out := make([]float64, len(m.Tasks))
	for i, t := range m.Tasks {
		out[i] = t.Mean
	}
	return out
}

// Mean is the mean over tasks, NaN without any.
func (m Metric) Mean() float64 {
	if len(m.Tasks) == 0 {
		return math.NaN()
	}
	sum := 0.0
	for _, t := range m.Tasks {
		sum += t.Mean
	}
	return sum / float64(len(m.Tasks))
}

// smallest is the least number of rows behind a task, 0 without tasks.
func (m Metric) smallest() int {
	k := 0
	for i, t := range m.Tasks {
		if i == 0 || t.N < k {
			k = t.N
		}
	}
	return k
}

// find returns the metric of a name, or an empty one.
func find(metrics []Metric, name string) Metric {
	for _, m := range metrics {
		if m.Name == name {
			return m
		}
	}
	return Metric{Name: name}
}
