package trl

import (
	"errors"
	"fmt"
	"slices"

	"github.com/rollmill/rollmill/formats/rollout"
)

// ErrShape is wrapped by what keeps a row from a shape.
var ErrShape = errors.New("trl: a row does not fit the shape")

func unfit(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrShape, fmt.Sprintf(format, args...))
}

// AppendMessages appends a row as SFTTrainer takes it: the conversation up to the
// last reply as messages, the tools if the row tells them, and task, number and
// reward of the rollout. The error wraps [ErrShape]: nobody replies, or the
// arguments of a call are no object.
func AppendMessages(dst []byte, r *rollout.Row) ([]byte, error) {
	list, err := talk(r)
	if err != nil {
		return dst, err
	}
	var o rollout.Object
	o.RawBytes("messages", list)
	addTools(&o, r)
	if r.TaskID != "" {
		o.Text("scenario_id", r.TaskID)
	}
	if r.Index.Text != "" && r.Index.Text != "null" {
		o.Raw("rollout_index", r.Index.Text)
	}
	if r.Reward.Text != "" && r.Reward.Text != "null" {
		o.Raw("reward", r.Reward.Text)
	}
	return o.AppendTo(dst), nil
}

// talk is the conversation of a row up to the last reply, as JSON.
func talk(r *rollout.Row) ([]byte, error) {
	messages := spoken(r)
	last := len(messages) - 1
	for last >= 0 && messages[last].Role != rollout.RoleAssistant {
		last--
	}
	if last < 0 {
		return nil, unfit("nobody replies in it")
	}
	return appendMessages(nil, messages[:last+1])
}

// spoken are the messages of the four roles that chat templates know.
func spoken(r *rollout.Row) []rollout.Message {
	all := r.Conversation()
	if !slices.ContainsFunc(all, func(m rollout.Message) bool { return !known(m.Role) }) {
		return all
	}
	list := make([]rollout.Message, 0, len(all))
	for _, m := range all {
		if m.Role == "developer" {
			m.Role = rollout.RoleSystem
		}
		if known(m.Role) {
			list = append(list, m)
		}
	}
	return list
}

func known(role string) bool {
	switch role {
	case rollout.RoleSystem, rollout.RoleUser, rollout.RoleAssistant, rollout.RoleTool:
		return true
	}
	return false
}

// appendMessages appends messages as a JSON list, with the arguments of calls as
// objects.
func appendMessages(dst []byte, messages []rollout.Message) ([]byte, error) {
	dst = append(dst, '[')
	for i := range messages {
		if i > 0 {
			dst = append(dst, ',')
		}
		var err error
		if dst, err = appendMessage(dst, &messages[i]); err != nil {
			return dst, err
		}
	}
	return append(dst, ']'), nil
}

func appendMessage(dst []byte, m *rollout.Message) ([]byte, error) {
	var o rollout.Object
	o.Text("role", m.Role)
	switch {
	case m.Parts != "":
		o.Raw("content", m.Parts)
	case m.Content != "" || m.NoContent == rollout.Present:
		o.Text("content", m.Content)
	case m.NoContent == rollout.Null:
		o.Raw("content", "null")
	}
	if m.Name != "" {
		o.Text("name", m.Name)
	}
	if m.ToolCallID != "" {
		o.Text("tool_call_id", m.ToolCallID)
	}
	if len(m.ToolCalls) > 0 {
		list := []byte{'['}
		for i := range m.ToolCalls {
			if i > 0 {
				list = append(list, ',')
			}
			call, err := callOf(&m.ToolCalls[i])
			if err != nil {
				return dst, err
			}
			list = append(list, call...)
		}
		o.RawBytes("tool_calls", append(list, ']'))
	}
	return o.AppendTo(dst), nil
}

// callOf is a tool call as JSON.
func callOf(c *rollout.ToolCall) ([]byte, error) {
	arguments, state := c.ArgumentsObject()
	if state == rollout.ArgumentsInvalid {
		return nil, unfit("the arguments of a call of %q are no object", c.Name)
	}
	var function, call rollout.Object
	function.Text("name", c.Name)
	function.Raw("arguments", arguments)
	if c.ID != "" {
		call.Text("id", c.ID)
	}
	call.Text("type", "function")
	call.RawBytes("function", function.AppendTo(nil))
	return call.AppendTo(nil), nil
}
