package selection

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stats"
)

// Round is the tasks of the next round of training: those whose pass rate in the
// last one is within the band (spec of gates, section 5.2).
type Round struct {
	Tasks           []rollout.Row    `json:"-"` // kept ones with a calibration, and unknown ones as they came
	Kept            int              `json:"kept"`
	DroppedSolved   int              `json:"dropped_solved"`
	DroppedUnsolved int              `json:"dropped_unsolved"`
	Unknown         int              `json:"unknown"` // not measured
	PriorTasks      int              `json:"n_prior_tasks"`
	PassRates       stats.Quantities `json:"pass_rates"`
	Band            Band             `json:"band"`
	FromPolicy      []string         `json:"from_policy"`
	PromptSetSHA    string           `json:"prompt_set_sha"`
	Findings        []stats.Finding  `json:"findings"`
}

// CodeNothingMeasured says that no task of the rows has a verdict or a rate.
const CodeNothingMeasured stats.Code = "nothing_measured"

// NextRound picks the tasks of the next round out of those measured in prior
// rows, or, where tasks are given, out of these: one row a task, of which the
// task key counts.
func NextRound(prior, tasks []rollout.Row, b Band) (*Round, error) {
	b = b.withDefaults()
	if err := b.check(); err != nil {
		return nil, err
	}
	if b.Low == b.High {
		return nil, fmt.Errorf("selection: band %v to %v: want low < high", b.Low, b.High)
	}
	rates := RatesOf(prior)
	r := rates.round(b)
	if tasks == nil {
		for t := range rates.all {
			if rate, n, ok := t.rate(); ok {
				r.take(t, &prior[t.first], stats.Round(rate, 4), n, true)
			}
		}
		return r.finish(len(prior)), nil
	}
	for i := range tasks {
		n, ok := rates.keys.find(rates.digest.of(tasks[i].TaskKey(), ""))
		if !ok {
			r.take(nil, &tasks[i], 0, 0, false)
			continue
		}
		t := rates.list.at(int(n))
		rate, count, ok := t.rate()
		row := &tasks[i]
		if ok {
			row = &prior[t.first]
		}
		r.take(t, row, stats.Round(rate, 4), count, ok)
	}
	return r.finish(len(prior)), nil
}

// Round sums up what would be kept of the measured tasks, without rows.
func (t *TaskRates) Round(b Band) *Round {
	r := t.round(b.withDefaults())
	for task := range t.all {
		if rate, n, ok := task.rate(); ok {
			r.take(task, nil, stats.Round(rate, 4), n, true)
		}
	}
	return r.finish(t.rows)
}

func (t *TaskRates) round(b Band) *roundMaker {
	r := &roundMaker{Round: Round{Band: b, FromPolicy: t.Policies(), PassRates: stats.Quantities{}, Findings: []stats.Finding{}}}
	for task := range t.all {
		if rate, _, ok := task.rate(); ok {
			r.PriorTasks++
			r.PassRates = append(r.PassRates, stats.Quantity{Name: task.key, Value: stats.Of(stats.Round(rate, 4))})
		}
	}
	return r
}

// roundMaker is a round that is being made.
type roundMaker struct {
	Round
	keys []string // of the tasks of the next round
}

// take judges one task. row is what stands for it, nil for nothing.
func (r *roundMaker) take(t *taskRate, row *rollout.Row, rate float64, n int, measured bool) {
	if !measured {
		r.Unknown++
		r.keys = append(r.keys, row.TaskKey())
		r.Tasks = append(r.Tasks, *row)
		return
	}
	switch r.Band.place(rate, n) {
	case tooEasy:
		r.DroppedSolved++
	case tooHard:
		r.DroppedUnsolved++
	default:
		r.Kept++
		r.keys = append(r.keys, t.key)
		if row != nil {
			kept := *row
			stampRound(&kept, rate, n, r.Band)
			r.Tasks = append(r.Tasks, kept)
		}
	}
}

func (r *roundMaker) finish(rows int) *Round {
	slices.Sort(r.keys)
	sum := sha256.Sum256([]byte(strings.Join(r.keys, "\n")))
	r.PromptSetSHA = hex.EncodeToString(sum[:])[:16]
	if rows > 0 && r.PriorTasks == 0 {
		r.Findings = append(r.Findings, stats.Finding{
			Code: CodeNothingMeasured, Level: stats.Warning, Subject: "prior",
			Numbers: stats.Quantities{{Name: "rows", Value: stats.Of(float64(rows))}},
			Text:    fmt.Sprintf("not one of %d prior rows has a verdict of 0 or 1 or carries a pass rate: nothing says which tasks to keep", rows),
		})
	}
	return &r.Round
}

// stampRound updates the calibration of a row.
func stampRound(r *rollout.Row, rate float64, n int, b Band) {
	stamp := newObject()
	for m := range membersOf(member(r, "calibration")) {
		stamp.set(m.Name, m.JSON)
	}
	stamp.set("pass_rate", floatJSON(rate))
	if n > 0 {
		stamp.set("n", fmt.Sprint(n))
	} else {
		stamp.set("n", "null")
	}
	stamp.set("band", "["+floatJSON(b.Low)+","+floatJSON(b.High)+"]")
	r.SetExtra("calibration", stamp.json())
}
