package sandbox

// capture keeps the first bytes of an output and calls full once when there
// are more than it may keep.
type capture struct {
	kept []byte
	max  int
	full func()
	over bool
}

// Write takes all it is given, so that the other end sees no fault before it
// is killed.
func (c *capture) Write(p []byte) (int, error) {
	if room := c.max - len(c.kept); room < len(p) {
		c.kept = append(c.kept, p[:room]...)
		if !c.over {
			c.over = true
			c.full()
		}
		return len(p), nil
	}
	c.kept = append(c.kept, p...)
	return len(p), nil
}
