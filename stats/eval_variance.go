package stats

import (
	"fmt"
	"strings"
)

// MinReruns is the fewest runs whose spread can be read.
const MinReruns = 3

// Codes of the notes of an [EvalVariance] report.
const (
	CodeUnkeyed     Code = "unkeyed"      // rows without a run were left out
	CodeFewRuns     Code = "few_runs"     // fewer than [MinReruns]
	CodeTasksDiffer Code = "tasks_differ" // runs cover different tasks
)

// Part is the metrics of those rows of a side that share a label: one eval run,
// one training seed, one slice.
type Part struct {
	Label   string
	Metrics []Metric
}

// VarianceReport is how far re-runs of one evaluation scatter, and the band
// that a difference must leave to be more than that (Miller 2024,
// arXiv:2411.00640; Lambert 2025, arXiv:2504.12501, chapter on evaluation).
type VarianceReport struct {
	Metric       string        `json:"metric"`
	Runs         int           `json:"n_runs"`  // with at least one value
	Means        Quantities    `json:"means"`   // a run, rounded to 4 digits, null for an empty run
	Mean         Null[float64] `json:"mean"`    // of the runs; rounded to 4
	RunStd       Null[float64] `json:"run_std"` // of one run's mean; rounded to 4, null under 2 runs
	RunStdPoints Null[float64] `json:"run_std_points"`
	ByMetric     Quantities    `json:"run_std_by_metric"`
	NoiseBand    Null[float64] `json:"noise_band"` // rounded to 4
	NoiseBandDF  Null[int]     `json:"noise_band_df"`
	Stability    Null[string]  `json:"stability"`
	TasksInEvery int           `json:"tasks_in_every_run"`
	Unkeyed      int           `json:"unkeyed"` // rows that named no run
	Notes        []string      `json:"notes"`
	Findings     []Finding     `json:"findings"`
	Exact        VarianceExact `json:"exact"`
}

// VarianceExact holds what a [VarianceReport] rounds.
type VarianceExact struct {
	Means     Quantities    `json:"means"`
	Mean      Null[float64] `json:"mean"`
	RunStd    Null[float64] `json:"run_std"`
	NoiseBand Null[float64] `json:"noise_band"`
}

// EvalVariance measures the scatter of one metric over runs, in the order
// given; the empty metric is pass_at_1. unkeyed counts rows that named no run
// and are in none. No run at all is an error.
func EvalVariance(runs []Part, metric string, unkeyed int) (*VarianceReport, error) {
	if len(runs) == 0 {
		return nil, &ArgumentError{Name: "runs", Got: 0, Want: "at least one run"}
	}
	if metric == "" {
		metric = MetricPassAt1
	}
	metric = MetricName(metric)
	r := &VarianceReport{Metric: metric, Unkeyed: unkeyed, Findings: []Finding{}}
	var means []float64
	for _, run := range runs {
		mean := finite(find(run.Metrics, metric).Mean())
		r.Exact.Means = append(r.Exact.Means, Quantity{run.Label, mean})
		r.Means = append(r.Means, Quantity{run.Label, rounded(mean, 4)})
		if mean.Valid {
			means = append(means, mean.V)
		}
	}
	r.Runs = len(means)
	r.Exact.Mean, r.Exact.RunStd = finite(Mean(means)), SampleSD(means)
	r.Mean, r.RunStd = rounded(r.Exact.Mean, 4), rounded(r.Exact.RunStd, 4)
	if sd := r.Exact.RunStd; sd.Valid {
		r.RunStdPoints = Of(Round(sd.V*100, 2))
		r.Stability = Of(Stability(sd.V))
		r.NoiseBandDF = Of(r.Runs - 1)
		width, err := NoiseBand(sd.V, NoiseOptions{DF: r.Runs - 1})
		if err != nil {
			return nil, err
		}
		r.Exact.NoiseBand = Of(width)
		r.NoiseBand = Of(Round(width, 4))
	}
	r.ByMetric = runStdByMetric(runs, metric)
	var union int
	r.TasksInEvery, union = tasksInEvery(runs, metric)
	r.note(union)
	r.Notes = texts(r.Findings, Note)
	return r, nil
}

// runStdByMetric lists pass_at_1, every marker that all runs carry, and the
// metric asked for.
func runStdByMetric(runs []Part, metric string) Quantities {
	names := []string{MetricPassAt1}
	for _, m := range runs[0].Metrics {
		in := 0
		for _, run := range runs {
			if len(find(run.Metrics, m.Name).Tasks) > 0 {
				in++
			}
		}
		if m.Name != MetricPassAt1 && in == len(runs) {
			names = append(names, m.Name)
		}
	}
	out := Quantities{}
	for _, name := range append(names, metric) {
		listed := false
		for _, q := range out {
			listed = listed || q.Name == name
		}
		if !listed {
			sd, _ := runStd(runs, name)
			out = append(out, Quantity{name, rounded(sd, 4)})
		}
	}
	return out
}

// runStd is the standard deviation of a metric's run means, and how many runs
// have one.
func runStd(runs []Part, metric string) (Null[float64], int) {
	var means []float64
	for _, run := range runs {
		if m := find(run.Metrics, metric); len(m.Tasks) > 0 {
			means = append(means, m.Mean())
		}
	}
	return SampleSD(means), len(means)
}

// tasksInEvery counts the tasks that every run has, and those that any has.
func tasksInEvery(runs []Part, metric string) (every, union int) {
	seen := map[string]int{}
	for _, run := range runs {
		for _, t := range find(run.Metrics, metric).Tasks {
			seen[t.Key]++
		}
	}
	for _, n := range seen {
		if n == len(runs) {
			every++
		}
	}
	return every, len(seen)
}

func (r *VarianceReport) note(union int) {
	add := func(code Code, numbers Quantities, text string) {
		r.Findings = append(r.Findings, Finding{Code: code, Level: Note, Subject: r.Metric, Numbers: numbers, Text: text})
	}
	if r.Unkeyed > 0 {
		add(CodeUnkeyed, quantities("rows", r.Unkeyed), fmt.Sprintf("%d rows name no run and are left out", r.Unkeyed))
	}
	if r.Runs < MinReruns {
		add(CodeFewRuns, quantities("runs", r.Runs, "need", MinReruns),
			fmt.Sprintf("%d runs: their spread cannot be read under %d", r.Runs, MinReruns))
	}
	if union != r.TasksInEvery {
		add(CodeTasksDiffer, quantities("tasks_in_every_run", r.TasksInEvery, "tasks", union),
			fmt.Sprintf("runs cover different tasks: %d of %d are in every run", r.TasksInEvery, union))
	}
}

// String prints the scatter, the band and the runs.
func (r *VarianceReport) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "eval_variance %s: run_std %s over %d runs, mean %s\n", r.Metric, fixed(r.RunStd, 4), r.Runs, fixed(r.Mean, 4))
	if r.NoiseBand.Valid {
		fmt.Fprintf(&b, "noise band %.4f (t, df=%d): a smaller difference of two runs is noise\n", r.NoiseBand.V, r.NoiseBandDF.V)
	} else {
		b.WriteString("noise band n/a: needs two runs\n")
	}
	for i, m := range r.Means {
		if i > 0 {
			b.WriteString(" | ")
		}
		b.WriteString(m.Name + " " + fixed(m.Value, 4))
	}
	fmt.Fprintf(&b, " (%d tasks in every run)\n", r.TasksInEvery)
	if r.Stability.Valid {
		fmt.Fprintf(&b, "stability %s (%s points)", r.Stability.V, fixed(r.RunStdPoints, 2))
	} else {
		b.WriteString("stability n/a")
	}
	for _, n := range r.Notes {
		b.WriteString("\nnote: " + n)
	}
	return b.String()
}
