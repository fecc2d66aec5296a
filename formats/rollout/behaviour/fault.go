package behaviour

import (
	"strings"

	"github.com/rollmill/rollmill/formats/internal/jsonwalk"
	"github.com/rollmill/rollmill/formats/rollout/text"
)

// NoFault is the fault name of a row that met none.
const NoFault = "no fault"

// FaultName returns the name of the fault that the row met: the first one among
// the results of its steps; where no result was seen, the one that was planned
// for it; else NoFault (spec of gates, section 1.8).
func (b *Reader) FaultName() string {
	seen := false
	for i := range b.Steps() {
		s := &b.steps[i]
		if s.Name == "" || !s.answered() {
			continue
		}
		seen = true
		if fault := b.faultOf(b.outcomeOf(s)); fault != "" {
			return fault
		}
	}
	if !seen {
		if fault := b.plannedFault(); fault != "" {
			return fault
		}
	}
	return NoFault
}

// plannedFault returns the first mode of the fault plan that is a fault.
func (b *Reader) plannedFault() string {
	for _, plan := range jsonwalk.StringMembers(b.whole(b.extra.faults)) {
		if fault := normalFault(b.fold(member(plan, "mode"))); fault != "" {
			return fault
		}
	}
	return ""
}

// result holds what of a result faults are told by, in lower case and trimmed.
type result struct {
	status, reason  string
	stale           bool
	error           string // JSON text
	hasError, noise bool
}

func (b *Reader) faultOf(o *outcome) string {
	if o.object == "" {
		return ""
	}
	r := b.resultOf(o)
	status := normalFault(r.status)
	switch {
	case r.noise:
		return malformed
	case r.stale:
		return stale
	case status == alreadyDone || r.reason == alreadyActedOn:
		return alreadyDone
	case isFaultWord(status) || isFaultWord(r.status):
		return status
	case !r.faulted():
		return ""
	case status == "":
		return "error"
	}
	return status
}

func (b *Reader) resultOf(o *outcome) result {
	return result{
		status: b.fold(o.status), reason: b.fold(o.reason),
		stale: jsonwalk.Truthy(o.stale),
		error: o.error, hasError: o.error != "",
		noise: b.garbled(o.object),
	}
}

// fold returns str(value or "") in lower case and trimmed.
func (b *Reader) fold(json string) string {
	if json == "" {
		return ""
	}
	return b.text.lower(text.Trim(b.strOr(json)))
}

// faulted reports whether a result that is neither garbled nor stale is a
// failure, though its status need be no word that says so.
func (r *result) faulted() bool {
	switch {
	case isBadStatus(r.status), isHTTPError(r.status), isExitError(r.status), strings.Contains(r.status, "permission"):
		return true
	case !r.hasError:
		return false
	case jsonwalk.Truthy(r.error):
		return r.status == "" || r.status == "error"
	}
	return r.status != "ok" && r.status != "created" && r.status != "deleted"
}

// isExitError reports whether a status is exit_ and a code other than 0.
func isExitError(status string) bool {
	code, ok := strings.CutPrefix(status, "exit_")
	return ok && code != "" && code != "0"
}

// isHTTPError reports whether a status is three digits, the first a 4 or a 5.
func isHTTPError(status string) bool {
	return len(status) == 3 && (status[0] == '4' || status[0] == '5') && status[1]-'0' < 10 && status[2]-'0' < 10
}
