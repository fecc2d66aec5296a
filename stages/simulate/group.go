package simulate

import (
	"context"
	"slices"
)

// group is the rollouts of one task.
type group struct {
	task *task
	next int // index of the next rollout
	rows []landed

	// Of rounds:
	owed     int  // rollouts that were decided on
	differed bool // its labels did when it was last looked at

	lost     map[Lost]int
	rerolled map[Lost]int
	tries    int // rollouts that were run again
	errors   int // of the agent
	empty    int
	cause    string // what the agent said of its first error
	calls    []callCount
	unknown  int // calls of tools that there are not
	faulted  int // rows that a fault has met
	turns    int // answers of the agent
}

// job is work on one task.
type job struct {
	run   int
	at    message
	most  int    // rollouts
	group *group // in rounds: the one to go on with, in the place of run and message
	want  int    // in rounds: rollouts to run now
}

// work does a job with a talk of its own.
func (s *Source) work(ctx context.Context, j job) (*group, error) {
	t := s.talks.Get().(*talk)
	defer s.talks.Put(t)
	g := j.group
	if g == nil {
		g = &group{task: s.plan.task(j.run, j.at), calls: make([]callCount, len(s.plan.Tools))}
	}
	g.rows = slices.Grow(g.rows, s.sure(&j))
	for begun := g.next; s.wants(g, &j, g.next-begun); {
		if err := s.roll(ctx, t, g); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// sure returns how many rollouts of a job will run whatever comes of them.
func (s *Source) sure(j *job) int {
	switch {
	case j.want > 0:
		return j.want
	case s.plan.RepeatPolicy == Verify:
		return 1
	case s.plan.RepeatPolicy == Successive:
		return min(s.plan.Probe, j.most)
	}
	return j.most
}

// wants decides whether a group gets one more rollout, of which it got some in
// this job.
func (s *Source) wants(g *group, j *job, got int) bool {
	switch {
	case g.next >= j.most:
		return false
	case j.want > 0:
		return got < j.want
	}
	switch s.plan.RepeatPolicy {
	case Verify:
		return g.next == 0 || len(g.rows) == 0 || g.worthy()
	case Successive:
		return g.next < s.plan.Probe || g.labels() != unanimous
	}
	return true
}

// worthy reports whether the last row shows something that another rollout
// should confirm: a fault, a failure of a call, or a reward of 0 (spec of
// simulation, section 14.4).
func (g *group) worthy() bool {
	return len(g.task.plan) > 0 || g.rows[len(g.rows)-1].failing
}

// agreement is what the labels of a group say.
type agreement uint8

const (
	undecided agreement = iota // fewer than two rows carry one
	unanimous                  // all are the same
	mixed
)

func (g *group) labels() agreement {
	first, n := "", 0
	for i := range g.rows {
		switch label := g.rows[i].label; {
		case label == "":
		case first == "":
			first, n = label, 1
		case label != first:
			return mixed
		default:
			n++
		}
	}
	if n < 2 {
		return undecided
	}
	return unanimous
}

// roll runs the next rollout of a group: again when nothing can be made of it,
// as long as the group was not run again as often as it has rollouts.
func (s *Source) roll(ctx context.Context, t *talk, g *group) error {
	for attempt := 0; ; attempt++ {
		t.begin(g.task, g.next, attempt)
		lost, cause, err := t.run(ctx)
		if err != nil {
			return err
		}
		g.turns += t.spoke
		if lost == "" {
			break
		}
		switch lost {
		case LostError, LostTimeout:
			g.errors++
		case LostEmpty:
			g.empty++
		}
		if g.cause == "" && cause != nil {
			g.cause = cause.Error()
		}
		if g.tries >= s.plan.Repeats {
			count(&g.lost, lost)
			g.next++
			return nil
		}
		g.tries++
		count(&g.rerolled, lost)
	}
	g.rows = append(g.rows, landed{})
	if err := t.land(ctx, &g.rows[len(g.rows)-1]); err != nil {
		return err
	}
	for i, n := range t.counts {
		g.calls[i].calls += n.calls
		g.calls[i].succeeded += n.succeeded
		g.calls[i].faulted += n.faulted
	}
	g.unknown += len(t.unknown)
	if t.world.Faults() > 0 {
		g.faulted++
	}
	g.next++
	return nil
}

func count[K comparable](m *map[K]int, key K) {
	if *m == nil {
		*m = map[K]int{}
	}
	(*m)[key]++
}
