package simulate

import (
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/rollmill/rollmill/stages/simulate/grid"
	"github.com/rollmill/rollmill/stages/simulate/writer"
)

// expandShare is how many of a round's messages may be other wordings of
// situations that deserve one, as the reference implementation has it when time
// does not press.
const expandShare = 0.20

// fresh returns up to n tasks that were not run: other wordings where rollouts
// differed or failed, cells that were never run, a sample of the others by their
// weight, messages without a cell; and at most one message each that is made of
// one that failed and that aims at an outcome which was not seen.
func (s *search) fresh(n int) []*task {
	var out []*task
	if t := s.mutation(); t != nil && n >= 4 {
		out = append(out, t)
	}
	if t := s.gap(); t != nil && n >= 4 {
		out = append(out, t)
	}
	out = append(out, s.wordings(min(n-len(out), halfEven(float64(n)*expandShare)))...)
	probes := halfEven(float64(n) * s.open)
	for ; probes > 0 && len(out) < n; probes-- {
		if t := s.probe(); t != nil {
			out = append(out, t)
		}
	}
	for _, i := range s.sample(n - len(out)) {
		wordings := s.plan.Phrasings
		if s.plan.Mode == Adaptive {
			wordings = 1 // the others are earned
		}
		for range wordings {
			if t := s.take(i, ""); t != nil && len(out) < n && !s.full() {
				out = append(out, t)
				s.taken++
			}
		}
	}
	s.round++
	s.failed = nil
	return out
}

// full reports whether as many situations were taken as were asked for.
func (s *search) full() bool { return s.plan.Situations > 0 && s.taken >= s.plan.Situations }

// sample picks cells: those that never ran first, the heaviest of them first.
func (s *search) sample(n int) []int {
	var never, ranked []int
	for _, i := range (grid.Draw{Seed: s.plan.Seed, Round: s.round}).Rank(s.ids, s.weights()) {
		switch {
		case !s.left(i):
		case s.used[i] == 0:
			never = append(never, i)
		default:
			ranked = append(ranked, i)
		}
	}
	never = never[:min(len(never), max(0, n))]
	return append(never, grid.Mix(s.grid, ranked, max(0, n-len(never)), s.plan.HardShare.V)...)
}

// take takes the next message of a cell, under another arm if one is named.
func (s *search) take(i int, arm writer.Arm) *task {
	m, ok := s.plan.cells[i].messages.Write(s.used[i])
	if !ok {
		return nil
	}
	s.used[i]++
	if arm != "" {
		m.Arm = arm
	}
	return s.plan.about(0, i, &m, "")
}

// wordings takes other wordings of cells that deserve one.
func (s *search) wordings(n int) (out []*task) {
	for len(s.expand) > 0 && len(out) < n {
		i := s.expand[0]
		s.expand = s.expand[1:]
		if s.used[i] < s.plan.Phrasings {
			if t := s.take(i, ""); t != nil {
				out = append(out, t)
			}
		}
	}
	return out
}

// deserve notes that a cell deserves another wording.
func (s *search) deserve(i int) {
	if s.plan.Mode == Adaptive && i >= 0 && !slices.Contains(s.expand, i) {
		s.expand = append(s.expand, i)
	}
}

// probe takes the next message without a cell.
func (s *search) probe() *task {
	for ; s.probes < writer.Probes() && !s.full(); s.probes++ {
		if m, ok := s.plan.writer.Probe(s.probes); ok {
			s.probes++
			s.taken++
			return s.plan.about(0, -1, &m, "")
		}
	}
	return nil
}

// gap takes a message that aims at an outcome of a tool which no call has had:
// success first, then a fault.
func (s *search) gap() *task {
	for at, n := range s.outcomes {
		for _, aim := range []struct{ seen, fault bool }{{n.succeeded > 0, false}, {n.faulted > 0, true}} {
			if aim.seen || s.round == 0 || s.full() {
				continue
			}
			for i, c := range s.grid {
				if c[grid.Tool] == s.plan.Tools[at].Name && c.Fault() == aim.fault && s.left(i) {
					s.taken++
					return s.take(i, behaviorTargeted)
				}
			}
		}
	}
	return nil
}

// headOfParent is how many characters of a parent's prompt a row keeps.
const headOfParent = 80

// mutation makes a message of the first that failed in the last round.
func (s *search) mutation() *task {
	if s.failed == nil || s.full() {
		return nil
	}
	parent := s.failed.task
	prompt, ok := mutated(parent.prompt, s.round, func(p string) bool { return s.prompts[p] })
	if !ok {
		return nil
	}
	s.prompts[prompt] = true
	s.taken++
	m := writer.Situation{ID: "fail-" + strconv.Itoa(s.round), Arm: failureMutation, Family: "tool", Prompt: prompt, Faults: parent.faults}
	if parent.cell >= 0 {
		m.Cell = s.grid[parent.cell]
	}
	t := s.plan.about(0, parent.cell, &m, firstRunes(parent.prompt, headOfParent))
	t.tier = parent.tier
	return t
}

// firstRunes returns the first n characters of a text.
func firstRunes(s string, n int) string {
	for i := range s {
		if utf8.RuneCountInString(s[:i]) == n {
			return s[:i]
		}
	}
	return s
}
