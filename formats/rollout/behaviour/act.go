package behaviour

import (
	"strings"

	"github.com/rollmill/rollmill/formats/internal/jsonwalk"
	"github.com/rollmill/rollmill/formats/rollout"
)

// Act is one call of a tool, wherever the row tells of it.
type Act struct {
	Tool       string
	Arguments  string // JSON text of an object; {} when there are none, or no object
	Result     string // JSON text of a result that is no text; "" for none
	ResultText string // a result that is a text
	Failed     bool   // the step itself says that it failed
}

// Acts returns the calls of the row: those of its steps or of its tool trace;
// where these call no tool, those of its messages, with results by their ids;
// where these call none either, those that stand as <tool_call> blocks in the
// final text, which have no result (spec of gates, section 1.12). The text of a
// tool message that is a JSON object counts as an object.
func (b *Reader) Acts() []Act {
	if b.actsRead {
		return b.acts
	}
	b.actsRead = true
	b.acts = b.acts[:0]
	if b.Traced() {
		trace := b.Trace()
		for i := range trace {
			if s := &trace[i]; s.Name != "" {
				b.acts = append(b.acts, b.actOf(s))
			}
		}
	}
	if len(b.acts) == 0 && !b.row.Rebuilt() {
		b.actsOfMessages()
	}
	if len(b.acts) == 0 {
		b.actsOfText()
	}
	return b.acts
}

func (b *Reader) actOf(s *Step) Act {
	arguments, result := s.Arguments, s.Result
	if arguments == "" {
		arguments = s.Input
	}
	if result == "" {
		result = s.Output
	}
	act := Act{Tool: s.Name, Arguments: b.object(arguments), Failed: s.Failed == "true" || jsonwalk.Truthy(s.Error)}
	switch {
	case strings.HasPrefix(result, `"`):
		act.ResultText = b.text.unquote(result)
	case result != "null":
		act.Result = result
	}
	return act
}

// object returns the JSON text of an object, decoded where it is a text that
// holds one, and {} for anything else.
func (b *Reader) object(json string) string {
	if strings.HasPrefix(json, `"`) {
		json = b.objectIn(b.text.unquote(json))
	}
	if strings.HasPrefix(json, "{") {
		return json
	}
	return "{}"
}

// objectIn returns the JSON object that a text is, "" when it is none.
func (b *Reader) objectIn(s string) string {
	s = strings.Trim(s, " \t\r\n")
	if strings.HasPrefix(s, "{") && b.valid(s) {
		return s
	}
	return ""
}

func (b *Reader) actsOfMessages() {
	messages := b.row.Messages
	for i := range messages {
		m := &messages[i]
		if m.Role != rollout.RoleAssistant {
			continue
		}
		for j := range m.ToolCalls {
			call := &m.ToolCalls[j]
			if call.Name == "" {
				continue
			}
			act := Act{Tool: call.Name, Arguments: "{}"}
			if object, state := call.ArgumentsObject(); state == rollout.ArgumentsValid {
				act.Arguments = object
			}
			if call.ID != "" {
				act.ResultText = answer(messages, i, call.ID)
				if act.Result = b.objectIn(act.ResultText); act.Result != "" {
					act.ResultText = ""
				}
			}
			b.acts = append(b.acts, act)
		}
	}
}

// answer returns the text of the tool message that answers a call: the next one
// behind it, else the first of all.
func answer(messages []rollout.Message, call int, id string) string {
	for i := range messages {
		m := &messages[(call+i)%len(messages)]
		if m.Role == rollout.RoleTool && m.ToolCallID == id {
			return m.Text()
		}
	}
	return ""
}

const (
	callOpens  = "<tool_call>"
	callCloses = "</tool_call>"
)

func (b *Reader) actsOfText() {
	rest := b.final
	for {
		_, after, ok := strings.Cut(rest, callOpens)
		if !ok {
			return
		}
		block, behind, ok := strings.Cut(after, callCloses)
		if !ok {
			return
		}
		rest = behind
		if object := b.objectIn(block); object != "" {
			call, _, ok := rollout.ParseToolCall(object)
			if !ok {
				continue
			}
			act := Act{Tool: call.Name, Arguments: "{}"}
			if arguments, state := call.ArgumentsObject(); state == rollout.ArgumentsValid {
				act.Arguments = arguments
			}
			b.acts = append(b.acts, act)
		}
	}
}
