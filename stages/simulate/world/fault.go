package world

import (
	"fmt"
	"slices"
	"strings"
)

// Mode is a way in which a tool fails.
type Mode string

// The runtime failures that arXiv:2605.11928 and arXiv:2606.01416 list.
const (
	Timeout          Mode = "timeout"           // no answer in time
	Malformed        Mode = "malformed"         // an answer that cannot be read
	Stale            Mode = "stale"             // an answer from the past, marked as one
	PermissionDenied Mode = "permission_denied" // no right to call
)

// Modes returns the modes.
func Modes() []Mode { return []Mode{Timeout, Malformed, Stale, PermissionDenied} }

// ModeOf returns how tools fail under a tool condition of the grid; ok is false
// for one under which they work.
func ModeOf(condition string) (m Mode, ok bool) {
	switch condition {
	case "timeout", "permission_denied":
		return Mode(condition), true
	case "malformed_result":
		return Malformed, true
	case "stale_result":
		return Stale, true
	}
	return "", false
}

// AnyTool is the name of a fault that meets every tool without one of its own.
const AnyTool = "*"

// Fault makes a tool fail in a mode, with the probability Rate a call.
type Fault struct {
	Tool string
	Mode Mode
	Rate float64
}

// Plan is the faults of a rollout.
type Plan []Fault

// find returns the fault that meets a tool.
func (p Plan) find(tool string) (Fault, bool) {
	for _, name := range [...]string{tool, AnyTool} {
		for _, f := range p {
			if f.Tool == name {
				return f, true
			}
		}
	}
	return Fault{}, false
}

// Check refuses a plan with an unknown mode or a rate that is no probability.
func (p Plan) Check() error {
	for _, f := range p {
		if !slices.Contains(Modes(), f.Mode) {
			return fmt.Errorf("world: fault mode %q; want one of %s", f.Mode, strings.Trim(fmt.Sprint(Modes()), "[]"))
		}
		if !(f.Rate >= 0 && f.Rate <= 1) {
			return fmt.Errorf("world: fault rate %v; want 0 to 1", f.Rate)
		}
	}
	return nil
}

// JSON returns the plan as rows keep it under faults: tool to mode and rate.
func (p Plan) JSON() string {
	dst := []byte{'{'}
	for i, f := range p {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendText(dst, f.Tool)
		dst = append(dst, `:{"mode":`...)
		dst = appendText(dst, string(f.Mode))
		dst = append(dst, `,"rate":`...)
		dst = appendNumber(dst, f.Rate)
		dst = append(dst, '}')
	}
	return string(append(dst, '}'))
}
