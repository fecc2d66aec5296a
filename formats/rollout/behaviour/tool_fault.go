package behaviour

import (
	"github.com/rollmill/rollmill/formats/internal/jsonwalk"
)

// Faulted reports whether what a call got back is a failure, of whatever kind
// (spec of gates, section 1.8). answered is false for a call that got nothing.
func (b *Reader) Faulted(act *Act) (faulted, answered bool) {
	result := act.Result
	switch {
	case result == "null" || result == "" && act.ResultText == "":
		return false, false
	case result == "":
		result = act.ResultText
	}
	o := b.readOutcome(result)
	if o.object == "" {
		return false, true
	}
	r := b.resultOf(&o)
	return r.noise || r.stale || r.faulted(), true
}

// PlansFault reports whether the fault plan of the row names the tool, or all
// tools by an asterisk.
func (b *Reader) PlansFault(tool string) bool {
	for name := range jsonwalk.StringMembers(b.whole(b.extra.faults)) {
		if name == tool || name == "*" {
			return true
		}
	}
	return false
}
