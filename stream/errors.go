package stream

import (
	"errors"
	"fmt"
	"strings"
)

// Errors of a graph that cannot run. [Start] and [Run] return them, wrapped
// with the name of the stage, before anything starts.
var (
	// ErrNoEnds: Run was called without an end.
	ErrNoEnds = errors.New("stream: nothing to run: no end was given")
	// ErrNotEnded: a flow leads nowhere, or to an end that is not part of this run.
	ErrNotEnded = errors.New("stream: a flow is not ended")
	// ErrUsedTwice: a flow or an end was used twice; Tee shares a flow.
	ErrUsedTwice = errors.New("stream: a flow is used twice (Tee shares one)")
	// ErrReused: one source, stage or sink, passed by pointer, stands in two places.
	ErrReused = errors.New("stream: one value stands in two places")
	// ErrStarted: the flow ran before; a flow runs once.
	ErrStarted = errors.New("stream: the flow was started before")
	// ErrNoSize: a byte cut was asked for and nothing says how large an item is.
	ErrNoSize = errors.New("stream: a byte cut needs SizeOf")
	// ErrDeadlock: Merge joins two branches of one Tee, of which it would read
	// the second only when the first has ended; MergeReady can.
	ErrDeadlock = errors.New("stream: Merge of two branches of one Tee (use MergeReady)")
)

// Errors of a flow that runs, as the cause of a [StageError] but for the first.
var (
	// ErrStuck: code that ignored its context was left behind; see [StuckError].
	ErrStuck = errors.New("stream: stuck")
	// ErrLostRejects: a Map function gave back fewer rejects than its batch had.
	ErrLostRejects = errors.New("rejects were lost (build the batch with Carry)")
	// ErrSameInput: two merged flows number an input alike, so that neither
	// marks nor positions could be told apart.
	ErrSameInput = errors.New("two merged flows number an input alike")
	// ErrExited: user code ended its goroutine with runtime.Goexit.
	ErrExited = errors.New("user code called runtime.Goexit")
)

// errStopped is why a stage's context is done when whoever reads it wants no more.
var errStopped = errors.New("stream: nobody reads on")

// errGone is what a send returns when the reader of the link has ended.
var errGone = errors.New("stream: the reader has ended")

// StageError is the error that stopped a flow: where it happened, and what.
//
// A function given to [Map] may return one with Item and Err alone to name the
// item of its batch; the package fills in the rest.
type StageError struct {
	Stage string // name of the stage
	Seq   int64  // batch that it worked on, as numbered on its way in; -1 if unknown
	Item  int    // index of the item in the batch; -1 if unknown
	Pos   Pos    // where the item came from, if it is [Positioned]; else zero
	Err   error
}

// Error names the stage, the batch, the item and the cause.
func (e *StageError) Error() string {
	return "stream: " + e.Stage + where(e.Seq, e.Item, e.Pos) + ": " + e.Err.Error()
}

// Unwrap gives the cause.
func (e *StageError) Unwrap() error { return e.Err }

// Sourced is an item that knows the text it was read from; a reject of it that
// has no Raw then carries that text.
type Sourced interface {
	Source() string
}

// Positioned is an item that knows where it came from; errors then name the place.
type Positioned interface {
	Position() Pos
}

// PanicError is a panic of user code, caught and turned into an error.
type PanicError struct {
	Value any    // what it panicked with
	Stack []byte // the stack at that place
}

// Error gives the value, not the stack.
func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v", e.Value) }

// Unwrap gives the value if it was an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// StuckError says what a flow left behind: code that did not return within a
// second of its context being done, for example a call that takes no context,
// or a sink that waits for its input alone. It matches [ErrStuck].
type StuckError struct {
	Left  []StuckCall // what still ran, in flow order
	Cause error       // why the flow was stopped; nil when a sink wanted no more
}

// StuckCall is one goroutine that was left behind.
type StuckCall struct {
	Stage string // name of the stage
	Seq   int64  // batch that it works on; -1 if unknown
	Item  int    // index of the item in the batch; -1 where a call covers a whole batch
	Pos   Pos    // where the item came from, if it is [Positioned]; else zero
}

// Error names what was left behind, at most four of them.
func (e *StuckError) Error() string {
	var sb strings.Builder
	fmt.Fprintf(&sb, "stream: stuck: left %d running a second after the stop:", len(e.Left))
	for i, l := range e.Left {
		if i == 4 {
			fmt.Fprintf(&sb, ", and %d more", len(e.Left)-i)
			break
		}
		if i > 0 {
			sb.WriteString(",")
		}
		sb.WriteString(" " + l.Stage + where(l.Seq, l.Item, l.Pos))
	}
	if e.Cause != nil {
		sb.WriteString("; stopped by: " + e.Cause.Error())
	}
	return sb.String()
}

// Is reports whether target is [ErrStuck].
func (e *StuckError) Is(target error) bool { return target == ErrStuck }

// Unwrap gives the error that stopped the flow.
func (e *StuckError) Unwrap() error { return e.Cause }

// RejectError is a [Reject] as an error. The functions of [MapItems],
// [FlatMap] and [Each] return one to refuse an item without stopping the flow;
// stage and position are filled in where it leaves them out. [Flow.All] yields
// one for each reject.
type RejectError struct{ Reject Reject }

// Error says where, by whom and why.
func (e *RejectError) Error() string {
	return fmt.Sprintf("stream: %s: rejected by %s: %s: %s", e.Reject.Pos, e.Reject.Stage, e.Reject.Code, e.Reject.Detail)
}

// where says batch, item and position as far as they are known.
func where(seq int64, item int, pos Pos) string {
	var sb strings.Builder
	if seq >= 0 {
		fmt.Fprintf(&sb, ": batch %d", seq)
	}
	if item >= 0 {
		fmt.Fprintf(&sb, ", item %d", item)
	}
	if pos != (Pos{}) {
		fmt.Fprintf(&sb, " (%s)", pos)
	}
	return sb.String()
}
