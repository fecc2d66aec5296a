package grade

import (
	"fmt"
	"sync/atomic"

	"github.com/rollmill/rollmill/formats/rollout"
)

// BudgetError stops a run because a grader failed on too many rows.
type BudgetError struct {
	Grader string
	Budget int64       // how many rows it might fail on
	Pos    rollout.Pos // of the row that was one too many
	Status rollout.Status
	Detail string // what went wrong there
}

// Error says how often it failed, and how the last time.
func (e *BudgetError) Error() string {
	s := fmt.Sprintf("grade: %s failed on %d rows, more than the %d it may; on the last with %s", e.Grader, e.Budget+1, e.Budget, e.Status)
	if e.Detail != "" {
		s += ": " + e.Detail
	}
	return s
}

// budget counts failures of a run. It is safe for concurrent use.
type budget struct {
	grader string
	most   int64 // negative: any number
	failed atomic.Int64
}

// spend notes what the row at a place got; the error says that it was one failure too many.
func (b *budget) spend(at rollout.Pos, r *Result) error {
	if r.Status != rollout.StatusError && r.Status != rollout.StatusTimeout {
		return nil
	}
	if n := b.failed.Add(1); b.most < 0 || n <= b.most {
		return nil
	}
	return &BudgetError{b.grader, b.most, at, r.Status, cut(r.why(), maxWhy)}
}
