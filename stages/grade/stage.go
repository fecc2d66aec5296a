package grade

import (
	"context"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

// Stage runs a grader over a stream. Every row leaves in its place with a status;
// with a reward if that is ok. It writes reward, reason, judge_status,
// judge_name, judge_meta, failure_class, markers and lineage (spec of rows,
// section 2.2), and needs [Fields] of the rows.
//
// A grader that keeps a core busy works on whole batches, as many as [Workers]
// says, and costs no goroutine and no lock a row. One that waits works on
// [InFlight] rows. An error, a panic or a timeout of the grader is a status of
// the row, until there are more than [Budget] of them.
func Stage(g Grader, opts ...Option) stream.Stage[rollout.Row, rollout.Row] {
	s := newStage(g, opts)
	name := stream.Name(s.name)
	batch, ok := g.(BatchGrader)
	switch {
	case ok && s.info.Waits:
		s.batch = batch
		return stream.Map(s.inFlight, s.grade, name)
	case ok:
		s.batch = batch
		return stream.Map(s.workers, s.grade, name)
	case s.timeout > 0:
		return &waiting{s}
	}
	return stream.Map(s.workers, s.grade, name)
}

// Fields are the fields of a row that a stage with this grader needs: what the
// grader reads, and what it adds to.
func Fields(g Grader) rollout.Fields {
	return g.Info().Needs | rollout.FieldID | rollout.FieldTaskID | rollout.FieldMarkers | rollout.FieldExtra
}

// stage is a grader at work. Its methods are safe for concurrent use.
type stage struct {
	settings
	grader Grader
	batch  BatchGrader // nil: it takes rows one by one
	info   Info
	budget *budget
	stamp  *stamp
}

func newStage(g Grader, opts []Option) *stage {
	s := &stage{grader: g, info: g.Info()}
	s.settings = settings{workers: 1, inFlight: stream.DefaultInFlight, failures: DefaultBudget, source: "grade"}
	for _, o := range opts {
		o(&s.settings)
	}
	if s.info.Name == "" {
		panic("grade: Stage of a grader without a name")
	}
	if s.name == "" {
		s.name = "grade " + s.info.Name
	}
	if s.timeout == 0 && s.info.Waits {
		s.timeout = DefaultTimeout
	}
	s.budget = &budget{grader: s.info.Name, most: s.failures}
	s.budget.failed.Store(s.spent)
	s.stamp = newStamp(s.info, &s.settings)
	return s
}

// grade grades the rows of a batch in place.
func (s *stage) grade(ctx context.Context, b stream.Batch[rollout.Row]) (stream.Batch[rollout.Row], error) {
	results := make([]Result, len(b.Items))
	if err := s.verdicts(ctx, b.Items, results); err != nil {
		return b, err
	}
	for i := range results {
		results[i].settle()
		if err := s.budget.spend(b.Items[i].Pos, &results[i]); err != nil {
			return b, &stream.StageError{Item: i, Err: err}
		}
	}
	s.count(b.Seq, results)
	s.stamp.rows(b.Items, results)
	return b, nil
}

// count counts the results of the batch of a number.
func (s *stage) count(seq uint64, results []Result) {
	if s.tally != nil {
		s.tally(seq).add(results)
	}
}

func (s *stage) verdicts(ctx context.Context, rows []rollout.Row, results []Result) error {
	step := len(rows)
	if s.batch == nil {
		return s.rowByRow(ctx, rows, results)
	}
	if s.info.Batch > 0 {
		step = s.info.Batch
	}
	for from := 0; from < len(rows); from += step {
		to := min(from+step, len(rows))
		if err := s.together(ctx, rows[from:to], results[from:to]); err != nil {
			return err
		}
	}
	return nil
}

// rowByRow grades rows one after the other. A panic costs its row alone.
func (s *stage) rowByRow(ctx context.Context, rows []rollout.Row, results []Result) error {
	for next := 0; next < len(rows); {
		if next = s.untilPanic(ctx, rows, results, next); ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	return nil
}

// untilPanic grades rows from one on, until the grader panics or ctx is done,
// and returns the number of the next.
func (s *stage) untilPanic(ctx context.Context, rows []rollout.Row, results []Result, from int) (next int) {
	next = from
	defer func() {
		if v := recover(); v != nil {
			results[next] = panicked(v)
			next++
		}
	}()
	for ; next < len(rows) && ctx.Err() == nil; next++ {
		r, err := s.grader.Grade(ctx, &rows[next])
		if err != nil {
			r = failed(err)
		}
		results[next] = r
	}
	return next
}

// together grades rows at once. An error or a panic costs them all.
func (s *stage) together(ctx context.Context, rows []rollout.Row, results []Result) error {
	limited, cancel := ctx, context.CancelFunc(func() {})
	if s.timeout > 0 {
		limited, cancel = context.WithTimeout(ctx, s.timeout)
	}
	defer cancel()
	err := s.batched(limited, rows, results)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err == nil {
		return nil
	}
	r := failed(err)
	if r.Status == rollout.StatusTimeout && limited.Err() != nil {
		r = timedOut(err, s.timeout)
	}
	for i := range results {
		results[i] = r
	}
	return nil
}

func (s *stage) batched(ctx context.Context, rows []rollout.Row, results []Result) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = panicError(v)
		}
	}()
	return s.batch.GradeBatch(ctx, rows, results)
}
