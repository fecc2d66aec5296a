package grid

import (
	"slices"
	"strings"

	"github.com/rollmill/rollmill/stages/simulate/draw"
)

// Cell is a situation: one value for each axis, in the order of the axes.
type Cell [axisCount]string

// byName are the axes in the order of their names, which is the order of the
// keys in a cell's text.
var byName = func() []Axis {
	axes := All()
	slices.SortFunc(axes, func(a, b Axis) int { return strings.Compare(a.String(), b.String()) })
	return axes
}()

// Text returns the cell as JSON with sorted keys, as Python's dump spells it:
// what its ID and all draws about it are hashed from.
func (c Cell) Text() string {
	text := []byte{'{'}
	for i, a := range byName {
		if i > 0 {
			text = append(text, ", "...)
		}
		text = draw.AppendQuoted(text, a.String())
		text = append(text, ": "...)
		text = draw.AppendQuoted(text, c[a])
	}
	return string(append(text, '}'))
}

// ID returns the scenario id of the cell: "sc-" and ten hexadecimal digits.
func (c Cell) ID() string {
	return "sc-" + draw.Digits(c.Text(), 10)
}

// Tier returns how hard the cell is.
func (c Cell) Tier() Tier { return TierOf(c[Stance]) }

// Fault reports whether the cell's tool is to fail.
func (c Cell) Fault() bool { return c[Condition] != Success }
