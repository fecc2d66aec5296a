package arrowipc

// arena is the memory of one frame: what was read of it, and what that is
// decompressed to. It goes round from frame to frame, since memory that is new is
// cleared first, and in no cache. One goroutine at a time uses an arena; nil is none,
// and what it gives is new.
type arena struct {
	room []byte
	used int // of it
	want int // that was asked for
}

// get returns n bytes, whatever they are.
func (a *arena) get(n int) []byte {
	if a == nil {
		return make([]byte, n)
	}
	size := (n + 63) &^ 63
	a.want += size
	if size > len(a.room)-a.used {
		return make([]byte, n)
	}
	b := a.room[a.used:][:n:n]
	a.used += size
	return b
}

// reset takes back all that was given, and makes room for as much.
func (a *arena) reset() {
	if a.want > len(a.room) && a.want <= maxPooled {
		a.room = make([]byte, min(a.want+a.want/4, maxPooled))
	}
	a.used, a.want = 0, 0
}
