package parquet

import (
	"math"

	"github.com/rollmill/rollmill/formats/rollout"
)

// numbers makes values of numbers, of which a column often has few different
// ones: it keeps the text of some.
type numbers struct {
	known [64]struct {
		bits  uint64
		value rollout.Value
	}
}

func (n *numbers) of(x float64) rollout.Value {
	bits := math.Float64bits(x)
	known := &n.known[bits*0x9e3779b97f4a7c15>>58] // the upper bits of a product depend on all
	if known.bits != bits || known.value.Text == "" {
		known.bits, known.value = bits, rollout.Number(x)
	}
	return known.value
}
