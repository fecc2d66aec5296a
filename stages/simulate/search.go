package simulate

import (
	"math"

	"github.com/rollmill/rollmill/stages/simulate/grid"
	"github.com/rollmill/rollmill/stages/simulate/writer"
)

// Arms that only rounds have, since they answer to what came before.
const (
	failureMutation  writer.Arm = "failure_mutation"  // a message that failed, told otherwise
	behaviorTargeted writer.Arm = "behavior_targeted" // one for an outcome that was not seen yet
)

// search is what rounds have learned. It is the work of one goroutine, and a
// pure function of the groups that it was shown, in their order.
type search struct {
	plan  *plan
	cells []region
	used  []int // messages of each cell that were taken
	ids   []string
	grid  []grid.Cell
	round int

	signatures map[string]bool
	axes       [3]map[string]int // rows by value, of the axes that starve
	outcomes   []callCount       // by tool
	open       float64           // share of messages without a cell
	probes     int
	taken      int

	prompts map[string]bool // that were made of others
	failed  *group          // the first of the last round that shows a failure
	expand  []int           // cells that deserve another wording

	hazard hazard
}

// region is what is known of a cell.
type region struct {
	rows, failing int
	novelty       float64
	measured      bool
	signatures    map[string]bool
}

// starving are the axes whose values are looked after (spec of simulation,
// section 7.5).
var starving = [3]grid.Axis{grid.Condition, grid.History, grid.World}

func newSearch(p *plan) *search {
	s := &search{
		plan: p, cells: make([]region, len(p.cells)), used: make([]int, len(p.cells)), signatures: map[string]bool{},
		outcomes: make([]callCount, len(p.Tools)), open: p.OpenEnded.V, prompts: map[string]bool{},
	}
	for i, c := range p.cells {
		s.ids, s.grid = append(s.ids, c.id), append(s.grid, c.Cell)
		s.cells[i].signatures = map[string]bool{}
	}
	for i := range s.axes {
		s.axes[i] = map[string]int{}
	}
	return s
}

// Conventions of the reference implementation (spec of simulation, section 7.5).
const (
	noveltySmoothing = 0.5
	gapRows          = 3 // of a cell before its behaviour says something
	gapStuck         = 1.0
	gapRich          = 0.2
	gapUnknown       = 0.5
	gapWeight        = 0.7
	starvedRows      = 12 // of an axis before its values can starve
	neverSeen        = 2.5
	underHalf        = 1.5
)

// weights returns how much each cell is worth a look now.
func (s *search) weights() []float64 {
	out := make([]float64, len(s.cells))
	for i := range s.cells {
		c := &s.cells[i]
		v := grid.Unmeasured
		if v.Count = c.rows; c.measured {
			v.Novelty = c.novelty
		}
		gap := gapUnknown
		switch {
		case c.rows >= gapRows && len(c.signatures) <= 1:
			gap = gapStuck
		case len(c.signatures) >= gapRows:
			gap = gapRich
		}
		v.Behavior = min(1, gapWeight*gap+(1-gapWeight)*float64(c.failing)/float64(c.rows+1))
		out[i] = grid.Weight(s.grid[i], v, s.plan.Mode == RL) * s.boost(s.grid[i])
	}
	return out
}

// boost raises the weight of a cell whose values were seen less than is fair.
func (s *search) boost(c grid.Cell) float64 {
	b := 1.0
	for i, axis := range starving {
		rows := 0
		for _, n := range s.axes[i] {
			rows += n
		}
		values := map[string]bool{}
		for _, g := range s.grid {
			values[g[axis]] = true
		}
		switch n := s.axes[i][c[axis]]; {
		case rows < starvedRows:
		case n == 0:
			b *= neverSeen
		case float64(n) < float64(rows)/float64(2*len(values)):
			b *= underHalf
		}
	}
	return b
}

// learn takes the rows of a group in that came in this round.
func (s *search) learn(g *group, from int) {
	fresh := 0
	for i := from; i < len(g.rows); i++ {
		l := &g.rows[i]
		if !s.signatures[l.signature] {
			s.signatures[l.signature] = true
			fresh++
		}
	}
	rows := len(g.rows) - from
	if s.failed == nil && rows > 0 && g.worthy() {
		s.failed = g
	}
	if g.task.cell < 0 || rows == 0 {
		return
	}
	c := &s.cells[g.task.cell]
	for i := from; i < len(g.rows); i++ {
		c.signatures[g.rows[i].signature] = true
		if g.rows[i].failing {
			c.failing++
		}
	}
	c.rows += rows
	novelty := float64(fresh) / float64(rows)
	if c.measured {
		novelty = noveltySmoothing*novelty + (1-noveltySmoothing)*c.novelty
	}
	c.novelty, c.measured = novelty, true
	for i, axis := range starving {
		s.axes[i][s.grid[g.task.cell][axis]] += rows
	}
}

// count takes in how the calls of tools have come out: of groups that have left,
// and of those that have not.
func (s *search) count(left []ToolReport, groups []*group) {
	for i, r := range left {
		s.outcomes[i] = callCount{int(r.Calls), int(r.Succeeded), int(r.Faulted)}
		for _, g := range groups {
			if g.owed > 0 {
				s.outcomes[i].calls += g.calls[i].calls
				s.outcomes[i].succeeded += g.calls[i].succeeded
				s.outcomes[i].faulted += g.calls[i].faulted
			}
		}
	}
}

// saturated reports whether every cell has as many rows as saturation wants.
func (s *search) saturated() bool {
	for i := range s.cells {
		if s.cells[i].rows < SaturationCopies && (s.cells[i].rows == 0 || s.left(i)) {
			return false
		}
	}
	return true
}

// left reports whether a cell has messages that were not taken.
func (s *search) left(i int) bool { return uint64(s.used[i]) < s.plan.cells[i].messages.Distinct() }

// hazard is what is known of groups that agree: how often one more rollout made
// them differ, by how many agreed before (spec of simulation, section 14.3).
type hazard struct {
	seen, split   map[int]int
	probed, mixed int
	probe         int
}

// note takes in that a group of n rollouts that agreed got one more.
func (h *hazard) note(n int, split bool) {
	count(&h.seen, n)
	if split {
		count(&h.split, n)
	}
}

// goesOn decides whether a group of n rollouts that agree gets one more: when
// that is likelier to show a difference than a rollout of a fresh group is.
func (h *hazard) goesOn(n int) bool {
	next := (float64(h.split[n]) + 1/float64(n+2)) / float64(h.seen[n]+1)
	fresh := float64(h.mixed+1) / float64(h.probed+2) / float64(h.probe)
	return next > fresh
}

// halfEven rounds as Python does.
func halfEven(x float64) int { return int(math.RoundToEven(x)) }
