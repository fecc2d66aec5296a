package simulate

import (
	"github.com/rollmill/rollmill/stages/simulate/grid"
	"github.com/rollmill/rollmill/stages/simulate/writer"
)

// message names a message that can be written.
type message struct {
	cell    int // of the plan; -1 for a probe
	variant int // number of the message within its cell, or of the probe
}

// walk goes through the messages of a run without a look at what came of them:
// first every cell once, the heaviest first, so that all pairs of values are
// covered as early as can be; then samples of the cells, with the share of hard
// ones that was asked for; and in between, evenly, messages without a cell.
// What it has taken is never taken again. It remembers a number for each cell.
type walk struct {
	plan    *plan
	ids     []string
	cells   []grid.Cell
	weights []float64

	used   []int // messages of each cell that were taken
	left   int   // cells with messages left
	queue  []int // cells of this pass that are still to come
	pass   int
	probes int // that were looked at
	taken  int // situations
	opened int // of them, probes
	open   []message
}

func newWalk(p *plan) *walk {
	w := &walk{plan: p, used: make([]int, len(p.cells)), left: len(p.cells)}
	for _, c := range p.cells {
		w.ids = append(w.ids, c.id)
		w.cells = append(w.cells, c.Cell)
		w.weights = append(w.weights, grid.Weight(c.Cell, grid.Unmeasured, p.Mode == RL))
	}
	return w
}

// next returns the next message, or why there is none.
func (w *walk) next() (m message, stop Stop) {
	for len(w.open) == 0 {
		if w.plan.Situations > 0 && w.taken >= w.plan.Situations {
			return m, StopSituations
		}
		if !w.situation() {
			return m, StopWriter
		}
	}
	m, w.open = w.open[0], w.open[1:]
	return m, ""
}

// situation takes one more situation with its messages.
func (w *walk) situation() bool {
	share := w.plan.OpenEnded.V
	if int(share*float64(w.taken+1)+1e-9) > w.opened || w.left == 0 {
		if w.probe() {
			return true
		}
		if w.left == 0 {
			return false
		}
	}
	for {
		if len(w.queue) == 0 {
			w.refill()
		}
		i := w.queue[0]
		w.queue = w.queue[1:]
		if w.take(i) {
			w.taken++
			return true
		}
	}
}

// probe takes the next message without a cell.
func (w *walk) probe() bool {
	if w.plan.OpenEnded.V == 0 {
		return false
	}
	for ; w.probes < writer.Probes(); w.probes++ {
		if _, ok := w.plan.writer.Probe(w.probes); ok {
			w.open = append(w.open, message{-1, w.probes})
			w.probes++
			w.taken++
			w.opened++
			return true
		}
	}
	return false
}

// take takes messages of a cell, as many as there are phrasings.
func (w *walk) take(i int) bool {
	have := w.plan.cells[i].messages.Distinct()
	for range w.plan.Phrasings {
		if uint64(w.used[i]) >= have {
			break
		}
		w.open = append(w.open, message{i, w.used[i]})
		if w.used[i]++; uint64(w.used[i]) == have {
			w.left--
		}
	}
	return len(w.open) > 0
}

// refill plans another pass.
func (w *walk) refill() {
	ranked := grid.Draw{Seed: w.plan.Seed, Round: w.pass}.Rank(w.ids, w.weights)
	if w.pass > 0 {
		ranked = grid.Mix(w.cells, ranked, (len(ranked)+1)/2, w.plan.HardShare.V)
	}
	w.queue = ranked
	w.pass++
}
