package decontaminate

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/rollmill/rollmill/formats/rollout"
)

// Parts says which texts of a rollout are compared.
type Parts uint16

// The parts of a rollout. A text that stands in two of them, as the prompt does
// that is the first user message too, is compared once, as the part that comes
// first here.
const (
	Prompt        Parts = 1 << iota // the prompt field
	Final                           // the final text
	System                          // system messages, developer messages too
	User                            // user messages
	Assistant                       // assistant messages
	ToolArguments                   // the arguments of tool calls
	ToolResults                     // messages of tools
	Sides                           // what a trainer's record says beside its messages: its rejected side
	partsEnd

	// AllParts is every part there is.
	AllParts = partsEnd - 1
)

var partsNames = [...]string{"prompt", "final_text", "system", "user", "assistant", "tool_arguments", "tool_results", "sides"}

// Names lists the parts.
func (p Parts) Names() []string {
	names := []string{}
	for t := p & AllParts; t != 0; t &= t - 1 {
		names = append(names, partsNames[bits.TrailingZeros16(uint16(t))])
	}
	return names
}

// String lists the parts with commas between.
func (p Parts) String() string { return strings.Join(p.Names(), ",") }

// ParseParts reads the names of parts with commas between; all is every part.
func ParseParts(text string) (parts Parts, err error) {
	for _, name := range strings.Split(text, ",") {
		found := Parts(0)
		if name == "all" {
			found = AllParts
		}
		for i, n := range partsNames {
			if n == name {
				found = 1 << i
			}
		}
		if found == 0 {
			return 0, fmt.Errorf("decontaminate: there is no part %q; there are all, %s", name, strings.Join(partsNames[:], ", "))
		}
		parts |= found
	}
	return parts, nil
}

// Fields are the fields of a row that hold the parts, and its task.
func (p Parts) Fields() rollout.Fields {
	f := rollout.FieldTaskID
	if p&Prompt != 0 {
		f |= rollout.FieldPrompt | rollout.FieldExtra // a null prompt, or a question, stands among the others
	}
	if p&Final != 0 {
		f |= rollout.FieldFinalText
	}
	if p&^(Prompt|Final) != 0 {
		f |= rollout.FieldMessages
	}
	if p&Sides != 0 {
		f |= rollout.FieldExtra
	}
	return f
}

// Place says where in a rollout a text stands.
type Place struct {
	Part    Parts  // one part
	Message int    // the number of the message from 0 on, -1 for a field of the row
	Call    int    // for the arguments of a tool call its number within the message, else -1
	Role    string // the role of the message
	Member  string // the member of the record that holds the messages, "" for messages
}

// String says it in a few words: messages.3 (tool), messages.2.tool_calls.0, prompt.
func (p Place) String() string {
	member := p.Member
	if member == "" {
		member = "messages"
	}
	switch {
	case p.Message < 0:
		return p.Part.String()
	case p.Call >= 0:
		return fmt.Sprintf("%s.%d.tool_calls.%d", member, p.Message, p.Call)
	}
	return fmt.Sprintf("%s.%d (%s)", member, p.Message, p.Role)
}

// each yields the texts of the parts of a row in their order: fields first, then
// messages. Two texts of one content, a field and a message, are yielded once.
func (p Parts) each(row *rollout.Row, prompt string, yield func(Place, string)) {
	if p&Prompt != 0 {
		yield(Place{Part: Prompt, Message: -1, Call: -1}, prompt)
	}
	if p&Final != 0 {
		yield(Place{Part: Final, Message: -1, Call: -1}, row.FinalText)
	}
	if p&^(Prompt|Final) == 0 {
		return
	}
	for i := range row.Messages {
		m := &row.Messages[i]
		part := partOfRole(m.Role)
		if p&part != 0 {
			said := m.Text()
			same := p&Prompt != 0 && part == User && said == prompt || p&Final != 0 && part == Assistant && said == row.FinalText
			if said != "" && !same {
				yield(Place{Part: part, Message: i, Call: -1, Role: m.Role}, said)
			}
		}
		if p&ToolArguments != 0 {
			for c := range m.ToolCalls {
				yield(Place{Part: ToolArguments, Message: i, Call: c, Role: m.Role}, m.ToolCalls[c].Arguments)
			}
		}
	}
	if p&Sides != 0 {
		eachSide(row, yield)
	}
}

func partOfRole(role string) Parts {
	switch role {
	case rollout.RoleUser:
		return User
	case rollout.RoleAssistant:
		return Assistant
	case rollout.RoleTool, "function":
		return ToolResults
	}
	return System
}
