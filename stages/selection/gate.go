package selection

import (
	"bytes"
	"encoding/json"
)

// Gate is where a row of a selection ended: [Kept], or the gate that dropped it.
type Gate uint8

// The gates, in the order in which rows come to them. What follows the gates of
// a mode is dropped only for want of room: by the target, or since the rule of
// the mode took another row.
const (
	Kept Gate = iota

	GateHoldout // its task is held out, for evaluation
	GateSolved  // its task passed too often in an earlier round
	GateUnsolved
	GateLeak       // it says what only the grader may know
	GateNotPassing // no reward, or one below the least; of mode SFT

	GateIncompleteJunk // no reply, half a reply, or a fault of the harness
	GateDoNothing      // no tool call where the situation wants one
	GateUnusableLabel  // no verdict of 0 or 1
	GateDuplicate
	GateTruncated
	GateUnanimous // all verdicts of the task are equal
	GateCollapsed // what earlier gates left of the task has one verdict
	GateOverlong  // only overlong replies are left of the task
	GateTooEasy
	GateTooHard

	GateJudgeFailed // the judge came to no verdict
	GateNoScore     // no number from 0 to 1 as reward
	GateNoPrompt

	GateOutranked // the rule took another row of the prompt
	GateUnpaired  // no partner with enough margin is left
	GateTarget    // enough rows were kept

	gateEnd
)

var gateWords = [gateEnd]string{
	"kept", "holdout", "prior_solved", "prior_unsolved", "privileged_leak", "not_passing",
	"incomplete_junk", "do_nothing", "unusable_label", "duplicate", "truncated",
	"unanimous", "collapsed", "overlong_alone", "too_easy", "too_hard",
	"judge_failed", "no_score", "no_prompt",
	"outranked", "unpaired", "target",
}

// Gates are the gates of a mode, in the order in which rows come to them.
func Gates(m Mode) []Gate {
	switch m {
	case SFT:
		return []Gate{GateHoldout, GateLeak, GateNotPassing, GateIncompleteJunk, GateOutranked, GateTarget}
	case Pairs:
		return []Gate{GateHoldout, GateJudgeFailed, GateNoScore, GateNoPrompt, GateUnpaired, GateTarget}
	}
	return []Gate{
		GateHoldout, GateSolved, GateUnsolved, GateLeak, GateIncompleteJunk, GateDoNothing, GateUnusableLabel, GateDuplicate, GateTruncated,
		GateUnanimous, GateCollapsed, GateOverlong, GateTooEasy, GateTooHard, GateTarget,
	}
}

// String is the word for the gate, as rows carry it in rollmill_gate.
func (g Gate) String() string { return gateWords[g] }

// Tally counts rows by the gate at which they ended.
type Tally [gateEnd]int

// Dropped is how many rows ended at a gate.
func (t *Tally) Dropped() (n int) {
	for _, rows := range t[Kept+1:] {
		n += rows
	}
	return n
}

// In is how many rows there are in all.
func (t *Tally) In() int { return t[Kept] + t.Dropped() }

// last is the gate that took the last rows, where none is left.
func (t *Tally) last() Gate {
	for g := gateEnd - 1; g > Kept; g-- {
		if t[g] > 0 {
			return g
		}
	}
	return Kept
}

// MarshalJSON writes the gates that dropped rows, in their order, as one object.
func (t Tally) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for g := Kept + 1; g < gateEnd; g++ {
		if t[g] == 0 {
			continue
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		count, err := json.Marshal(t[g])
		if err != nil {
			return nil, err
		}
		b.WriteString(`"` + g.String() + `":`)
		b.Write(count)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
