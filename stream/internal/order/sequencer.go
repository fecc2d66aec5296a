package order

import "sync"

// Sequencer lets values out in the order of their numbers 0, 1, 2, ... whatever
// the order in which they come. It holds what came early; the caller bounds
// how much that is. The zero value is ready to use.
type Sequencer[T any] struct {
	mu struct {
		sync.Mutex
		next  uint64
		busy  bool // somebody emits
		early map[uint64]T
	}
}

// Put hands in the value of a number. If its turn has come and nobody else is
// emitting, Put emits it and all that follow it without a gap, one after the
// other; else it returns at once and whoever emits will take it along. After
// an error of emit, which Put returns, nothing is emitted any more.
func (s *Sequencer[T]) Put(seq uint64, v T, emit func(T) error) error {
	s.mu.Lock()
	if s.mu.busy || seq != s.mu.next {
		if s.mu.early == nil {
			s.mu.early = map[uint64]T{}
		}
		s.mu.early[seq] = v
		s.mu.Unlock()
		return nil
	}
	s.mu.busy = true
	for {
		s.mu.Unlock()
		if err := emit(v); err != nil {
			return err
		}
		s.mu.Lock()
		s.mu.next++
		var ok bool
		if v, ok = s.mu.early[s.mu.next]; !ok {
			s.mu.busy = false
			s.mu.Unlock()
			return nil
		}
		delete(s.mu.early, s.mu.next)
	}
}
