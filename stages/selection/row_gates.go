package selection

import "github.com/rollmill/rollmill/stats"

// RowGates says what the gates that judge each row alone dropped (spec of
// gates, section 5.1).
type RowGates struct {
	DoNothing        int `json:"do_nothing"`
	IncompleteJunk   int `json:"incomplete_junk"`
	UnusableLabel    int `json:"unusable_label"`
	KeptVerifiedZero int `json:"kept_verified_zero"` // that would have been one of the first two
}

// TextGateReport says whether the gates that read replies ran.
type TextGateReport struct {
	Mode    TextGates          `json:"mode"`
	Applied bool               `json:"applied"`
	Reason  stats.Null[string] `json:"reason"` // why not: skip, no_reply
}

// standing is the first gate of a row that its marks alone decide, Kept for none.
func (m marks) standing() Gate {
	switch {
	case m.has(markHeld):
		return GateHoldout
	case m.has(markSolved):
		return GateSolved
	case m.has(markUnsolved):
		return GateUnsolved
	}
	return Kept
}

// dropStanding drops what is held out and what the prior round rules out.
func (t *table) dropStanding() (rows int) {
	for i, s := range t.alive {
		if t.gates[i] = s.marks.standing(); t.gates[i] != Kept && t.gates[i] != GateHoldout {
			rows++
		}
	}
	return rows
}

// dropLeaks drops rows that say what only the grader may know.
func (t *table) dropLeaks() (checked, dropped int) {
	for i, s := range t.alive {
		if s.marks.has(markChecked) {
			checked++
		}
		if s.marks.has(markLeaked) {
			t.gates[i] = GateLeak
			dropped++
		}
	}
	return checked, dropped
}

// textGates says whether the gates that read replies run.
func (t *table) textGates(mode TextGates) TextGateReport {
	r := TextGateReport{Mode: mode, Applied: mode == RequireText}
	switch mode {
	case SkipText:
		r.Reason = stats.Of("skip")
	case AutoText:
		for _, s := range t.alive {
			if s.marks.has(markContent) {
				r.Applied = true
				return r
			}
		}
		r.Reason = stats.Of("no_reply")
	}
	return r
}

// reason is the row gate at which a row ends, Kept for none.
func (m marks) reason(labelled, text bool) Gate {
	switch {
	case m.has(markVerified):
		return Kept
	case text && m.has(markJunk):
		return GateIncompleteJunk
	case text && !labelled && m.has(markIdle):
		return GateDoNothing
	case !labelled:
		return GateUnusableLabel
	}
	return Kept
}

// dropByRow runs the row gates.
func (t *table) dropByRow(text bool) (r RowGates) {
	for i, s := range t.alive {
		_, labelled := t.label(s)
		t.gates[i] = s.marks.reason(labelled, text)
		switch t.gates[i] {
		case GateIncompleteJunk:
			r.IncompleteJunk++
		case GateDoNothing:
			r.DoNothing++
		case GateUnusableLabel:
			r.UnusableLabel++
		case Kept:
			if text && s.marks.has(markVerified) && s.marks.has(markJunk|markIdle) {
				r.KeptVerifiedZero++
			}
		}
	}
	return r
}

// dropTruncated drops the rows whose reply was cut off.
func (t *table) dropTruncated() (rows int) {
	for i, s := range t.alive {
		if s.marks.has(markCut) {
			t.gates[i] = GateTruncated
			rows++
		}
	}
	return rows
}
