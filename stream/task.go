package stream

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"
)

// task is what runs as one: a node, or several that were fused.
type task struct {
	run     *Running
	nodes   []*node // in flow order
	in, out []wire
	work    func(*task) error
	settle  func() // what is left to do when all its goroutines have ended; may be nil
	chain   *chain // what work is, if it is one

	ctx  context.Context
	stop func() // tells the task that nobody reads on
	wg   sync.WaitGroup

	// guarded by run.mu
	unwanted bool // it was told to end
	ended    bool
	whole    bool // it ended by itself, with all that it had to give

	mu struct {
		sync.Mutex
		places []*place
	}
	hand        *place       // where a hand-written stage stands; nil for others
	began, over atomic.Int64 // ns since the run began; over is 0 while it runs
}

// prepare makes a task ready to run.
func (t *task) prepare(r *Running) {
	t.run = r
	ctx, cancel := context.WithCancelCause(r.ctx)
	t.stop = func() { cancel(errStopped) }
	t.ctx = context.WithValue(ctx, taskKey{}, t)
	for _, n := range t.nodes {
		n.started, n.task = true, t
	}
	if t.nodes[0].handmade {
		t.hand = t.place()
	}
	for _, w := range t.out {
		w.open()
	}
}

// main runs a task from beginning to end.
func (t *task) main() {
	err := ErrExited
	defer func() {
		t.fail(err)
		t.wg.Wait()
		if t.settle != nil {
			t.settle()
		}
		whole := t.ctx.Err() == nil
		if whole {
			for _, w := range t.out {
				w.close()
			}
		}
		t.over.Store(int64(time.Since(t.run.start)))
		t.run.taskEnded(t, whole)
		t.stop()
	}()
	t.began.Store(int64(time.Since(t.run.start)))
	t.nodes[0].profile()
	err = guard(func() error { return t.work(t) })
}

// spawn runs fn beside the work of the task, which waits for it.
func (t *task) spawn(fn func() error) {
	t.wg.Add(1)
	go func() {
		defer t.wg.Done()
		err := ErrExited
		defer func() { t.fail(err) }()
		err = guard(fn)
	}()
}

// fail stops the flow because of err, unless err is nil or only says that the
// task was stopped.
func (t *task) fail(err error) {
	if err == nil || t.interrupted(err) {
		return
	}
	t.run.fail(t.locate(err))
}

// interrupted reports whether err comes from the task's context being done.
func (t *task) interrupted(err error) bool {
	return t.ctx.Err() != nil && (errors.Is(err, t.ctx.Err()) || errors.Is(err, context.Cause(t.ctx)) || err == errGone)
}

// abandoned reports whether all readers have ended. Call it with run.mu held.
func (t *task) abandoned() bool {
	for _, w := range t.out {
		if !w.base().to.task.ended {
			return false
		}
	}
	return true
}
