package selection

import "github.com/rollmill/rollmill/formats/rollout/behaviour"

// LeakReport says which rows say what only the grader may know (spec of gates,
// sections 1.11 and 5.1).
type LeakReport struct {
	Any     bool                  `json:"checked"` // some row had anything to leak: otherwise the rest says nothing
	Checked int                   `json:"n_checked"`
	Dropped int                   `json:"n_dropped"`
	First   []behaviour.LeakedRow `json:"leaked"`
}

func leakReport(found *behaviour.Leaks, checked, dropped int) LeakReport {
	return LeakReport{checked > 0, checked, dropped, found.Result().First}
}

// leastNeedle is how many characters a text must have to count as leaked.
const leastNeedle = 12

// leak tells whether a row can leak and does. Of rows that an earlier gate drops
// no leak is shown.
func (a *Accumulator) leak(m marks) marks {
	leak, state := a.read.Leak(leastNeedle)
	switch {
	case state == behaviour.LeakUnchecked:
		return 0
	case state == behaviour.LeakClean:
		return markChecked
	case m.standing() == Kept:
		a.leaks.Count(a.read.Row(), leak, state)
	}
	return markChecked | markLeaked
}
