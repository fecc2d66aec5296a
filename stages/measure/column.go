package measure

// column is a list that grows without a copy of what it holds and without much
// room to spare: a chunk at a time, of which the first grows by itself, so that
// a short list stays small.
type column[T any] struct {
	chunks [][]T
	n      int
}

const chunkSize = 1 << 12

// at is the element of a number below n. The pointer is good until the next
// append.
func (c *column[T]) at(i uint32) *T { return &c.chunks[i/chunkSize][i%chunkSize] }

func (c *column[T]) append(v T) {
	last := c.n / chunkSize
	if last == len(c.chunks) {
		var chunk []T
		if last > 0 {
			chunk = make([]T, 0, chunkSize)
		}
		c.chunks = append(c.chunks, chunk)
	}
	c.chunks[last] = append(c.chunks[last], v)
	c.n++
}

// reach appends zero values until there is an element i.
func (c *column[T]) reach(i uint32) *T {
	var zero T
	for c.n <= int(i) {
		c.append(zero)
	}
	return c.at(i)
}
