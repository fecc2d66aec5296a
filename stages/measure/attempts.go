package measure

import (
	"fmt"
	"math"

	"github.com/rollmill/rollmill/stats"
)

// Attempts says how the rollouts of a task came about.
type Attempts string

const (
	// Detect takes them for sequential when in every task with both outcomes all
	// failures come before all passes, by rollout_index, and independent
	// rollouts would do that once in a million times.
	Detect Attempts = ""
	// Independent ones are samples of one policy: what pass@k is about.
	Independent Attempts = "independent"
	// Sequential ones follow on each other: a second attempt is made after a
	// failure and knows of it, or a task that was solved stays solved.
	Sequential Attempts = "sequential"
)

// CodeSequential says that attempts at a task are no independent samples.
const CodeSequential stats.Code = "sequential_attempts"

// sequentialChance is how rare the order must be among independent rollouts.
const sequentialChance = 1e-6

// sequential decides whether attempts are sequential, and on which numbers.
func (f *Figures) sequential(told Attempts) (bool, stats.Quantities) {
	switch told {
	case Independent:
		return false, nil
	case Sequential:
		return true, stats.Quantities{}
	}
	mixed, chance, ok := f.failsFirst()
	if !ok || chance > sequentialChance {
		return false, nil
	}
	return true, stats.Quantities{
		{Name: "mixed_tasks", Value: stats.Of(float64(mixed))}, {Name: "chance", Value: stats.Of(chance)},
	}
}

// failsFirst reports whether all failures come before all passes in every task
// with both outcomes, how many those are, and how likely independent rollouts
// are to do so: the product over the tasks of 1 in the number of orders.
func (f *Figures) failsFirst() (mixed int, chance float64, ok bool) {
	c := f.counts
	if c.unindexed > 0 {
		return 0, 1, false
	}
	log := 0.0
	for i := range uint32(c.attempts.n) {
		r := *c.rates.at(i)
		if int(i) < c.priors.n {
			r.add(c.priors.at(i))
		}
		if r.passes == 0 || r.passes == r.n {
			continue
		}
		if !c.attempts.at(i).failsFirst() {
			return 0, 1, false
		}
		mixed++
		log -= logBinomial(int(r.n), int(r.passes))
	}
	return mixed, math.Exp(log), mixed > 0
}

func logBinomial(n, k int) float64 {
	a, _ := math.Lgamma(float64(n + 1))
	b, _ := math.Lgamma(float64(k + 1))
	c, _ := math.Lgamma(float64(n - k + 1))
	return a - b - c
}

// withhold takes the figures away that need independent rollouts.
func withhold(r *stats.PassReport, numbers stats.Quantities) {
	text := "attempts at a task are sequential, so pass@k and pass^k are not told"
	if mixed := numbers.Get("mixed_tasks"); mixed.Valid {
		text = fmt.Sprintf("in all %.0f tasks with both outcomes the failures come first, as in sequential attempts, "+
			"so pass@k and pass^k are not told", mixed.V)
	}
	r.PassAtK, r.PassPowK, r.Headroom = stats.Null[float64]{}, stats.Null[float64]{}, stats.Null[float64]{}
	r.PassAtKCI95, r.PassPowKCI95 = stats.Null[stats.Interval]{}, stats.Null[stats.Interval]{}
	r.GroupsAtK, r.Imputed = 0, 0
	findings := []stats.Finding{{Code: CodeSequential, Level: stats.Warning, Numbers: numbers, Text: text}}
	r.Note = text
	for _, f := range r.Findings {
		switch f.Code {
		case stats.CodeBelowMinK, stats.CodeUnevenBelowMinK, stats.CodeNoGroupHasK, stats.CodeUneven:
			continue // they speak of figures that are not told, and ask for more rollouts
		case stats.CodeUnscored: // stands beside the note
		default:
			r.Note += "; " + f.Text
		}
		findings = append(findings, f)
	}
	r.Findings = findings
}

// Solved is how many tasks were solved within so many attempts, the figure that
// sequential attempts have in place of pass@k.
type Solved struct {
	Attempt int                        `json:"attempt"` // from 1
	Solved  int                        `json:"solved"`
	Tasks   int                        `json:"n_tasks"`
	Share   stats.Null[float64]        `json:"share"`
	CI95    stats.Null[stats.Interval] `json:"ci95"` // Wilson: tasks are independent
}

// SolvedBy tells how many tasks were solved within 1, 2, 3, ... attempts, by
// rollout_index; nothing when a verdict has none, or when there are more than
// MaxParts attempts.
func (f *Figures) SolvedBy() []Solved {
	c := f.counts
	if c.unindexed > 0 || c.attempts.n == 0 || c.highIndex-c.lowIndex >= MaxParts {
		return nil
	}
	tasks := 0
	first := make([]int, c.highIndex-c.lowIndex+1) // tasks first solved at each attempt
	for i := range uint32(c.attempts.n) {
		a := *c.attempts.at(i)
		if a != (attempt{}) {
			tasks++
		}
		if a.firstPass > 0 {
			first[a.firstPass-1-c.lowIndex]++
		}
	}
	list := make([]Solved, len(first))
	sum := 0
	for i, n := range first {
		sum += n
		list[i] = Solved{
			Attempt: i + 1, Solved: sum, Tasks: tasks,
			Share: stats.Of(float64(sum) / float64(tasks)), CI95: stats.Wilson(sum, tasks, stats.Z95),
		}
	}
	return list
}
