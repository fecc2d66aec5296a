package rollout

import (
	"strings"

	"github.com/rollmill/rollmill/formats/internal/jsonscan"
	"github.com/rollmill/rollmill/formats/internal/jsonwalk"
)

// ArgumentsState says what the arguments of a tool call are worth.
type ArgumentsState uint8

const (
	ArgumentsValid   ArgumentsState = iota // a JSON object
	ArgumentsMissing                       // none were given: absent, null or an empty text
	ArgumentsInvalid                       // something else, or not JSON
)

// String returns the words for the state that counts and reports use.
func (s ArgumentsState) String() string {
	return [...]string{"arguments_valid", "arguments_missing", "arguments_invalid"}[s]
}

// maxWrapped is how often arguments may be JSON text within JSON text.
const maxWrapped = 3

// ArgumentsObject returns the arguments as the JSON text of an object. JSON
// text within JSON text is unwrapped up to three times, since models encode
// twice. Missing arguments are {}. Invalid ones come back as they are and must
// not be taken for an empty object: that would be another action.
func (c *ToolCall) ArgumentsObject() (object string, state ArgumentsState) {
	text := c.Arguments
	for range maxWrapped + 1 {
		text = strings.Trim(text, " \t\r\n")
		if text == "" || text == "null" {
			return "{}", ArgumentsMissing
		}
		s := jsonscan.Scanner{Buf: bytesOf(text)}
		if !s.Valid() || len(s.NonFinite) > 0 {
			break
		}
		if text[0] == '{' {
			return text, ArgumentsValid
		}
		inner, ok := jsonwalk.Text(bytesOf(text))
		if !ok {
			break
		}
		text = inner
	}
	return c.Arguments, ArgumentsInvalid
}

// ParseToolCall reads a call from JSON text in any spelling met: on the wire
// {id, type, function: {name, arguments: text}}, flat {name, arguments:
// object}, and {id, function: name, arguments: object}. Arguments that are a
// text are decoded, others stay JSON text; null and absent are "". exact is
// false when the text has members that a ToolCall does not hold, or values of
// other types; ok is false when there is no name.
func ParseToolCall(json string) (call ToolCall, exact, ok bool) {
	exact = true
	parseCall(&call, bytesOf(json), &exact, true)
	return call, exact, call.Name != ""
}

func parseCall(call *ToolCall, json []byte, exact *bool, outer bool) {
	text := func(dst *string, value []byte) {
		t, ok := jsonwalk.Text(value)
		*dst, *exact = t, *exact && ok
	}
	for name, value := range jsonwalk.Members(json) {
		switch {
		case name == "name":
			text(&call.Name, value)
		case name == "arguments":
			call.Arguments = textOrJSON(value)
		case outer && name == "id":
			text(&call.ID, value)
		case outer && name == "type":
			text(&call.Type, value)
		case outer && name == "function" && value[0] == '{':
			parseCall(call, value, exact, false)
		case outer && name == "function":
			text(&call.Name, value)
		default:
			*exact = false
		}
	}
}
