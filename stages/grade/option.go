package grade

import (
	"fmt"
	"time"
)

// DefaultTimeout is how long a grader that waits may take for a row unless
// [Timeout] says otherwise.
const DefaultTimeout = 2 * time.Minute

// DefaultBudget is how many rows a grader may fail on unless [Budget] says
// otherwise.
const DefaultBudget = 1000

// Option is a setting of [Stage].
type Option func(*settings)

type settings struct {
	workers  int
	inFlight int
	timeout  time.Duration // 0: that of the kind of grader
	failures int64         // most of them; negative: any number
	runID    string
	source   string
	marker   string
	name     string
	spent    int64                   // of the failures
	tally    func(seq uint64) *Tally // nil: nothing is counted
}

// Workers sets how many batches a grader that does not wait works on at a time,
// n >= 1. The default is 1.
func Workers(n int) Option {
	mustAtLeastOne("Workers", n)
	return func(s *settings) { s.workers = n }
}

// InFlight sets how many rows a grader that waits works on at a time, n >= 1,
// or how many batches if it is a [BatchGrader]. The default is
// [stream.DefaultInFlight].
func InFlight(n int) Option {
	mustAtLeastOne("InFlight", n)
	return func(s *settings) { s.inFlight = n }
}

// Timeout bounds how long a grader may take for a row, or a [BatchGrader] for a
// batch. A row without a verdict by then gets the status timeout, and what the
// grader says later is discarded; see [stream.GiveUp] for one that ignores its
// context. The default is [DefaultTimeout] for graders that wait and none for
// the others; with one those run on a goroutine a row as well.
func Timeout(d time.Duration) Option {
	if d <= 0 {
		panic(fmt.Sprintf("grade: Timeout(%v): want a time above 0", d))
	}
	return func(s *settings) { s.timeout = d }
}

// Budget sets how many rows a grader may fail on, by an error, a panic or a
// timeout; with one more the run stops with a [BudgetError]. Rows that it
// cannot judge do not count. A negative number is no bound; the default is
// [DefaultBudget].
func Budget(failures int64) Option { return func(s *settings) { s.failures = failures } }

// RunID names the grading in the lineage of the rows. The default is made from
// name, version and kind of the grader, so that the same grading of the same
// rows gives the same bytes.
func RunID(id string) Option { return func(s *settings) { s.runID = id } }

// Source says in the lineage of the rows what the grading was for: grade, the
// default, or eval.
func Source(word string) Option { return func(s *settings) { s.source = word } }

// AsMarker writes the reward to a marker of this name and leaves the verdict of
// the row alone. A row without one gets no marker, and is counted.
func AsMarker(name string) Option {
	if name == "" {
		panic("grade: AsMarker without a name")
	}
	return func(s *settings) { s.marker = name }
}

// Name names the stage in errors and in the counts of [stream.Stats], which tell
// how long the grader took: Busy of the stage. The default is "grade" and the
// name of the grader.
func Name(name string) Option { return func(s *settings) { s.name = name } }

// Spent says how many of the failures of [Budget] an earlier part of the run has
// had. The default is none.
func Spent(failures int64) Option { return func(s *settings) { s.spent = failures } }

// Into counts what becomes of the rows.
func Into(t *Tally) Option {
	return IntoEach(func(uint64) *Tally { return t })
}

// IntoEach counts what becomes of the rows of a batch into the tally that pick
// gives for its number, [stream.Batch.Seq], before the batch leaves. pick is called
// by several goroutines; nil counts nothing.
func IntoEach(pick func(seq uint64) *Tally) Option {
	return func(s *settings) { s.tally = pick }
}

func mustAtLeastOne(what string, n int) {
	if n < 1 {
		panic(fmt.Sprintf("grade: %s(%d): want at least 1", what, n))
	}
}
