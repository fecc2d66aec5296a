package hackscan

import "math"

// groups are the tasks of the graded rows, numbered by first appearance.
type groups struct {
	of     []uint32  // the group of a row
	size   []uint32  // rows of a group
	mean   []float64 // mean reward of a group
	multi  []uint32  // groups of two or more rows, in order
	start  []uint32  // where the rows of a multi group begin in member; one more at the end
	member []uint32  // rows of multi groups, in order
}

// newGroups sorts rows into n groups.
func newGroups(of []uint32, n int, rewards *rewards) *groups {
	g := &groups{of: of, size: make([]uint32, n), mean: make([]float64, n)}
	for i, k := range of {
		g.size[k]++
		g.mean[k] += rewards.at(i)
	}
	place := make([]uint32, n)
	total := uint32(0)
	for k, size := range g.size {
		g.mean[k] /= float64(size)
		if size > 1 {
			g.multi = append(g.multi, uint32(k))
			g.start = append(g.start, total)
			place[k] = total
			total += size
		}
	}
	g.start = append(g.start, total)
	g.member = make([]uint32, total)
	for i, k := range of {
		if g.size[k] > 1 {
			g.member[place[k]] = uint32(i)
			place[k]++
		}
	}
	return g
}

// members are the rows of the i-th multi group.
func (g *groups) members(i int) []uint32 { return g.member[g.start[i]:g.start[i+1]] }

// Support says how the rewards of the tasks lie.
type Support struct {
	Sat      float64 `json:"sat"`      // share of tasks whose rewards are all alike and at least 1
	Dead     float64 `json:"dead"`     // all alike and at most 0
	Mixed    float64 `json:"mixed"`    // not all alike
	Capacity float64 `json:"capacity"` // mean variance within a task over the largest one of 0/1 rewards, 1/4
}

// support also says how many rows have a gradient: those of tasks whose rewards
// differ, and how far centred rewards scatter.
func (g *groups) support(r *rewards) (s Support, effective int, spread float64) {
	n := len(g.size)
	low, high := make([]float64, n), make([]float64, n)
	squares := make([]float64, n)
	for k := range n {
		low[k], high[k] = math.Inf(1), math.Inf(-1)
	}
	total := 0.0
	for i, k := range g.of {
		x := r.at(i)
		low[k], high[k] = min(low[k], x), max(high[k], x)
		c := x - g.mean[k]
		squares[k] += float64(c * c)
		total += float64(c * c)
	}
	for k := range n {
		switch {
		case low[k] != high[k]:
			s.Mixed++
			effective += int(g.size[k])
		case low[k] >= 1:
			s.Sat++
		case low[k] <= 0:
			s.Dead++
		}
		s.Capacity += squares[k] / float64(g.size[k])
	}
	count := float64(n)
	s.Sat, s.Dead, s.Mixed = s.Sat/count, s.Dead/count, s.Mixed/count
	s.Capacity /= maxBinaryVariance * count
	return s, effective, math.Sqrt(total / float64(len(g.of)))
}

// maxBinaryVariance is the largest variance of 0/1 rewards.
const maxBinaryVariance = 0.25
