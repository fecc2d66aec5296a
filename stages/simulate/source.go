package simulate

import (
	"context"
	"iter"
	"sync"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/simulate/agent"
	"github.com/rollmill/rollmill/stream"
)

// Source gives the rows of a simulation. It is used for one flow.
type Source struct {
	plan    *plan
	journal *journal
	talks   sync.Pool
	tally   *tally
	clock   context.Context // done when the time budget is used up
}

var _ stream.Composed[rollout.Row] = (*Source)(nil)

// New returns a source. The error, which wraps ErrConfig, says which field is
// wrong, and how. The checkpoint is opened here: an error about it wraps
// ErrCheckpoint.
func New(c Config) (*Source, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	c.resolve()
	p, err := newPlan(c)
	if err != nil {
		return nil, err
	}
	s := &Source{plan: p, tally: newTally(p)}
	s.talks.New = func() any { return newTalk(p) }
	if c.Checkpoint != "" {
		if s.journal, err = openJournal(c.Checkpoint, argumentsOf(p)); err != nil {
			return nil, err
		}
		p.Agent = s.journal.agent(p.Agent)
	}
	return s, nil
}

// Report says what the run did. It is valid when the flow has ended.
func (s *Source) Report() Report { return s.tally.report }

// Run sends the rows to out.
func (s *Source) Run(ctx context.Context, out chan<- stream.Batch[rollout.Row]) error {
	return stream.Feed(ctx, s.Flow(), out)
}

// Flow begins a flow with the rows.
func (s *Source) Flow() stream.Flow[rollout.Row] {
	run := s.waves
	if s.plan.Schedule == Rounds {
		run = s.rounds
	}
	return stream.From(stream.SourceFunc[rollout.Row](func(ctx context.Context, out chan<- stream.Batch[rollout.Row]) error {
		defer s.journal.close()
		s.clock = context.Background()
		if s.plan.TimeBudget > 0 {
			var stop context.CancelFunc
			s.clock, stop = context.WithTimeout(s.clock, s.plan.TimeBudget)
			defer stop()
		}
		err := run(ctx, out)
		s.tally.report.Resumed = s.journal.replayed()
		s.tally.finish()
		if err == nil {
			err = s.tally.failure()
		}
		return err
	}), stream.Name("simulate"))
}

// waves streams. A wave opens as many tasks as the rows that are left are sure
// to pay for, so that no rollout is run that has no room; the rows that its
// groups saved or lost pay for the next one. A task with its rollouts is one
// item, and leaves as soon as those before it have left.
func (s *Source) waves(ctx context.Context, out chan<- stream.Batch[rollout.Row]) error {
	for run := range s.plan.Runs {
		w := newWalk(s.plan)
		for base := s.tally.report.Rows; ; {
			left := s.plan.Budget - int(s.tally.report.Rows-base)
			if left == 0 {
				s.stop(StopBudget)
				break
			}
			tasks, most := left/s.plan.Repeats, s.plan.Repeats
			if tasks == 0 {
				tasks, most = 1, left
			}
			var reason Stop
			jobs := func(yield func(job) bool) {
				for range tasks {
					if s.timeUp() {
						reason = StopTime
						return
					}
					m, stop := w.next()
					if stop != "" {
						reason = stop
						return
					}
					if !yield(job{run: run, at: m, most: most}) {
						return
					}
				}
			}
			if err := stream.Feed(ctx, s.settled(s.groups(jobs), most), out); err != nil {
				return err
			}
			if s.tally.dead() {
				s.stop(s.deadReason())
				return nil
			}
			if reason != "" {
				s.stop(reason)
				if reason == StopTime {
					return nil
				}
				break
			}
		}
	}
	return nil
}

func (s *Source) stop(why Stop) { s.tally.report.Stopped = why }

func (s *Source) deadReason() Stop {
	if s.tally.errors == 0 {
		return StopEmpty
	}
	return StopAgent
}

func (s *Source) timeUp() bool { return s.clock.Err() != nil }

// batchRows is about how many rows a worker makes at a time.
const batchRows = 512

// groups runs jobs: on cores for an agent that computes, many at a time for one
// that waits.
func (s *Source) groups(jobs iter.Seq[job]) stream.Flow[*group] {
	if agent.Waits(s.plan.Agent) {
		flow := stream.FromSeq(jobs, stream.Items(1), stream.Name("tasks"))
		return stream.Through(flow, stream.Each(s.work, stream.InFlight(s.plan.InFlight), stream.Name("rollouts")))
	}
	flow := stream.FromSeq(jobs, stream.Items(max(1, batchRows/s.plan.Repeats)), stream.Name("tasks"))
	return stream.Through(flow, stream.MapItems(s.plan.Workers, s.work, stream.Name("rollouts")))
}

// settled counts groups in the order of their tasks and takes the rows out of
// them. It ends when the agent is dead.
func (s *Source) settled(groups stream.Flow[*group], most int) stream.Flow[rollout.Row] {
	return stream.Through(groups, stream.StageFunc[*group, rollout.Row](
		func(ctx context.Context, in <-chan stream.Batch[*group], out chan<- stream.Batch[rollout.Row]) error {
			for b, err := range stream.Receive(ctx, in) {
				if err != nil {
					return err
				}
				n := 0
				for _, g := range b.Items {
					n += len(g.rows)
				}
				rows := make([]rollout.Row, 0, n)
				for _, g := range b.Items {
					s.tally.add(g, most)
					for i := range g.rows {
						rows = append(rows, g.rows[i].row)
					}
					if s.tally.dead() {
						return stream.Send(ctx, out, stream.Carry(b, rows))
					}
				}
				if err := stream.Send(ctx, out, stream.Carry(b, rows)); err != nil {
					return err
				}
			}
			return nil
		}), stream.Name("settle"))
}
