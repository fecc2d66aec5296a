package hackscan

import (
	"math"
	"slices"
	"strings"
)

// feature is one column with what is measured of it.
type feature struct {
	name    string
	aliases []string // features with the same values in every row
	column
	parents [2]string // of a conjunction; "" otherwise

	mass     float64 // sum of value x mean reward of the task, which a correlation leaves out
	sdWithin float64 // deviation from the mean of the task
	sdPooled float64 // deviation from the mean of all rows
	rho      float64 // correlation with the reward within tasks
	pooled   float64 // correlation with the reward over all rows
}

// scratch is what a worker reuses from feature to feature.
type scratch struct {
	rows         []uint16
	vals         []float64
	sum, squares []float64 // by group, zero between uses
	touched      []uint32
	sums         []float64 // by permutation
	words        []uint64  // of a chunk
	others       []uint64
}

func newScratch(groups int) *scratch {
	return &scratch{sum: make([]float64, groups), squares: make([]float64, groups)}
}

// centring is what features are correlated with.
type centring struct {
	groups  *groups
	rewards *rewards
	n       float64 // graded rows
	spread  float64 // of the rewards about the mean of their task
	mean    float64 // of all rewards
	sd      float64 // of the rewards about it
}

func newCentring(g *groups, r *rewards, spread float64) *centring {
	c := &centring{groups: g, rewards: r, n: float64(r.n), spread: spread}
	squares := 0.0
	for i := range r.n {
		x := r.at(i)
		c.mean += x
		squares += float64(x * x)
	}
	c.mean /= c.n
	c.sd = math.Sqrt(max(0, squares/c.n-float64(c.mean*c.mean)))
	return c
}

// measure correlates a feature (spec of gates, sections 4.2 and 4.4).
func (c *centring) measure(f *feature, s *scratch) {
	var total, squares, paid, centred float64
	f.mass = 0
	for i := range f.chunks {
		s.rows, s.vals = f.chunks[i].entries(s.rows[:0], s.vals[:0])
		for j, row := range s.rows {
			at, x := i*chunkRows+int(row), s.vals[j]
			k := c.groups.of[at]
			total += x
			squares += float64(x * x)
			reward, mean := c.rewards.at(at), c.groups.mean[k]
			paid += float64(x * reward)
			centred += float64(x * (reward - mean))
			f.mass += float64(x * mean)
			if c.groups.size[k] > 1 {
				if s.squares[k] == 0 {
					s.touched = append(s.touched, k)
				}
				s.sum[k] += x
				s.squares[k] += float64(x * x)
			}
		}
	}
	within := 0.0
	for _, k := range s.touched {
		within += s.squares[k] - s.sum[k]*s.sum[k]/float64(c.groups.size[k])
		s.sum[k], s.squares[k] = 0, 0
	}
	s.touched = s.touched[:0]
	f.sdWithin = math.Sqrt(max(0, within) / c.n)
	mean := total / c.n
	f.sdPooled = math.Sqrt(max(0, squares/c.n-float64(mean*mean)))
	f.rho, f.pooled = 0, 0
	if f.sdWithin > 0 && c.spread > 0 {
		f.rho = centred / (c.n * f.sdWithin * c.spread)
	}
	if f.sdPooled > 0 && c.sd > 0 {
		f.pooled = (paid/c.n - float64(mean*c.mean)) / (f.sdPooled * c.sd)
	}
}

// collapse leaves out features of fewer than least rows, and makes a feature
// that equals an earlier one in every row an alias of it.
func collapse(features []*feature, least int) []*feature {
	var kept []*feature
	byHash := map[uint64][]*feature{}
next:
	for _, f := range features {
		if f.n < least {
			continue
		}
		h := f.hash()
		for _, earlier := range byHash[h] {
			if earlier.column.equal(&f.column) {
				earlier.aliases = append(earlier.aliases, f.name)
				continue next
			}
		}
		byHash[h] = append(byHash[h], f)
		kept = append(kept, f)
	}
	return kept
}

// endorsed reports whether the reward is meant to pay for a feature: a pattern
// is part of its name or of an alias, or of a parent's where it is a
// conjunction.
func (f *feature) endorsed(patterns []string, parents map[string]bool) bool {
	matches := func(name string) bool {
		name = strings.ToLower(name)
		return slices.ContainsFunc(patterns, func(p string) bool { return strings.Contains(name, p) })
	}
	return matches(f.name) || slices.ContainsFunc(f.aliases, matches) || parents[f.parents[0]] || parents[f.parents[1]]
}
