package order

import (
	"context"
	"sync"
)

// Window bounds how far work on numbered items runs ahead, for one goroutine
// that begins items and many that finish them. The items come in groups; a
// group leaves as a whole, in order, when all its items are finished.
//
//   - An item begins only less than size behind the oldest unfinished one.
//   - A group is taken in only while the groups behind the first one that has
//     not left weigh less than size. So what is held is bounded by the size,
//     the first group and the last, and the window can still slide from one
//     group into the next.
type Window struct {
	size uint64
	wake chan struct{} // something finished or left; one goroutine waits

	mu struct {
		sync.Mutex
		finished []bool // ring: which of [oldest, oldest+size) are finished
		oldest   uint64 // the oldest unfinished item
		groups   []int  // weights of the groups that have not left
		behind   int    // weight of all of them but the first
	}
}

// NewWindow makes a window of size items, size >= 1.
func NewWindow(size int) *Window {
	w := &Window{size: uint64(size), wake: make(chan struct{}, 1)}
	w.mu.finished = make([]bool, size)
	return w
}

// Take waits until a group may be taken in. An empty group weighs 1.
func (w *Window) Take(ctx context.Context, items int) error {
	weight := max(1, items)
	return w.wait(ctx, func() bool {
		if w.mu.behind >= int(w.size) {
			return false
		}
		if len(w.mu.groups) > 0 {
			w.mu.behind += weight
		}
		w.mu.groups = append(w.mu.groups, weight)
		return true
	})
}

// Begin waits until an item may begin. Items are numbered 0, 1, 2, ...
func (w *Window) Begin(ctx context.Context, item uint64) error {
	return w.wait(ctx, func() bool { return item < w.mu.oldest+w.size })
}

// Finish says that an item is finished.
func (w *Window) Finish(item uint64) {
	w.mu.Lock()
	w.mu.finished[item%w.size] = true
	for w.mu.finished[w.mu.oldest%w.size] {
		w.mu.finished[w.mu.oldest%w.size] = false
		w.mu.oldest++
	}
	w.mu.Unlock()
	w.signal()
}

// Leave says that the first group has left.
func (w *Window) Leave() {
	w.mu.Lock()
	w.mu.groups = w.mu.groups[1:]
	if len(w.mu.groups) > 0 {
		w.mu.behind -= w.mu.groups[0]
	}
	w.mu.Unlock()
	w.signal()
}

// wait calls try, with the lock held, until it succeeds.
func (w *Window) wait(ctx context.Context, try func() bool) error {
	for {
		w.mu.Lock()
		ok := try()
		w.mu.Unlock()
		if ok {
			return nil
		}
		select {
		case <-w.wake:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func (w *Window) signal() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}
