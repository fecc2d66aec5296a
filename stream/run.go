package stream

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// grace is how long code may go on after its context is done.
const grace = time.Second

// Running is a flow that runs. Its methods are safe for concurrent use.
type Running struct {
	parent context.Context
	ctx    context.Context
	cancel context.CancelCauseFunc
	nodes  []*node
	tasks  []*task
	start  time.Time
	done   chan struct{}

	mu struct {
		sync.Mutex
		unwatch func() bool // stops watching parent
		err     error       // the first failure
		running int         // tasks that have not ended
		wanted  int         // tasks that have not ended and were not told to
		stuck   *time.Timer // runs when only tasks remain that were told to end
		ended   time.Time   // zero while it runs
	}
}

// Run runs flows to their ends and returns what was counted. The error is the
// first failure ([StageError]), what is wrong with the graph, the cause of the
// caller's cancellation, or [ErrStuck]; every goroutine has ended by then, but
// for the calls that a [StuckError] names.
func Run(ctx context.Context, ends ...End) (*Stats, error) {
	r, err := Start(ctx, ends...)
	if err != nil {
		return &Stats{}, err
	}
	return r.Wait()
}

// Start starts flows and returns at once. The error says what is wrong with
// the graph; nothing has started then.
func Start(ctx context.Context, ends ...End) (*Running, error) {
	for _, e := range ends {
		mustNot(e.node == nil, "Run of an End that nothing made")
	}
	nodes := gather(ends)
	if err := check(ends, nodes); err != nil {
		return nil, err
	}
	label(nodes)
	r := &Running{parent: ctx, nodes: nodes, start: time.Now(), done: make(chan struct{})}
	r.ctx, r.cancel = context.WithCancelCause(ctx)
	profiled(ctx, nodes)
	r.tasks = fuse(nodes)
	r.mu.running, r.mu.wanted = len(r.tasks), len(r.tasks)
	for _, t := range r.tasks {
		t.prepare(r)
	}
	r.mu.Lock()
	r.mu.unwatch = context.AfterFunc(ctx, func() { r.fail(cancelled(ctx)) })
	r.mu.Unlock()
	for _, t := range r.tasks {
		go t.main()
	}
	return r, nil
}

// Wait waits for the flow to end.
func (r *Running) Wait() (*Stats, error) {
	<-r.done
	r.mu.Lock()
	err := r.mu.err
	r.mu.Unlock()
	return r.Snapshot(), err
}

// Done is closed when the flow has ended.
func (r *Running) Done() <-chan struct{} { return r.done }

// fail stops the flow because of err; only the first failure counts.
func (r *Running) fail(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.over() {
		return
	}
	if r.mu.err == nil {
		if r.parent.Err() != nil {
			err = cancelled(r.parent)
		}
		r.mu.err = err
		r.cancel(err)
	}
	for _, t := range r.tasks {
		r.unwantLocked(t)
	}
	r.checkLocked()
}

// taskEnded notes that a task has ended, and stops whoever feeds only ended
// readers.
func (r *Running) taskEnded(t *task, whole bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.unwantLocked(t)
	t.ended, t.whole = true, whole
	r.mu.running--
	for _, w := range t.in {
		if from := w.base().from.task; !from.ended && from.abandoned() {
			r.unwantLocked(from)
			from.stop()
		}
		close(w.base().gone) // after the stop: who sees it knows why
	}
	r.checkLocked()
}

// quit ends a task as if its reader wanted no more.
func (r *Running) quit(t *task) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !t.ended && !r.over() {
		r.unwantLocked(t)
		t.stop()
		r.checkLocked()
	}
}

// unwantLocked notes that a task is to end.
func (r *Running) unwantLocked(t *task) {
	if !t.unwanted {
		t.unwanted = true
		r.mu.wanted--
	}
}

// checkLocked ends the run when all tasks have ended, and starts the clock
// when those that remain were all told to.
func (r *Running) checkLocked() {
	switch {
	case r.over():
	case r.mu.running == 0:
		if r.mu.err == nil && r.parent.Err() != nil {
			r.mu.err = cancelled(r.parent)
		}
		for _, t := range r.tasks {
			for _, w := range t.in {
				w.sweep()
			}
		}
		for _, n := range r.nodes {
			n.settle()
		}
		r.finishLocked()
	case r.mu.wanted == 0 && r.mu.stuck == nil:
		r.mu.stuck = time.AfterFunc(grace, r.giveUp)
	}
}

// giveUp ends the run although code still runs.
func (r *Running) giveUp() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.over() {
		return
	}
	stuck := &StuckError{Cause: r.mu.err}
	for _, t := range r.tasks {
		if !t.ended {
			stuck.Left = append(stuck.Left, t.left()...)
		}
	}
	r.mu.err = stuck
	r.finishLocked()
}

func (r *Running) finishLocked() {
	if r.mu.stuck != nil {
		r.mu.stuck.Stop()
	}
	r.mu.ended = time.Now()
	close(r.done)
	r.mu.unwatch()
	r.cancel(nil)
}

func (r *Running) over() bool { return !r.mu.ended.IsZero() }

// cancelled is the error of a flow whose caller cancelled it.
func cancelled(ctx context.Context) error {
	err, cause := ctx.Err(), context.Cause(ctx)
	if err == cause {
		return fmt.Errorf("stream: %w", err)
	}
	return fmt.Errorf("stream: %w: %w", err, cause)
}
