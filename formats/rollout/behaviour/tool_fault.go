package behaviour

import (
	"strings"

	"github.com/rollmill/rollmill/formats/internal/jsonwalk"
)

// Faulted reports whether what a call got back is a failure, of whatever kind
// (spec of gates, section 1.8). answered is false for a call that got nothing.
func (b *Reader) Faulted(act *Act) (faulted, answered bool) {
	object := act.Result
	if object == "" {
		object = strings.Trim(act.ResultText, " \t\r\n")
	}
	switch {
	case act.Result == "null" || act.Result == "" && act.ResultText == "":
		return false, false
	case object == "" || object[0] != '{' || !b.valid(object):
		return false, true
	}
	r := b.resultOf(object)
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
