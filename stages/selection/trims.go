package selection

import (
	"github.com/rollmill/rollmill/formats/rollout"
)

// The gates of mode RL one by one, over rows in memory.

// Trim says what one gate dropped.
type Trim struct {
	Rows    int `json:"n"`
	Kept    int `json:"n_kept"`
	Dropped int `json:"n_dropped"`
}

// FilterRL runs the gates that judge each row alone (spec of gates, section 5.1).
func FilterRL(rows []rollout.Row, hasTools, textGates bool) (kept []rollout.Row, gates RowGates, t Trim) {
	tab, _ := tableOf(rows)
	if !hasTools {
		for i := range tab.gates {
			tab.rows.at(i).marks &^= markIdle
		}
	}
	gates = tab.dropByRow(textGates)
	kept = tab.keep(rows)
	return kept, gates, trimOf(rows, kept)
}

func trimOf(rows, kept []rollout.Row) Trim {
	return Trim{len(rows), len(kept), len(rows) - len(kept)}
}

// DropReason is the row gate at which a row ends, Kept for none.
func DropReason(r *rollout.Row, hasTools, textGates bool) Gate {
	var x reader
	x.begin(r)
	m := x.verdict(r, false, hasTools)
	if textGates && x.junk(truthy(member(r, "overlong"))) {
		m |= markJunk
	}
	return m.reason(m.has(markLabelled), textGates)
}

// DropDuplicates drops rows that repeat an earlier one.
func DropDuplicates(rows []rollout.Row) ([]rollout.Row, Duplicates) {
	t, _ := tableOf(rows)
	d := t.dropDuplicates()
	return t.keep(rows), d
}

// DropTruncatedRows drops rows whose reply was cut off.
func DropTruncatedRows(rows []rollout.Row) ([]rollout.Row, Trim) {
	t, _ := tableOf(rows)
	t.dropTruncated()
	kept := t.keep(rows)
	return kept, trimOf(rows, kept)
}

// DropLeaks drops rows that say what only the grader may know.
func DropLeaks(rows []rollout.Row) ([]rollout.Row, LeakReport) {
	t, a := tableOf(rows)
	checked, dropped := t.dropLeaks()
	return t.keep(rows), leakReport(&a.leaks, checked, dropped)
}

// UnanimousTrim says what [TrimUnanimous] dropped.
type UnanimousTrim struct {
	Trim
	Tasks  int    `json:"n_groups_dropped"`
	Signal Signal `json:"signal"` // of the kept rows
}

// TrimUnanimous drops tasks of at least the given number of verdicts, 2 or more,
// that are all equal (spec of gates, section 5.2).
func TrimUnanimous(rows []rollout.Row, least int) ([]rollout.Row, UnanimousTrim) {
	t, _ := tableOf(rows)
	_, tasks := t.dropUnanimous(least)
	kept := t.keep(rows)
	return kept, UnanimousTrim{trimOf(rows, kept), tasks, SignalOf(kept, Band{})}
}

// BandTrim says what [TrimOutOfBand] dropped.
type BandTrim struct {
	Trim
	Tasks     int  `json:"n_groups_dropped"`
	TooEasy   int  `json:"too_easy"`
	TooHard   int  `json:"too_hard"`
	FromRates int  `json:"from_rates"` // tasks judged by a rate that a row carries
	Band      Band `json:"band"`
}

// TrimOutOfBand drops tasks whose pass rate is outside a band; unanimous tasks
// and those known to have fewer than the given number of verdicts stay. A task
// without verdicts is judged by the rate that its first row carries (spec of
// gates, section 5.2).
func TrimOutOfBand(rows []rollout.Row, b Band, least int) ([]rollout.Row, BandTrim, error) {
	b = b.withDefaults()
	if err := b.check(); err != nil {
		return nil, BandTrim{}, err
	}
	t, _ := tableOf(rows)
	t.carried = map[uint32]carriedRate{}
	task := uint32(0)
	for rate := range RatesOf(rows).all { // tasks are numbered as they are first seen, there as here
		if rate.carries && rate.score.n == 0 {
			t.carried[task] = rate.carried
		}
		task++
	}
	cut := t.dropOutOfBand(b, least)
	kept := t.keep(rows)
	return kept, BandTrim{trimOf(rows, kept), cut.easy + cut.hard, cut.easy, cut.hard, cut.carried, b}, nil
}
