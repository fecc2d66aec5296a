package behaviour

import (
	"github.com/rollmill/rollmill/formats/internal/jsonwalk"
)

// Step is one element of a row's steps, or of its tool trace. The members are
// JSON text, "" where the element has none; of those of the same name the last
// one counts.
type Step struct {
	Name string // what tool says, as text; "" where that counts as false

	// ResultText is the result of a step that messages tell of: a text. It has no Tool
	// and no Result as JSON text.
	ResultText string

	Tool, Arguments, Result, Text, User string
	Input, Output                       string // arguments and result of a tool trace
	Truncated, Failed, Error            string

	told, found bool // messages tell of it, and of what answered it
	outcome     outcome
}

// answered reports whether there is a result.
func (s *Step) answered() bool { return s.found || s.Result != "" && s.Result != "null" }

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
	if list == "" || list[0] != '[' || len(list) == len("[]") {
		return steps
	}
	s := &b.scan
	s.Reset(bytesOf(list))
	none := steps
	i := s.Space(1)
	for i < len(list) && list[i] != ']' {
		if list[i] == '{' {
			s.Depth = 2
			steps = append(steps, Step{})
			i = b.readStep(&steps[len(steps)-1], i)
		} else {
			s.Depth = 1
			i = s.Value(i)
		}
		if i < 0 {
			return none
		}
		if i = s.Space(i); i < len(list) && list[i] == ',' {
			if i = s.Space(i + 1); i < len(list) && list[i] == ']' {
				return none
			}
		} else if i < len(list) && list[i] != ']' {
			return none
		}
	}
	if i >= len(list) || !s.End(i+1) {
		return none
	}
	return steps
}

// readStep reads the object at i and returns the offset behind it, -1 for text that is no
// JSON.
func (b *Reader) readStep(step *Step, i int) int {
	c := membersAt(&b.scan, i)
	for c.next() {
		if into := step.member(c.name); into != nil {
			*into = c.value
		}
	}
	if c.end >= 0 {
		step.Name = b.strOr(step.Tool)
	}
	return c.end
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
