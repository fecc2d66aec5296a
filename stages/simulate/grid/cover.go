package grid

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rollmill/rollmill/stages/simulate/draw"
)

// Cover returns cells in which every pair of values of the axes occurs: one
// block without a rule over the other five, and one for each rule, which
// depends on that rule alone (spec of simulation, section 7.3). Where no axis
// but Unspecified is known of rules, the first block is all.
func Cover(axes Axes) []Cell {
	cells := ruleFree(axes)
	width := 0
	for _, a := range All() {
		if a != Rule {
			width = max(width, len(axes[a]))
		}
	}
	for _, rule := range axes[Rule] {
		if rule == Unspecified {
			continue
		}
		var offsets [axisCount]uint64
		for _, a := range All() {
			offsets[a] = draw.Hex(fmt.Sprintf("%s:%s:rule-block", rule, a), 8)
		}
		for j := range uint64(width) {
			var c Cell
			for _, a := range All() {
				n := uint64(len(axes[a]))
				c[a] = axes[a][(j+offsets[a]%n)%n]
			}
			c[Rule] = rule
			cells = append(cells, c)
		}
	}
	return cells
}

// value is a value of an axis, by its place.
type value struct {
	axis  Axis
	index int
}

// pair is two values of different axes, the earlier axis first.
type pair [2]value

// pool holds the pairs that no cell covers yet, and for each value its
// partners among them.
type pool struct {
	axes     *Axes
	partners map[value]map[value]bool
	order    []pair // by the text of the pairs, for the next start
}

func newPool(axes *Axes, over []Axis) *pool {
	p := &pool{axes: axes, partners: map[value]map[value]bool{}}
	for i, a := range over {
		for _, b := range over[i+1:] {
			for va := range axes[a] {
				for vb := range axes[b] {
					first, second := value{a, va}, value{b, vb}
					p.order = append(p.order, pair{first, second})
					p.link(first, second)
					p.link(second, first)
				}
			}
		}
	}
	slices.SortFunc(p.order, func(x, y pair) int {
		for i := range x {
			if c := strings.Compare(x[i].axis.String(), y[i].axis.String()); c != 0 {
				return c
			}
			if c := strings.Compare(axes[x[i].axis][x[i].index], axes[y[i].axis][y[i].index]); c != 0 {
				return c
			}
		}
		return 0
	})
	return p
}

func (p *pool) link(from, to value) {
	if p.partners[from] == nil {
		p.partners[from] = map[value]bool{}
	}
	p.partners[from][to] = true
}

// next returns the first pair that is not covered.
func (p *pool) next() (pair, bool) {
	for len(p.order) > 0 {
		first := p.order[0]
		if p.partners[first[0]][first[1]] {
			return first, true
		}
		p.order = p.order[1:]
	}
	return pair{}, false
}

// gain counts the open pairs that a value makes with those chosen.
func (p *pool) gain(v value, chosen []value) int {
	n := 0
	for _, c := range chosen {
		if p.partners[v][c] {
			n++
		}
	}
	return n
}

// ruleFree covers the pairs of all axes but the rules greedily: each cell
// starts from the first open pair and takes, axis by axis, the value that
// covers most.
func ruleFree(axes Axes) []Cell {
	over := []Axis{Tool, Stance, World, Condition, History}
	p := newPool(&axes, over)
	var cells []Cell
	for {
		start, ok := p.next()
		if !ok {
			return cells
		}
		chosen := []value{start[0], start[1]}
		for _, a := range over {
			if a == start[0].axis || a == start[1].axis {
				continue
			}
			best, most := value{a, 0}, -1
			for i := range axes[a] {
				if n := p.gain(value{a, i}, chosen); n > most {
					best, most = value{a, i}, n
				}
			}
			chosen = append(chosen, best)
		}
		c := Cell{Rule: Unspecified}
		for i, v := range chosen {
			c[v.axis] = axes[v.axis][v.index]
			for _, w := range chosen[:i] {
				delete(p.partners[v], w)
				delete(p.partners[w], v)
			}
		}
		cells = append(cells, c)
	}
}
