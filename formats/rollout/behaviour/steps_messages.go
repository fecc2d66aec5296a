package behaviour

import (
	"unicode/utf8"

	"github.com/rollmill/rollmill/formats/rollout"
)

// stepsOfMessages appends the steps that a record without any tells of in its
// messages: the calls with what answered them, and what was said between. The
// reference implementation sees no steps there, so that all chat records of one
// final text look alike to it.
func (b *Reader) stepsOfMessages(steps []Step) []Step {
	messages := b.row.Messages
	for i := range messages {
		m := &messages[i]
		if m.Role != rollout.RoleAssistant {
			continue
		}
		for j := range m.ToolCalls {
			call := &m.ToolCalls[j]
			s := Step{Name: call.Name, told: true}
			if object, state := call.ArgumentsObject(); state == rollout.ArgumentsValid {
				s.Arguments = object
			}
			if answer := answerTo(messages, i, j); answer != nil {
				s.ResultText, s.found = valid(answer.Text()), true
			}
			steps = append(steps, s)
		}
	}
	return steps
}

// answerTo returns the tool message that answers the j-th call of message i: by
// the call's id where it has one, else the j-th tool message that follows.
func answerTo(messages []rollout.Message, i, j int) *rollout.Message {
	id := messages[i].ToolCalls[j].ID
	nth := 0
	for k := i + 1; k < len(messages) && (id != "" || messages[k].Role == rollout.RoleTool); k++ {
		m := &messages[k]
		switch {
		case m.Role != rollout.RoleTool:
		case id != "" && m.ToolCallID == id, id == "" && nth == j:
			return m
		default:
			nth++
		}
	}
	return nil
}

// valid returns a text with U+FFFD for each byte of it that is no UTF-8, which none is that
// a decoder read.
func valid(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return string([]rune(s))
}
