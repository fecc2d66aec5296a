package grid

import (
	"github.com/rollmill/rollmill/stages/simulate/draw"
)

// SuccessShare is the share of cells with a failing tool that Flip turns into
// cells whose tool works. A convention of the reference implementation.
const SuccessShare = 0.90

// Flip returns the cells with most failing tools mended: outside of training
// by reward, failures are rare. It keeps one cell of each kind of failure, one
// without a rule if there is one, and of the others those that a draw about the
// cell alone keeps (spec of simulation, section 7.4).
func Flip(cells []Cell) []Cell {
	type candidate struct {
		cell    int
		ruled   bool
		digest  string
		present bool
	}
	first := map[string]candidate{}
	for i, c := range cells {
		if !c.Fault() {
			continue
		}
		now := candidate{i, c[Rule] != Unspecified, draw.Digits(c.Text(), 64), true}
		best := first[c[Condition]]
		if !best.present || best.ruled && !now.ruled || best.ruled == now.ruled && now.digest < best.digest {
			first[c[Condition]] = now
		}
	}
	out := make([]Cell, len(cells))
	for i, c := range cells {
		out[i] = c
		if c.Fault() && first[c[Condition]].cell != i && draw.Open(c.Text(), 8) >= 1-SuccessShare {
			out[i][Condition] = Success
		}
	}
	return out
}
