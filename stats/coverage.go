package stats

import "fmt"

// Task is what pass@k reads of one task: its scored rollouts and how many of
// them passed, and beside them those that never got a verdict, which enter
// neither.
type Task struct {
	Key      string
	Passes   int // rollouts whose verdict is 1
	N        int // rollouts whose verdict is 0 or 1
	Unscored int // no verdict: missing, a timeout, an error
	Invalid  int // a verdict that is neither 0 nor 1
}

// Rate is Passes/N; NaN when nothing was scored.
func (t Task) Rate() float64 { return float64(t.Passes) / float64(t.N) }

// Coverage counts what a figure rests on and what is missing from it. Dropping
// unscored rollouts changes the denominator silently, so the counts stand
// beside the figure, with what it could at most become.
type Coverage struct {
	Tasks       int `json:"tasks"`
	TasksScored int `json:"tasks_scored"` // with at least one scored rollout
	Scored      int `json:"scored"`       // rollouts
	Unscored    int `json:"unscored"`
	Invalid     int `json:"invalid"`
	// Bounds is pass@1 if every missing rollout had failed, and if every one
	// had passed; absent without tasks.
	Bounds       Null[Interval] `json:"bounds"`
	tasksInvalid int            // tasks that have verdicts, none of them 0 or 1
}

// CoverageOf counts over tasks.
func CoverageOf(tasks []Task) Coverage {
	c := Coverage{Tasks: len(tasks)}
	var low, high float64
	counted := 0
	for _, t := range tasks {
		missing := t.Unscored + t.Invalid
		c.Scored += t.N
		c.Unscored += t.Unscored
		c.Invalid += t.Invalid
		if t.N > 0 {
			c.TasksScored++
		} else if t.Invalid > 0 {
			c.tasksInvalid++
		}
		if t.N+missing > 0 {
			low += float64(t.Passes) / float64(t.N+missing)
			high += float64(t.Passes+missing) / float64(t.N+missing)
			counted++
		}
	}
	if counted > 0 {
		c.Bounds = Of(Interval{Low: low / float64(counted), High: high / float64(counted)})
	}
	return c
}

// Complete reports whether every rollout was scored.
func (c Coverage) Complete() bool { return c.Unscored == 0 && c.Invalid == 0 }

// String is one phrase: how many rollouts and tasks were scored.
func (c Coverage) String() string {
	all := c.Scored + c.Unscored + c.Invalid
	s := fmt.Sprintf("%d of %d rollouts scored (%d unscored, %d invalid) on %d of %d tasks",
		c.Scored, all, c.Unscored, c.Invalid, c.TasksScored, c.Tasks)
	if !c.Complete() {
		s += ", pass@1 " + band(c.Bounds, 2, fixed) + " if those counted"
	}
	return s
}
