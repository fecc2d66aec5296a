package selection

// column is a list that grows by chunks, so that growing copies nothing and
// leaves no spare room of its own size behind.
type column[T any] struct {
	chunks [][]T
	n      int
}

const (
	chunkBits = 12
	chunkLen  = 1 << chunkBits
	firstLen  = 64 // of the first chunk, which doubles
)

func (c *column[T]) append(v T) {
	last := c.n >> chunkBits
	switch {
	case last == len(c.chunks) && last > 0:
		c.chunks = append(c.chunks, make([]T, 0, chunkLen))
	case last == len(c.chunks):
		c.chunks = append(c.chunks, make([]T, 0, firstLen))
	case len(c.chunks[last]) == cap(c.chunks[last]):
		c.chunks[last] = append(make([]T, 0, 2*c.n), c.chunks[last]...)
	}
	c.chunks[last] = append(c.chunks[last], v)
	c.n++
}

func (c *column[T]) at(i int) *T { return &c.chunks[i>>chunkBits][i&(chunkLen-1)] }
