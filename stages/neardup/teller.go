package neardup

import "sync"

// teller adds up what workers did and tells it to one listener, one call at a time.
type teller struct {
	mu struct {
		sync.Mutex
		done int
	}
	total  int
	listen func(Progress)
}

// Progress is how far a report has come.
type Progress struct {
	Done, Total int // sets of words compared, or bands of hashes
}

func newTeller(listen func(Progress), total int) *teller {
	return &teller{total: total, listen: listen}
}

func (t *teller) add(n int) {
	if t.listen == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.mu.done += n
	t.listen(Progress{t.mu.done, t.total})
}
