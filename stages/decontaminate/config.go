package decontaminate

import (
	"fmt"
	"slices"
)

// DefaultN is the length of the n-grams of the reference implementation.
const DefaultN = 8

// MaxN is the longest n-gram that an index takes.
const MaxN = 64

// Config says what an [Index] is made of. It is stored with the index, and only
// indexes of one configuration merge.
type Config struct {
	N     []int    `json:"n"`     // lengths of the n-grams in words, 1 to MaxN; default: DefaultN
	Words WordRule `json:"words"` // what a word is; default: ASCII
}

// settle fills in what was left out and puts the lengths in order.
func (c Config) settle() (Config, error) {
	c.N = slices.Clone(c.N)
	if len(c.N) == 0 {
		c.N = []int{DefaultN}
	}
	slices.Sort(c.N)
	c.N = slices.Compact(c.N)
	for _, n := range c.N {
		if n < 1 || n > MaxN {
			return c, fmt.Errorf("decontaminate: an n-gram of %d words; want 1 to %d", n, MaxN)
		}
	}
	if c.Words > Unicode {
		return c, fmt.Errorf("decontaminate: word rule %d; want ASCII or Unicode", c.Words)
	}
	return c, nil
}

// shortest is the length of the shortest n-grams.
func (c Config) shortest() int { return c.N[0] }

func (c Config) equal(o Config) bool { return slices.Equal(c.N, o.N) && c.Words == o.Words }
