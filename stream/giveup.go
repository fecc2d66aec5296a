package stream

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// GiveUp bounds how long a call of [Each] may take. The context of a call is
// done after that long; a call that has not returned then is given up: what it
// returns later is discarded, and the item becomes what instead makes of it and
// of a [LateError]. instead must not wait.
//
// Code that ignores its context cannot be stopped. A call that was given up
// counts as in flight until it returns, so that there are never more than
// [InFlight] of them; an item that finds no room for its own call within the
// same time is late too. When the stage has no more to do it gives them half a
// second to return; [StageStats] says how many it then left behind.
//
// A call costs a goroutine and a timer, about three microseconds.
func GiveUp[In, Out any](after time.Duration, instead func(item In, late error) (Out, error)) Option {
	mustNot(after <= 0, fmt.Sprintf("GiveUp after %v: want a time above 0", after))
	mustNot(instead == nil, "GiveUp with a nil function")
	return Option{optGiveUp, func(s *settings) { s.giveUp = &giveUp[In, Out]{after, instead} }}
}

type giveUp[In, Out any] struct {
	after   time.Duration
	instead func(item In, late error) (Out, error)
}

// giveUpFor is what the settings hold for an Each of these types.
func giveUpFor[In, Out any](s settings) *giveUp[In, Out] {
	if s.giveUp == nil {
		return nil
	}
	g, ok := s.giveUp.(*giveUp[In, Out])
	mustNot(!ok, fmt.Sprintf("GiveUp of other types: %T in an Each from %T to %T", s.giveUp, *new(In), *new(Out)))
	return g
}

// LateError says that a call of [Each] was given up. It matches
// [context.DeadlineExceeded].
type LateError struct {
	After   time.Duration // how long it was waited for
	Unbegun bool          // earlier calls that were given up still ran and left it no room
}

// Error says what was waited for.
func (e *LateError) Error() string {
	if e.Unbegun {
		return fmt.Sprintf("no room for a call within %v: calls that were given up still run", e.After)
	}
	return fmt.Sprintf("no answer within %v", e.After)
}

// Is reports whether target is [context.DeadlineExceeded].
func (e *LateError) Is(target error) bool { return target == context.DeadlineExceeded }

// overtime makes the calls of one running Each that may be given up, each on a
// goroutine of its own.
type overtime[In, Out any] struct {
	*giveUp[In, Out]
	fn   func(ctx context.Context, item In) (Out, error)
	task *task
	node *node
	room chan struct{} // a place a call that runs, given up or not
}

// reply is what a call returned.
type reply[Out any] struct {
	result Out
	err    error
}

// call makes a call and waits for it, or gives it up.
func (o *overtime[In, Out]) call(item In) (Out, error) {
	ctx, cancel := context.WithTimeout(o.task.ctx, o.after)
	select {
	case o.room <- struct{}{}:
	case <-ctx.Done():
		cancel()
		return o.late(item, true)
	}
	answer := make(chan reply[Out], 1)
	go func() {
		r := reply[Out]{err: ErrExited}
		defer func() {
			answer <- r // before anything else says that the call is over
			cancel()
			<-o.room
		}()
		r.err = guard(func() (err error) {
			r.result, err = o.fn(ctx, item)
			return err
		})
	}()
	select {
	case r := <-answer:
		return o.settled(item, ctx, r)
	case <-ctx.Done():
	}
	if o.task.ctx.Err() != nil { // the flow is stopped, and says who does not stop with it
		<-answer
		return o.late(item, false)
	}
	select {
	case r := <-answer:
		return o.settled(item, ctx, r)
	default:
		return o.late(item, false)
	}
}

// settled is what came of a call that returned: an error for want of time is
// the same as no answer in time, whichever was seen first.
func (o *overtime[In, Out]) settled(item In, ctx context.Context, r reply[Out]) (Out, error) {
	if r.err != nil && errors.Is(r.err, context.DeadlineExceeded) && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return o.late(item, false)
	}
	return r.result, r.err
}

func (o *overtime[In, Out]) late(item In, unbegun bool) (out Out, err error) {
	if o.task.ctx.Err() != nil {
		return out, context.Cause(o.task.ctx)
	}
	o.node.late.Add(1)
	return o.instead(item, &LateError{o.after, unbegun})
}

// settle waits a while for calls that were given up, and counts those that it
// leaves behind.
func (o *overtime[In, Out]) settle() {
	timer := time.NewTimer(grace / 2)
	defer timer.Stop()
	for n := range cap(o.room) {
		select {
		case o.room <- struct{}{}:
		case <-timer.C:
			o.node.leftCalls.Store(int64(cap(o.room) - n))
			return
		}
	}
}
