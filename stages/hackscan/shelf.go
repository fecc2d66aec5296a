package hackscan

import "sync"

// shelf keeps things for the next who needs one. Unlike a sync.Pool it is not
// emptied when garbage is collected: pages are megabytes, and the same few are
// used over and over.
type shelf[T any] struct {
	mu   sync.Mutex
	free []*T
}

// take gives a thing that was put back, or a new one.
func (s *shelf[T]) take() *T {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.free); n > 0 {
		thing := s.free[n-1]
		s.free = s.free[:n-1]
		return thing
	}
	return new(T)
}

func (s *shelf[T]) put(thing *T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free = append(s.free, thing)
}
