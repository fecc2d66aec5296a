package simulate

import (
	"context"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

// rounds runs a fixed number of tasks at a time, waits for all of them, learns
// from them in their order and decides what comes next: which groups get another
// rollout, and which messages are written. A group leaves when nothing more will
// be run of it. What is decided depends on the rows alone, not on who made them.
func (s *Source) rounds(ctx context.Context, out chan<- stream.Batch[rollout.Row]) error {
	know := newSearch(s.plan)
	know.hazard.probe = s.plan.Probe
	var open []*group // that get more rollouts, by what was decided
	for {
		if why := s.roundsEnd(know, open); why != "" {
			s.stop(why)
			return s.leave(ctx, out, open)
		}
		jobs, waiting := s.round(know, open)
		if len(jobs) == 0 {
			s.stop(s.emptyRound(know))
			return s.leave(ctx, out, open)
		}
		before := make([]int, len(jobs))
		for i, j := range jobs {
			before[i] = len(j.group.rows)
		}
		groups, _, err := stream.Collect(ctx, s.groups(func(yield func(job) bool) {
			for _, j := range jobs {
				if !yield(j) {
					return
				}
			}
		}))
		if err != nil {
			return err
		}
		open = waiting
		var done []*group
		for i, g := range groups {
			know.learn(g, before[i])
			if g.owed = s.owes(know, g, before[i]); g.owed > 0 {
				open = append(open, g)
			} else {
				done = append(done, g)
			}
		}
		if err := s.leave(ctx, out, done); err != nil {
			return err
		}
		know.count(s.tally.report.Tools, groups)
	}
}

// roundsEnd returns why no other round begins, "" if one does.
func (s *Source) roundsEnd(know *search, open []*group) Stop {
	held := 0
	for _, g := range open {
		held += len(g.rows)
	}
	switch {
	case s.tally.dead():
		return s.deadReason()
	case int(s.tally.report.Rows)+held >= s.plan.Budget:
		return StopBudget
	case s.timeUp():
		return StopTime
	case s.plan.Until == UntilSaturation && know.saturated():
		return StopSaturation
	}
	return ""
}

func (s *Source) emptyRound(know *search) Stop {
	if know.full() {
		return StopSituations
	}
	return StopWriter
}

// round returns the work of the next round: first what was decided for open
// groups, then fresh tasks, as far as the budget goes. waiting are the open
// groups that it has no room for.
func (s *Source) round(know *search, open []*group) (jobs []job, waiting []*group) {
	left := s.plan.Budget - int(s.tally.report.Rows)
	for _, g := range open {
		left -= len(g.rows)
	}
	for _, g := range open {
		want := min(g.owed, left)
		if want == 0 {
			waiting = append(waiting, g)
			continue
		}
		left -= want
		jobs = append(jobs, job{group: g, most: s.plan.Repeats, want: want})
	}
	first := s.plan.Repeats
	switch s.plan.RepeatPolicy {
	case Successive:
		first = min(s.plan.Probe, first)
	case Verify:
		first = 1
	}
	for _, t := range know.fresh(min(s.plan.PerRound-len(jobs), left/first)) {
		g := &group{task: t, calls: make([]callCount, len(s.plan.Tools))}
		jobs = append(jobs, job{group: g, most: s.plan.Repeats, want: first})
	}
	if len(jobs) == 0 && left > 0 && left < first { // the last group is a small one
		for _, t := range know.fresh(1) {
			jobs = append(jobs, job{group: &group{task: t, calls: make([]callCount, len(s.plan.Tools))}, most: s.plan.Repeats, want: left})
		}
	}
	return jobs, waiting
}

// owes decides how many rollouts a group gets in the next round: one decision
// for each that has landed (spec of simulation, section 14.3 and 14.4).
func (s *Source) owes(know *search, g *group, before int) int {
	left := s.plan.Repeats - g.next
	agree := g.labels()
	if s.plan.RepeatPolicy == Successive {
		switch h := &know.hazard; {
		case before == 0:
			h.probed++
			if agree == mixed {
				h.mixed++
			}
		case !g.differed:
			h.note(before, agree == mixed)
			if agree == mixed {
				h.mixed++
			}
		}
	}
	if agree == mixed {
		know.deserve(g.task.cell)
	}
	g.differed = agree == mixed
	switch {
	case left <= 0:
		return 0
	case s.plan.RepeatPolicy == Verify:
		if len(g.rows) == 0 || g.worthy() || s.plan.Mode == Adaptive && g.task.cell >= 0 && len(know.cells[g.task.cell].signatures) > 1 {
			know.deserve(g.task.cell)
			return 1
		}
		return 0
	case s.plan.RepeatPolicy != Successive:
		return 0
	case agree == mixed:
		return left
	case agree == undecided || know.hazard.goesOn(len(g.rows)):
		return 1
	}
	return 0
}

// leave lets groups out of which nothing more will be run.
func (s *Source) leave(ctx context.Context, out chan<- stream.Batch[rollout.Row], groups []*group) error {
	var rows []rollout.Row
	for _, g := range groups {
		most := s.plan.Repeats
		if g.owed > 0 {
			most = g.next // it was cut by the end of the run
		}
		s.tally.add(g, most)
		for i := range g.rows {
			rows = append(rows, g.rows[i].row)
		}
	}
	if len(rows) == 0 {
		return nil
	}
	return stream.Send(ctx, out, stream.Batch[rollout.Row]{Items: rows})
}
