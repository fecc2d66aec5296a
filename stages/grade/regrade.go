package grade

import (
	"errors"
	"fmt"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

// ErrNotPure says that a grader cannot grade stored rows, since it looks at more
// than what stands in them.
var ErrNotPure = errors.New("the grader is not pure: it looks at more than the row, and that is gone")

// Regrade is [Stage] for rows that were stored and may have been graded before.
// It refuses a grader that is not pure with [ErrNotPure]. The verdict is
// replaced, also by none where the grader fails; the lineage of the row keeps
// the name of the earlier grading.
func Regrade(g Grader, opts ...Option) (stream.Stage[rollout.Row, rollout.Row], error) {
	if info := g.Info(); !info.Pure {
		return nil, fmt.Errorf("grade: %s: %w", info.Name, ErrNotPure)
	}
	return Stage(g, opts...), nil
}
