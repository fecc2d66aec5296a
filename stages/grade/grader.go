package grade

import (
	"context"

	"github.com/rollmill/rollmill/formats/rollout"
)

// Grader gives a verdict on a rollout. Its methods are called by several
// goroutines at once.
type Grader interface {
	// Info says what the grader is. It always says the same.
	Info() Info

	// Grade gives a verdict on one row, which it must neither change nor keep.
	// An error says that there is none: the row is marked with it and the run
	// goes on. A grader that waits ends when its context is done.
	Grade(ctx context.Context, row *rollout.Row) (Result, error)
}

// BatchGrader is a [Grader] that would rather see many rows at once, such as a
// classifier. What it says of a row must not depend on the rows beside it.
type BatchGrader interface {
	Grader

	// GradeBatch gives a verdict on each row: results[i] on rows[i]. With an
	// error there is a verdict on none of them. It must end when its context is
	// done: a batch cannot be given up.
	GradeBatch(ctx context.Context, rows []rollout.Row, results []Result) error
}

// Info says what a grader is.
type Info struct {
	Name    string // judge_name of the rows that it grades
	Version string // verdicts of one version may be compared; "" where there is none
	Kind    Kind
	Model   string // the model that it asks, if it asks one

	Needs rollout.Fields // the fields of a row that it reads

	// Pure says that Grade reads the row and nothing else that changes: no live
	// world, no file that the agent left. Only a pure grader may grade stored
	// rows; see [Regrade]. A judge that asks a model about what stands in the
	// row is pure in this sense, although the model may say something else the
	// next time.
	Pure bool

	// Waits says that Grade waits for something else than a core: a model, a
	// process. Such graders work on many rows at a time; see [InFlight].
	Waits bool

	// Batch is how many rows a [BatchGrader] takes at most, 0 for any number.
	Batch int
}

// Kind is what sort of scorer a grader is: the words of scorer_kind.
type Kind string

const (
	Judge       Kind = "judge" // also where a row says nothing
	Rule        Kind = "rule"
	RewardModel Kind = "reward_model"
	Human       Kind = "human"
)

// Func makes a grader of a function. The info must name it.
func Func(info Info, fn func(ctx context.Context, row *rollout.Row) (Result, error)) Grader {
	if fn == nil || info.Name == "" {
		panic("grade: Func wants a name and a function")
	}
	return &funcGrader{info, fn}
}

// ContractFunc makes a grader of a function that returns whatever the judge
// contract allows: a boolean, a number, or an object with a reward; see
// [Verdict].
func ContractFunc(info Info, scale Scale, fn func(ctx context.Context, row *rollout.Row) (any, error)) Grader {
	if fn == nil {
		panic("grade: ContractFunc wants a function")
	}
	return Func(info, func(ctx context.Context, row *rollout.Row) (Result, error) {
		v, err := fn(ctx, row)
		if err != nil {
			return Result{}, err
		}
		return Verdict(v, scale), nil
	})
}

type funcGrader struct {
	info Info
	fn   func(ctx context.Context, row *rollout.Row) (Result, error)
}

func (f *funcGrader) Info() Info { return f.info }

func (f *funcGrader) Grade(ctx context.Context, row *rollout.Row) (Result, error) {
	return f.fn(ctx, row)
}
