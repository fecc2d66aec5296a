package stream

// cutter cuts items into batches by count and by bytes.
type cutter[T any] struct {
	items, bytes int     // most of a batch; 0 bytes: no byte cut
	size         Size[T] // nil only without a byte cut
	send         func(Batch[T]) error

	open   Batch[T] // being filled; Mark is that of the last batch added as a whole
	held   int      // bytes of its items
	marked bool     // its mark has not left yet
	room   int      // capacity that a batch is likely to need
}

func newCutter[T any](set settings, size Size[T], send func(Batch[T]) error) *cutter[T] {
	c := &cutter[T]{items: set.items, bytes: set.bytes, size: size, send: send}
	if size == nil {
		c.bytes = 0
	}
	c.room = min(c.items, DefaultItems)
	return c
}

// push adds one item, after sending the batch if the item does not fit. A
// batch that the item fills stays open until the next call.
func (c *cutter[T]) push(item *T) error {
	size := 0
	if c.bytes > 0 {
		size = c.size(item)
	}
	if n := len(c.open.Items); n >= c.items || n > 0 && c.bytes > 0 && c.held+size > c.bytes {
		if err := c.cut(); err != nil {
			return err
		}
	}
	if c.open.Items == nil {
		c.open.Items = make([]T, 0, c.room)
	}
	c.open.Items = append(c.open.Items, *item)
	c.held += size
	return nil
}

// add takes over a batch, and sends what is full with it.
func (c *cutter[T]) add(b Batch[T]) error {
	c.open.Rejects = append(c.open.Rejects, b.Rejects...)
	if len(c.open.Items) == 0 && len(b.Items) == c.items && c.bytes == 0 {
		c.open.Items = b.Items // it fits as it is
	} else {
		for i := range b.Items {
			if err := c.push(&b.Items[i]); err != nil {
				return err
			}
		}
	}
	c.open.Mark, c.marked = b.Mark, b.Mark != nil
	return c.cutFull()
}

// cutFull sends the open batch if it is full.
func (c *cutter[T]) cutFull() error {
	if len(c.open.Items) >= c.items || len(c.open.Rejects) >= c.items || c.bytes > 0 && c.held >= c.bytes {
		return c.cut()
	}
	return nil
}

// flush sends what is left at the end of the stream.
func (c *cutter[T]) flush() error {
	if len(c.open.Items) > 0 || len(c.open.Rejects) > 0 || c.marked {
		return c.cut()
	}
	return nil
}

// cut sends the open batch as it is.
func (c *cutter[T]) cut() error {
	b := c.open
	b.Bytes = int64(c.held)
	c.open = Batch[T]{Seq: b.Seq + 1, Mark: b.Mark}
	c.held, c.marked, c.room = 0, false, max(1, len(b.Items))
	return c.send(b)
}
