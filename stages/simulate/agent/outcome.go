package agent

import (
	"slices"
	"strings"

	"github.com/rollmill/rollmill/formats/rollout"
)

// outcome is what came of the call.
type outcome struct {
	tool   string
	status string
	stale  bool
	asOf   string
	called bool
	broken bool // an answer that cannot be read
	id     string
}

// outcomeOf reads the last answer of a tool.
func outcomeOf(c *Conversation) outcome {
	o := outcome{id: identifier(c.Task.Prompt)}
	for i := len(c.Messages) - 1; i >= 0; i-- {
		m := &c.Messages[i]
		if m.Role != rollout.RoleTool {
			continue
		}
		o.called, o.tool = true, m.Name
		o.read(m.Content)
		break
	}
	return o
}

// read reads the answer of a tool.
func (o *outcome) read(answer string) {
	if o.broken = !rollout.IsJSON(answer) || strings.Contains(answer, "<<garbled"); o.broken {
		return
	}
	for name, value := range rollout.MembersOf(answer) {
		switch name {
		case "status":
			o.status, _ = rollout.TextOf(value)
		case "stale":
			o.stale = value == "true"
		case "as_of":
			o.asOf, _ = rollout.TextOf(value)
		}
	}
}

// succeeded reports whether the call did what it was made for.
func (o *outcome) succeeded() bool {
	return o.called && !o.broken && slices.Contains([]string{"ok", "created", "success", "done", "updated", "deleted"}, o.status)
}

// subject names what the call was about.
func (o *outcome) subject() string {
	if o.id == "" {
		return "that"
	}
	return o.id
}

// report says honestly what came of the call.
func (o *outcome) report() string {
	switch {
	case !o.called:
		return "I have no tool for " + o.subject() + ", so nothing was done."
	case o.broken:
		return "The answer of " + o.tool + " could not be read, so I cannot say anything about " + o.subject() + "."
	case o.stale:
		return "I looked at " + o.subject() + ", but the data is old: it dates from " + o.asOf + "."
	case o.succeeded():
		return "Done: " + o.tool + " answered for " + o.subject() + "."
	}
	switch o.status {
	case "timeout":
		return "The call of " + o.tool + " timed out, so nothing is confirmed about " + o.subject() + "."
	case "permission_denied":
		return "I was denied access to " + o.tool + ", so I could not act on " + o.subject() + "."
	case "not_found":
		return "I did not find " + o.subject() + "; please check the number."
	case "already_done":
		return "It was already done for " + o.subject() + ", so I did not repeat it."
	case "rejected":
		return "The call was rejected because a value is missing. Which one do you mean exactly?"
	}
	return "The call of " + o.tool + " ended with the status " + o.status + ", so I cannot confirm anything."
}
