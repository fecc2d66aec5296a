package arrowipc

import "sync"

// spares are things that are not in use, for whoever needs one. Unlike those of a
// sync.Pool they stay until their owner goes, through any number of collections:
// columns that were grown to the size of a record batch are not grown again.
type spares[T any] struct {
	mu   sync.Mutex
	list []T
}

// take returns a spare; ok is false when there is none.
func (s *spares[T]) take() (v T, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.list)
	if n == 0 {
		return v, false
	}
	v, s.list = s.list[n-1], s.list[:n-1]
	return v, true
}

func (s *spares[T]) put(v T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = append(s.list, v)
}

// spareSets are spares of several kinds.
type spareSets[K comparable, T any] struct{ sets sync.Map }

func (s *spareSets[K, T]) of(kind K) *spares[T] {
	set, _ := s.sets.LoadOrStore(kind, &spares[T]{})
	return set.(*spares[T])
}
