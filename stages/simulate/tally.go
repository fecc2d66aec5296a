package simulate

import (
	"errors"
	"fmt"

	"github.com/zeebo/xxh3"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/simulate/grid"
)

// tally counts what a run gives, group after group in the order of the tasks.
type tally struct {
	plan     *plan
	report   Report
	coverage grid.Coverage
	copies   []int // rows of each cell
	prompts  map[uint64]struct{}
	patterns map[uint64]struct{}
	pattern  []byte
	shapes   map[string]struct{}
	turns    int64
	errors   int // of the agent
	empty    int
	first    string // what the agent said of its first error
	record   int64  // of the last row
}

func newTally(p *plan) *tally {
	t := &tally{plan: p, copies: make([]int, len(p.cells)), prompts: map[uint64]struct{}{}, patterns: map[uint64]struct{}{}, shapes: map[string]struct{}{}}
	t.report = Report{
		Mode: p.Mode, Schedule: p.Schedule, RepeatPolicy: p.RepeatPolicy, Phrasings: p.Phrasings, Repeats: p.Repeats,
		Budget: p.Budget, Runs: p.Runs, Seed: p.Seed, FaultRate: p.FaultRate.V, HardShare: p.HardShare.V, Agent: p.Agent.Name(),
		Rerolled: map[Lost]int64{}, Lost: map[Lost]int64{}, Arms: map[string]int64{}, Tiers: map[string]int64{},
		Degraded: []string{}, Warnings: []string{}, Tools: make([]ToolReport, len(p.Tools)),
	}
	t.report.Pairs.Planned = p.planned
	t.report.Cells.Planned = len(p.cells)
	for i := range p.Tools {
		t.report.Tools[i].Name = p.Tools[i].Name
	}
	return t
}

// add counts a group that is final and gives its rows their places. most is how
// many rollouts it had room for.
func (t *tally) add(g *group, most int) {
	r := &t.report
	n := int64(len(g.rows))
	r.Tasks++
	r.Rows += n
	for i := range g.rows {
		l := &g.rows[i]
		t.record++
		l.row.Pos = rollout.Pos{Record: t.record}
		if l.truncated {
			r.Truncated++
		}
		t.shapes[l.signature] = struct{}{}
	}
	if n > 0 {
		t.prompts[xxh3.HashString(g.task.prompt)] = struct{}{}
		t.pattern = appendPattern(t.pattern[:0], g.task.prompt)
		t.patterns[xxh3.Hash(t.pattern)] = struct{}{}
		r.Arms[string(g.task.arm)] += n
		r.Tiers[g.task.tier.String()] += n
	}
	if c := g.task.cell; c >= 0 && n > 0 {
		if t.copies[c] == 0 {
			t.coverage.Add(t.plan.cells[c].Cell)
			r.Cells.Run++
		}
		t.copies[c] += int(n)
	}
	if len(g.task.faults) > 0 {
		r.Faults.Tagged++
	}
	if len(g.task.plan) > 0 {
		r.Faults.Kept++
	}
	r.Faults.Rows += int64(g.faulted)
	for i, c := range g.calls {
		r.Tools[i].Calls += int64(c.calls)
		r.Tools[i].Succeeded += int64(c.succeeded)
		r.Tools[i].Faulted += int64(c.faulted)
	}
	r.Unknown += int64(g.unknown)
	t.turns += int64(g.turns)
	t.lose(g)
	t.addGroup(g, most)
}

// lose counts what was run again or lost.
func (t *tally) lose(g *group) {
	for why, n := range g.lost {
		t.report.Lost[why] += int64(n)
	}
	for why, n := range g.rerolled {
		t.report.Rerolled[why] += int64(n)
	}
	t.errors += g.errors
	t.empty += g.empty
	if t.first == "" {
		t.first = g.cause
	}
}

// addGroup counts what became of a group, and marks the rows of one that is
// smaller than it was meant to be.
func (t *tally) addGroup(g *group, most int) {
	r := &t.report
	r.Requested += int64(g.next)
	if t.plan.Repeats < 2 {
		return
	}
	r.Groups.Groups++
	agree := g.labels()
	if agree == mixed {
		r.Groups.Mixed++
	}
	switch {
	case len(g.rows) >= t.plan.Repeats:
		r.Groups.Complete++
	case g.next < most: // it was stopped on purpose
		r.Groups.Saved += int64(most - g.next)
		if agree == unanimous && t.plan.RepeatPolicy == Successive {
			r.Groups.Unanimous++
		}
	default:
		r.Groups.Partial++
		for i := range g.rows {
			row := &g.rows[i].row
			row.Extra = append(row.Extra[:len(row.Extra):len(row.Extra)], rollout.Member{Name: "group_cut", JSON: "true"})
		}
	}
}

// dead reports whether the agent is not worth another call: it failed often and
// nothing landed, or so often that what landed is a small part of it.
func (t *tally) dead() bool {
	if t.report.Rows == 0 {
		return t.errors >= t.plan.DeadAfter || t.empty >= max(t.plan.DeadAfter, 2*t.plan.Budget)
	}
	return t.errors >= max(t.plan.DeadAfter, deadBudgetMultiple*t.plan.Budget*t.plan.Runs)
}

// ErrAgent is wrapped when a run ended without a row because of its agent.
var ErrAgent = errors.New("simulate: the agent failed")

// failure is the error of a run that the agent ended before anything landed.
func (t *tally) failure() error {
	if t.report.Rows > 0 || t.report.Stopped != StopAgent {
		return nil
	}
	return fmt.Errorf("%w %d times and never answered; the first time: %s", ErrAgent, t.errors, t.first)
}

// finish completes the report.
func (t *tally) finish() {
	r := &t.report
	r.Pairs.Covered = t.coverage.Pairs()
	r.UniquePrompts, r.UniqueSignatures = len(t.prompts), len(t.shapes)
	for i, n := range t.copies {
		if i == 0 || n < r.Cells.Least {
			r.Cells.Least = n
		}
	}
	r.Patterns = len(t.patterns)
	if r.Tasks > 0 {
		r.Repeated = 1 - float64(r.Patterns)/float64(r.Tasks)
	}
	if r.Rows > 0 {
		r.Turns = float64(t.turns) / float64(r.Rows)
	}
	r.finish(t.plan)
}

// appendPattern appends a prompt without what varies for the asking: case,
// signs, and which number stands in it.
func appendPattern(dst []byte, prompt string) []byte {
	for i := range len(prompt) {
		switch c := prompt[i]; {
		case c >= '0' && c <= '9':
			if n := len(dst); n == 0 || dst[n-1] != '#' {
				dst = append(dst, '#')
			}
		case c >= 'A' && c <= 'Z':
			dst = append(dst, c|0x20)
		case c >= 'a' && c <= 'z' || c >= 0x80:
			dst = append(dst, c)
		case c == ' ':
			dst = append(dst, ' ')
		}
	}
	return dst
}
