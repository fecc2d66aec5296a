package selection

import (
	"maps"
	"slices"
	"strings"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stats"
)

// TaskRates counts how often each task passes: what the next round, the
// curriculum and the prior of a selection need. A task without verdicts has the
// rate that its first row carries, if one does. Keys and prompts are kept as
// text. It is not safe for concurrent use.
type TaskRates struct {
	keys     numbers
	list     column[taskRate]
	policies map[string]bool
	rows     int
	digest   digester
}

// taskRate is one task: 80 bytes, its key and its prompt.
type taskRate struct {
	key, prompt string
	first       int // number of its first row
	score       score
	carried     carriedRate
	carries     bool
}

// carriedRate is a pass rate that a row brings along.
type carriedRate struct {
	rate float64
	n    int // verdicts behind it; 0 is unknown
}

// rate is the pass rate of the task and the verdicts behind it, 0 if they are
// not known.
func (t *taskRate) rate() (rate float64, n int, ok bool) {
	if t.score.n > 0 {
		return t.score.rate(), int(t.score.n), true
	}
	return t.carried.rate, t.carried.n, t.carries
}

// RateFields are the fields of a row that [TaskRates] reads.
const RateFields = rollout.FieldTaskID | rollout.FieldPrompt | rollout.FieldReward | rollout.FieldPriorReward |
	rollout.FieldStatus | rollout.FieldExtra

// Add counts rows.
func (t *TaskRates) Add(rows []rollout.Row) {
	for i := range rows {
		t.add(&rows[i])
	}
}

func (t *TaskRates) add(r *rollout.Row) {
	key := r.TaskKey()
	n := int(t.keys.number(t.digest.of(key, "")))
	if n == t.list.n {
		t.list.append(taskRate{key: strings.Clone(key), prompt: strings.Clone(r.Prompt), first: t.rows})
	}
	task := t.list.at(n)
	t.rows++
	if pass, ok := r.BinaryOrPriorReward(); ok {
		task.score.add(pass)
	} else if task.score.n == 0 && !task.carries {
		task.carried, task.carries = carriedBy(r)
	}
	if policy := textOf(member(r, "policy_version")); policy != "" && !t.policies[policy] {
		if t.policies == nil {
			t.policies = map[string]bool{}
		}
		t.policies[strings.Clone(policy)] = true
	}
}

// Merge adds what another has counted of the rows that follow. The other must
// not be used any more.
func (t *TaskRates) Merge(o *TaskRates) {
	for i, n := range t.keys.merge(&o.keys) {
		from := o.list.at(i)
		if int(n) == t.list.n {
			from.first += t.rows
			t.list.append(*from)
			continue
		}
		task := t.list.at(int(n))
		task.score.n += from.score.n
		task.score.passes += from.score.passes
		if !task.carries {
			task.carried, task.carries = from.carried, from.carries
		}
	}
	t.rows += o.rows
	if t.policies == nil {
		t.policies = map[string]bool{}
	}
	maps.Copy(t.policies, o.policies)
}

// RatesOf counts rows.
func RatesOf(rows []rollout.Row) *TaskRates {
	t := &TaskRates{}
	t.Add(rows)
	return t
}

// carriedBy is the pass rate that a row carries: at its top, else within its
// calibration; it must be a number from 0 to 1 (spec of gates, section 5.2).
func carriedBy(r *rollout.Row) (c carriedRate, ok bool) {
	rate, n := member(r, "pass_rate"), member(r, "n")
	if rate == "" || rate == "null" {
		calibration := member(r, "calibration")
		rate, n = memberOf(calibration, "pass_rate"), memberOf(calibration, "n")
	}
	if c.rate, ok = numberOf(rate); !ok || !(c.rate >= 0 && c.rate <= 1) {
		return carriedRate{}, false
	}
	if count, ok := numberOf(n); ok && count > 0 && count < 1<<31 {
		c.n = int(count)
	}
	return c, true
}

// all yields the tasks in the order of their first row.
func (t *TaskRates) all(yield func(*taskRate) bool) {
	for i := range t.list.n {
		if !yield(t.list.at(i)) {
			return
		}
	}
}

// placeOf says where a task stands to a band, by its rate rounded to 4 decimals.
// ok is false for a task that was not measured.
func (t *TaskRates) placeOf(d digest, b Band) (at side, ok bool) {
	n, ok := t.keys.find(d)
	if !ok {
		return within, false
	}
	rate, count, ok := t.list.at(int(n)).rate()
	return b.place(stats.Round(rate, 4), count), ok
}

// Policies lists the policy versions of the rows, sorted.
func (t *TaskRates) Policies() []string {
	list := slices.AppendSeq([]string{}, maps.Keys(t.policies))
	slices.Sort(list)
	return list
}
