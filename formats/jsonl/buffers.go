package jsonl

import "sync"

// buffers are the byte slices of a writer that go round: a fresh megabyte costs
// as much to clear and to collect as it does to fill.
type buffers struct{ pool sync.Pool }

// get returns an empty slice with room for n bytes.
func (b *buffers) get(n int) []byte {
	if p, ok := b.pool.Get().(*[]byte); ok && cap(*p) >= n {
		return (*p)[:0]
	}
	return make([]byte, 0, n)
}

// maxPooled keeps what a single huge row needed from being held on to.
const maxPooled = 8 << 20

// put takes back a slice that nobody reads any more.
func (b *buffers) put(s []byte) {
	if cap(s) > 0 && cap(s) <= maxPooled {
		b.pool.Put(&s)
	}
}
