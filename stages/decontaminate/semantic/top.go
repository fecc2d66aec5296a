package semantic

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"
)

// top keeps the k largest of many values. It is safe for concurrent use, and
// what it keeps does not depend on the order in which values come.
type top struct {
	k     int
	least atomic.Uint64 // bits of a value that the k largest do not lie below
	mu    struct {
		sync.Mutex
		values []float64 // at most 2k between two calls, the k largest among them
	}
}

func newTop(k int) *top {
	t := &top{k: k}
	t.least.Store(math.Float64bits(math.Inf(-1)))
	return t
}

// floor is a value below which nothing needs to be added any more.
func (t *top) floor() float64 { return math.Float64frombits(t.least.Load()) }

func (t *top) add(values []float64) {
	if len(values) == 0 {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.mu.values = append(t.mu.values, values...)
	if len(t.mu.values) >= 2*t.k {
		t.cutLocked()
	}
}

// cutLocked drops all but the k largest. A value equal to the floor may be
// dropped or kept: the k-th largest is the same.
func (t *top) cutLocked() {
	if len(t.mu.values) <= t.k {
		return
	}
	slices.SortFunc(t.mu.values, func(a, b float64) int {
		switch {
		case a > b:
			return -1
		case a < b:
			return 1
		}
		return 0
	})
	t.mu.values = t.mu.values[:t.k]
	t.least.Store(math.Float64bits(t.mu.values[t.k-1]))
}

// smallest is the k-th largest value, of at least k that were added.
func (t *top) smallest() float64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.cutLocked()
	return slices.Min(t.mu.values)
}
