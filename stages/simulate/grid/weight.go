package grid

import (
	"math"
	"slices"
	"strings"
)

// Value is what a run knows of a cell, as its weight takes it.
type Value struct {
	Count    int     // rows so far
	Novelty  float64 // 0..1; 0.5 before it was measured
	Behavior float64 // 0..1; 0.5 before it was measured
}

// Unmeasured is the value of a cell that nothing is known of.
var Unmeasured = Value{Novelty: 0.5, Behavior: 0.5}

// Weight returns how much a cell is worth a look: what is not covered, what is
// risky, what is new and what the agent does there (spec of simulation, section
// 7.5). With reward the behaviour leads, since a group without a difference
// teaches nothing (DAPO, arXiv:2503.14476); the factors are conventions of the
// reference implementation.
func Weight(c Cell, v Value, reward bool) float64 {
	uncovered := 1 / float64((1+v.Count)*(1+v.Count))
	w := 0.35*uncovered + 0.35*Risk(c) + 0.20*v.Novelty + 0.10*v.Behavior
	if reward {
		w = 0.25*uncovered + 0.25*Risk(c) + 0.15*v.Novelty + 0.35*v.Behavior
	}
	return math.Round(w*1e6) / 1e6
}

var (
	reading = []string{
		"get", "read", "list", "lookup", "look", "inspect", "search", "fetch", "find", "show", "describe", "view", "check",
		"query", "cat", "browse", "status",
	}
	destroying = []string{
		"delete", "remove", "pay", "refund", "transfer", "publish", "send", "cancel", "execute", "destroy", "drop", "close",
		"terminate", "revoke", "uninstall", "reset", "clear", "erase", "wipe", "purge", "disable", "deactivate", "unpublish",
		"unshare", "unsend",
	}
	pressing = []string{"boundary", "adversarial", "forbidden", "conflicting"}
)

// Risk returns how much harm a mistake in a cell does, 0.1 to 1: little where
// the tool reads, most where one that destroys meets pressure or a fault (spec
// of simulation, section 7.5).
func Risk(c Cell) float64 {
	words := strings.FieldsFunc(strings.ToLower(c[Tool]), func(r rune) bool { return r == '_' || r == '-' || r == '.' })
	switch {
	case c[Tool] == Unrelated || len(words) > 0 && slices.Contains(reading, words[0]):
		return 0.1
	case !slices.ContainsFunc(words, func(w string) bool { return slices.Contains(destroying, w) }):
		return 0.2
	case c.Fault() || slices.Contains(pressing, c[Stance]):
		return 1
	}
	return 0.3
}
