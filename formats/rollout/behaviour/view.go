package behaviour

import (
	"strings"

	"github.com/rollmill/rollmill/formats/internal/jsonwalk"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/formats/rollout/text"
)

// agentError starts a final text that the harness wrote when the agent failed.
const agentError = "<agent error"

// Messages returns the message view (spec of gates, section 1.5): the messages
// that the record has, else what its opener, prompt, steps and final text make.
// That rule differs from the one by which rows are rebuilt on reading: a call
// without an answer was answered null, user turns at the end go, and a final
// text that differs from what was said last is not a message of its own.
func (b *Reader) Messages() []rollout.Message {
	messages := b.messages()
	if b.raw {
		b.raw = false
		for i := range messages {
			if m := &messages[i]; m.Role == rollout.RoleTool {
				m.Content = b.resultText(m.Content)
			}
		}
	}
	return messages
}

// messages is the view as it is needed most often: where it was rebuilt, the
// contents of tool messages are still JSON text.
func (b *Reader) messages() []rollout.Message {
	switch {
	case b.stated():
		return b.row.Messages
	case !b.viewRead:
		b.viewRead = true
		b.rebuild()
	}
	return b.view
}

// stated reports whether the record has a list of messages that is not empty.
// One that holds no objects is a view without messages.
func (b *Reader) stated() bool {
	if len(b.row.Messages) > 0 {
		return !b.row.Rebuilt()
	}
	return strings.HasPrefix(b.extra.messages, "[") && jsonwalk.Truthy(b.extra.messages)
}

func (b *Reader) rebuild() {
	steps := b.Steps()
	b.view, b.calls, b.raw = b.view[:0], b.calls[:0], len(steps) > 0
	if opener := b.strOr(b.extra.opener); opener != "" {
		b.say(rollout.RoleAssistant, opener)
	}
	if b.prompt != "" {
		b.say(rollout.RoleUser, b.prompt)
	}
	for i := range steps {
		b.step(&steps[i])
	}
	b.callTools()
	b.close()
}

func (b *Reader) say(role, content string) {
	b.view = append(b.view, rollout.Message{Role: role, Content: content})
}

func (b *Reader) step(s *Step) {
	if user := b.strOr(s.User); user != "" {
		b.say(rollout.RoleUser, user)
		return
	}
	spoken := b.strOr(s.Text)
	switch {
	case s.Name != "":
		b.say(rollout.RoleAssistant, spoken)
		b.calls = append(b.calls, rollout.ToolCall{Name: s.Name, Arguments: b.argumentsText(s.Arguments)})
		b.view = append(b.view, rollout.Message{Role: rollout.RoleTool, Name: s.Name, Content: s.Result})
	case spoken != "":
		b.say(rollout.RoleAssistant, spoken)
	}
}

// callTools gives each message of the assistant that an answer follows its
// call, now that no more calls come and their array stays where it is.
func (b *Reader) callTools() {
	n := 0
	for i := range b.view {
		if b.view[i].Role == rollout.RoleTool {
			b.view[i-1].ToolCalls = b.calls[n : n+1 : n+1]
			n++
		}
	}
}

// argumentsText returns arguments as a ToolCall keeps them.
func (b *Reader) argumentsText(json string) string {
	switch {
	case !jsonwalk.Truthy(json):
		return "{}"
	case json[0] == '"':
		return b.text.unquote(json)
	}
	return json
}

// resultText returns a result as the content of a tool message: a text as it
// is, anything else as its JSON in Python's spelling.
func (b *Reader) resultText(json string) string {
	switch {
	case json == "":
		return "null"
	case json[0] == '"':
		return b.text.unquote(json)
	}
	return b.text.keep(func(dst []byte) []byte { return b.spell.appendJSON(dst, json) })
}

// close ends the view with the final text, unless it was said.
func (b *Reader) close() {
	if !strings.HasPrefix(b.final, agentError) {
		for len(b.view) > 1 && b.view[len(b.view)-1].Role == rollout.RoleUser {
			b.view = b.view[:len(b.view)-1]
		}
	}
	if b.final == "" {
		return
	}
	for i := range b.view {
		if m := &b.view[i]; m.Role == rollout.RoleAssistant && m.Content == b.final && !blank(m.Content) {
			return
		}
	}
	if n := len(b.view); n > 0 && b.view[n-1].Role == rollout.RoleAssistant {
		if m := &b.view[n-1]; blank(m.Content) {
			m.Content = b.final
		}
		return
	}
	b.say(rollout.RoleAssistant, b.final)
}

func blank(s string) bool { return text.Trim(s) == "" }
