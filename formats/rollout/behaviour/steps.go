package behaviour

import (
	"github.com/rollmill/rollmill/formats/internal/jsonwalk"
)

// Step is one element of a row's steps, or of its tool trace. The members are
// JSON text, "" where the element has none; of those of the same name the last
// one counts.
type Step struct {
	Name string // what tool says, as text; "" where that counts as false

	Tool, Arguments, Result, Text, User string
	Input, Output                       string // arguments and result of a tool trace
	Truncated, Failed, Error            string
}

// Steps returns the objects among the row's steps. Where the record has neither
// steps nor a tool trace, they are the calls in its messages.
func (b *Reader) Steps() []Step {
	if !b.stepsRead {
		b.stepsRead = true
		b.steps = b.readSteps(b.steps[:0], b.extra.steps)
		if !b.Traced() && !b.row.Rebuilt() {
			b.steps = b.stepsOfMessages(b.steps)
		}
	}
	return b.steps
}

// Traced reports whether the record itself has steps or a tool trace.
func (b *Reader) Traced() bool { return b.extra.steps != "" || b.extra.toolTrace != "" }

// Trace returns the row's steps, or its tool trace where the steps count as
// false: they are missing or empty.
func (b *Reader) Trace() []Step {
	if jsonwalk.Truthy(b.extra.steps) || !b.Traced() {
		return b.Steps()
	}
	if !b.traceRead {
		b.traceRead = true
		b.traced = b.readSteps(b.traced[:0], b.extra.toolTrace)
	}
	return b.traced
}

// ToolCalls returns the number of steps that call a tool, of the tool trace
// where there are no steps.
func (b *Reader) ToolCalls() int {
	n := 0
	for i := range b.Trace() {
		if b.Trace()[i].Name != "" {
			n++
		}
	}
	return n
}

// readSteps appends the objects of a JSON array. Text that is no JSON, in a row
// that was made by hand, has none.
func (b *Reader) readSteps(steps []Step, list string) []Step {
	if list == "" || list[0] != '[' || len(list) == len("[]") || !b.valid(list) {
		return steps
	}
	for element := range jsonwalk.StringElements(list) {
		if element[0] != '{' {
			continue
		}
		var s Step
		for name, value := range jsonwalk.StringMembers(element) {
			if into := s.member(name); into != nil {
				*into = value
			}
		}
		s.Name = b.strOr(s.Tool)
		steps = append(steps, s)
	}
	return steps
}

func (s *Step) member(name string) *string {
	switch name {
	case "tool":
		return &s.Tool
	case "arguments":
		return &s.Arguments
	case "result":
		return &s.Result
	case "text":
		return &s.Text
	case "user":
		return &s.User
	case "input":
		return &s.Input
	case "output":
		return &s.Output
	case "truncated":
		return &s.Truncated
	case "failed":
		return &s.Failed
	case "error":
		return &s.Error
	}
	return nil
}
