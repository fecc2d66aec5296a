package rollout

import (
	"fmt"
	"strings"

	"github.com/rollmill/rollmill/formats/internal/jsonwalk"
)

// Roles of messages.
const (
	RoleSystem    = "system"
	RoleUser      = "user"
	RoleAssistant = "assistant"
	RoleTool      = "tool"
)

// agentError starts a final text that the harness wrote when the agent failed.
const agentError = "<agent error"

// Conversation returns the messages, or where the row has none the prompt and
// the final text as messages.
func (r *Row) Conversation() []Message {
	if len(r.Messages) > 0 {
		return r.Messages
	}
	c := conversation{finalText: r.FinalText}
	c.open("", r.Prompt)
	return c.finish()
}

// Rebuilt reports whether the record had no messages and the row's were rebuilt
// from its steps.
func (r *Row) Rebuilt() bool { return r.rebuilt && r.changed&FieldMessages == 0 }

// MessagesFromSteps rebuilds a conversation from the steps of a record that has
// no messages (spec of rows, sections 1.3 and 1.9). steps is JSON text: a list
// of {user}, {tool, arguments, result} and {text}, or a tool trace of {tool,
// input, output}; "" is an empty list. Arguments and results stay JSON text,
// token for token. opener is what the agent said before the prompt.
//
// A call whose result is null or absent was never answered and gets no tool
// message. User turns after the last word of the agent are left out when the
// final text does not answer them. The error says which step is no step.
func MessagesFromSteps(steps, opener, prompt, finalText string) ([]Message, error) {
	if steps != "" && steps[0] != '[' {
		return nil, fmt.Errorf("steps is %s; want a list of steps", jsonKindWord(steps[0]))
	}
	c := conversation{finalText: finalText}
	c.open(opener, prompt)
	n := 0
	for step := range jsonwalk.Elements(bytesOf(steps)) {
		if err := c.step(step); err != nil {
			return nil, fmt.Errorf("step %d: %w", n, err)
		}
		n++
	}
	return c.finish(), nil
}

// conversation is one that is being rebuilt.
type conversation struct {
	messages  []Message
	head      int // messages up to the prompt, which always stay
	finalText string
}

func (c *conversation) say(role, text string) {
	c.messages = append(c.messages, Message{Role: role, Content: text})
}

func (c *conversation) open(opener, prompt string) {
	if opener != "" {
		c.say(RoleAssistant, opener)
	}
	if prompt != "" {
		c.say(RoleUser, prompt)
	}
	c.head = len(c.messages)
}

func (c *conversation) step(step []byte) error {
	if step[0] != '{' {
		return fmt.Errorf("found %s, want an object", jsonKindWord(step[0]))
	}
	var user, tool, text, arguments, input, result, output []byte
	for name, value := range jsonwalk.Members(step) {
		switch name {
		case "user":
			user = value
		case "tool":
			tool = value
		case "text":
			text = value
		case "arguments":
			arguments = value
		case "input":
			input = value
		case "result":
			result = value
		case "output":
			output = value
		}
	}
	switch {
	case isText(user):
		said, _ := jsonwalk.Text(user)
		c.say(RoleUser, said)
	case isText(tool):
		if arguments == nil {
			arguments = input
		}
		if result == nil {
			result = output
		}
		c.call(tool, text, arguments, result)
	case isText(text):
		said, _ := jsonwalk.Text(text)
		c.say(RoleAssistant, said)
	case user != nil || tool != nil || text != nil:
		return fmt.Errorf(`"user", "tool" and "text" must be texts`)
	}
	return nil // a step of another kind says nothing
}

// call adds a call of a tool, what was said before it, and the answer.
func (c *conversation) call(tool, text, arguments, result []byte) {
	name, _ := jsonwalk.Text(tool)
	said, _ := jsonwalk.Text(text)
	c.messages = append(c.messages, Message{
		Role:      RoleAssistant,
		Content:   said,
		ToolCalls: []ToolCall{{Name: name, Arguments: textOrJSON(arguments)}},
	})
	if result != nil && string(result) != "null" {
		c.messages = append(c.messages, Message{Role: RoleTool, Name: name, Content: textOrJSON(result)})
	}
}

// finish adds the final text unless it was said.
func (c *conversation) finish() []Message {
	said := c.finalText == ""
	for i := range c.messages {
		m := &c.messages[i]
		said = said || m.Role == RoleAssistant && m.Content == c.finalText
	}
	if said && !strings.HasPrefix(c.finalText, agentError) {
		for len(c.messages) > max(c.head, 1) && c.messages[len(c.messages)-1].Role == RoleUser {
			c.messages = c.messages[:len(c.messages)-1]
		}
	}
	if said {
		return c.messages
	}
	if n := len(c.messages); n > 0 {
		if m := &c.messages[n-1]; m.Role == RoleAssistant && m.Content == "" && len(m.ToolCalls) == 0 {
			m.Content = c.finalText
			return c.messages
		}
	}
	c.say(RoleAssistant, c.finalText)
	return c.messages
}

func isText(value []byte) bool { return len(value) > 0 && value[0] == '"' }

// textOrJSON returns the text of a JSON string, and any other value as its
// JSON text; "" for none and for null.
func textOrJSON(value []byte) string {
	if text, ok := jsonwalk.Text(value); ok {
		return text
	}
	if string(value) == "null" {
		return ""
	}
	return string(value)
}

// PromptOf returns the text of the first user message. ok is false when there
// is none.
func PromptOf(messages []Message) (prompt string, ok bool) {
	for i := range messages {
		if messages[i].Role == RoleUser {
			return messages[i].Text(), true
		}
	}
	return "", false
}

// FinalTextOf returns the text of the last assistant message that has any. ok
// is false when there is none.
func FinalTextOf(messages []Message) (text string, ok bool) {
	for i := len(messages) - 1; i >= 0; i-- {
		if messages[i].Role == RoleAssistant {
			if text = messages[i].Text(); text != "" {
				return text, true
			}
		}
	}
	return "", false
}

// Text returns what the message says: its content, or the texts among the
// parts of its content joined by newlines. A message that only calls tools
// says "".
func (m *Message) Text() string {
	if m.Parts == "" {
		return m.Content
	}
	var texts []string
	for part := range jsonwalk.Elements(bytesOf(m.Parts)) {
		if text, ok := partText(part); ok {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "\n")
}

// partText returns the text of a part of a content: a bare text, or an object
// of type text, input_text or output_text.
func partText(part []byte) (text string, ok bool) {
	if text, ok = jsonwalk.Text(part); ok {
		return text, true
	}
	kind := ""
	for name, value := range jsonwalk.Members(part) {
		switch name {
		case "type":
			kind, _ = jsonwalk.Text(value)
		case "text":
			text, ok = jsonwalk.Text(value)
		}
	}
	switch kind {
	case "text", "input_text", "output_text":
		return text, ok
	}
	return "", false
}
