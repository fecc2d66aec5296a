package measure

import (
	"iter"

	"github.com/rollmill/rollmill/stats"
)

// clusters are items by task, for figures that package stats does not resample
// itself. Items that name no task are each a cluster of their own.
type clusters[T any] struct {
	all    [][]T
	byTask map[string]int
}

func (c *clusters[T]) add(task string, item T) {
	if c.byTask == nil {
		c.byTask = map[string]int{}
	}
	at, ok := c.byTask[task]
	if !ok || task == "" {
		at = len(c.all)
		c.byTask[task] = at
		c.all = append(c.all, nil)
	}
	c.all[at] = append(c.all[at], item)
}

// resample yields resamples of the clusters, with replacement: as many as the
// options say, and none under [stats.MinCITasks] clusters. A resample is good
// until the next.
func (c *clusters[T]) resample(o stats.BootstrapOptions) iter.Seq[[][]T] {
	return func(yield func([][]T) bool) {
		n := len(c.all)
		if n < stats.MinCITasks {
			return
		}
		rng := stats.NewMersenneTwister(o.Seed)
		sample := make([][]T, n)
		for range o.Draws {
			for i := range sample {
				sample[i] = c.all[rng.Below(n)]
			}
			if !yield(sample) {
				return
			}
		}
	}
}
