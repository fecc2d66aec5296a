package parquet

import (
	"math"

	"github.com/rollmill/rollmill/formats/rollout"
)

// numbers makes values of numbers, of which a column often has few different
// ones: it keeps the text of some.
type numbers struct {
	known [64]rollout.Value
}

func (n *numbers) of(x float64) rollout.Value {
	bits := math.Float64bits(x)
	known := &n.known[bits*0x9e3779b97f4a7c15>>58]
	if known.Text == "" || math.Float64bits(known.Num) != bits {
		*known = rollout.Number(x)
	}
	return *known
}
