package writer

import (
	"strconv"

	"github.com/rollmill/rollmill/stages/simulate/grid"
	"github.com/rollmill/rollmill/stages/simulate/world"
)

// Arm is the kind of writing that a message came from.
type Arm string

// The arms of the template writer.
const (
	Structured Arm = "structured" // from a cell of the grid
	OpenEnded  Arm = "open_ended" // from a family of probes, without a cell
)

// Situation is a message that opens a conversation, and what is true around it.
type Situation struct {
	ID      string // scenario id; another message of the same cell has another
	Arm     Arm
	Family  string // what the ask is about: tool, unrelated, multi_tool, or a family of probes
	Cell    grid.Cell
	Variant int // number of the message within its cell or family
	Prompt  string
	Faults  world.Plan // how tools fail, before it is drawn whether they do
	Labels  []Label    // what else the text carries
}

// Label names something that a text carries, such as its tone.
type Label struct{ Name, Value string }

// Tier returns how hard the situation is; a probe counts as boundary.
func (s *Situation) Tier() grid.Tier {
	if s.Arm == OpenEnded {
		return grid.Boundary
	}
	return s.Cell.Tier()
}

// numbered returns the id of a message: the cell's own for the first, and with
// the number behind a full stop for the others.
func numbered(id string, variant int) string {
	if variant == 0 {
		return id
	}
	return id + "." + strconv.Itoa(variant)
}
