package grid

// Coverage counts the pairs of values that cells hold.
type Coverage struct {
	pairs map[[2]string]bool
}

// Add counts the pairs of a cell.
func (c *Coverage) Add(cell Cell) {
	if c.pairs == nil {
		c.pairs = map[[2]string]bool{}
	}
	for _, a := range All() {
		for _, b := range All()[a+1:] {
			c.pairs[[2]string{a.String() + "\x00" + cell[a], b.String() + "\x00" + cell[b]}] = true
		}
	}
}

// Pairs returns how many different pairs were added.
func (c *Coverage) Pairs() int { return len(c.pairs) }

// Planned returns how many different pairs of values cells hold.
func Planned(cells []Cell) int {
	var c Coverage
	for _, cell := range cells {
		c.Add(cell)
	}
	return c.Pairs()
}
