package dialect

import (
	"fmt"
	"slices"

	"github.com/rollmill/rollmill/formats/internal/jsonwalk"
	"github.com/rollmill/rollmill/formats/rollout"
)

// transcript is a list of chat messages that is being read. What its messages
// hold beyond the fields of rollout.Message becomes message_extra in Extra: a
// list with an object, or null, for each message.
type transcript struct {
	messages []rollout.Message
	demos    int      // messages up to the last one that is a demonstration
	rest     [][]byte // for each message an object, or nil
	anyRest  bool
}

const wantMessages = "a list of {role, content}"

// readTranscript reads the list of chat messages in value, which is the member
// name of its record.
func readTranscript(name string, value []byte) (transcript, error) {
	var t transcript
	if !isKind(value, '[') {
		want := wantMessages
		if name == "messages" {
			want += " (map it with --map messages=...)"
		}
		return t, wrongType(name, value, want)
	}
	for message := range jsonwalk.Elements(value) {
		if err := t.read(name, message); err != nil {
			return t, err
		}
	}
	return t, nil
}

// say adds a message of the dialect's own making.
func (t *transcript) say(role, text string) {
	t.messages = append(t.messages, rollout.Message{Role: role, Content: text})
	t.rest = append(t.rest, nil)
}

// join adds the messages of another transcript. Neither keeps its list.
func (t *transcript) join(u transcript) {
	t.messages = slices.Concat(t.messages, u.messages)
	t.rest = slices.Concat(t.rest, u.rest)
	t.anyRest = t.anyRest || u.anyRest
}

// read adds the message in value: OpenAI's shape, what Inspect and SWE-agent make
// of it, and ShareGPT's.
func (t *transcript) read(name string, value []byte) error {
	if !isKind(value, '{') {
		return &Error{CodeFieldType, fmt.Sprintf("message %d of %q is %s; want {role, content}", len(t.messages), name, kindWord(value))}
	}
	m := rollout.Message{NoContent: rollout.Missing}
	var rest, from, said []byte
	keep := func(name string, value []byte) {
		if string(value) != "null" {
			rest = appendMember(rest, name, value)
		}
	}
	for name, value := range jsonwalk.Members(value) {
		switch name {
		case "role":
			m.Role, _ = jsonwalk.Text(value)
		case "content":
			readContent(&m, value)
		case "name":
			keepUnlessText(&m.Name, name, value, keep)
		case "tool_call_id":
			keepUnlessText(&m.ToolCallID, name, value, keep)
		case "tool_calls":
			if !readCalls(&m, value) {
				keep(name, value)
			}
		case "tool_call_ids": // SWE-agent: the calls that a message answers, most often one
			if ids := elements(value); len(ids) == 1 {
				keepUnlessText(&m.ToolCallID, name, ids[0], keep)
			} else {
				keep(name, value)
			}
		case "from": // ShareGPT
			from = value
		case "value":
			said = value
		case "function": // Inspect: the tool that answered
			keepUnlessText(&m.Name, name, value, keep)
		case "is_demo": // SWE-agent
			if string(value) == "true" {
				t.demos = len(t.messages) + 1
			}
			keep(name, value)
		default:
			keep(name, value)
		}
	}
	if speaker, ok := jsonwalk.Text(from); ok && m.Role == "" && said != nil && m.NoContent == rollout.Missing {
		m.Role = rollout.RoleOfShareGPT(speaker)
		readContent(&m, said)
		from, said = nil, nil
	}
	for _, left := range [...]member{{"from", from}, {"value", said}} {
		if left.value != nil {
			keep(left.name, left.value)
		}
	}
	if m.Role == "" {
		return &Error{CodeFieldMissing, fmt.Sprintf("message %d of %q has no role; want {role, content}", len(t.messages), name)}
	}
	t.messages = append(t.messages, m)
	t.rest = append(t.rest, closed(rest))
	t.anyRest = t.anyRest || rest != nil
	return nil
}

func readContent(m *rollout.Message, value []byte) {
	m.Content, m.Parts, m.NoContent = "", "", rollout.Present
	if text, ok := jsonwalk.Text(value); ok {
		m.Content = text
	} else if isNull(value) {
		m.NoContent = rollout.Null
	} else {
		m.Parts = compact(value)
	}
}

func keepUnlessText(dst *string, name string, value []byte, keep func(string, []byte)) {
	if text, ok := jsonwalk.Text(value); ok {
		*dst = text
	} else {
		keep(name, value)
	}
}

// readCalls reads the calls of an assistant message. It returns false when
// they hold more than rollout.ToolCall does.
func readCalls(m *rollout.Message, value []byte) (exact bool) {
	m.ToolCalls = nil
	exact = isKind(value, '[')
	for call := range jsonwalk.Elements(value) {
		c, whole, _ := rollout.ParseToolCall(string(call))
		exact = exact && whole
		m.ToolCalls = append(m.ToolCalls, c)
	}
	return exact
}

// restJSON returns what the messages hold beyond their fields, nil when that is
// nothing.
func (t *transcript) restJSON() []byte {
	if !t.anyRest {
		return nil
	}
	list := []byte{'['}
	for i, rest := range t.rest {
		if i > 0 {
			list = append(list, ',')
		}
		if rest == nil {
			rest = []byte("null")
		}
		list = append(list, rest...)
	}
	return append(list, ']')
}
