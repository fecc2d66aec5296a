package rollout

import (
	"math/bits"

	"github.com/rollmill/rollmill/formats/internal/jsonscan"
)

// AppendJSON appends the row as one JSON object in the form of row v1: the
// fields in schema order, then Extra. Where Extra holds the exact text of a
// field, that text stands instead of the column. The row must have been
// decoded with FieldExtra, or made by hand; of one that was made, every field
// that is not empty is written, and those that Touch named.
func (r *Row) AppendJSON(dst []byte) []byte {
	dst = append(dst, '{')
	if r.kept&fieldVersion == 0 {
		dst = append(dst, `"schema_version":"1"`...)
	}
	has := r.has
	if r.src == "" {
		has |= r.filled()
	}
	for fs := has &^ r.kept & AllFields &^ FieldExtra; fs != 0; fs &= fs - 1 {
		dst = appendName(dst, fieldNames[bits.TrailingZeros64(uint64(fs))])
		dst = r.appendField(dst, fs&-fs)
	}
	for i := range r.Extra {
		m := &r.Extra[i]
		dst = appendName(dst, m.Name)
		dst = jsonscan.AppendCompact(dst, bytesOf(m.JSON))
	}
	return append(dst, '}')
}

// appendName appends the comma that is due, the name and a colon.
func appendName(dst []byte, name string) []byte {
	if dst[len(dst)-1] != '{' {
		dst = append(dst, ',')
	}
	return append(jsonscan.AppendString(dst, name), ':')
}

// appendField appends the JSON of the value of one field.
func (r *Row) appendField(dst []byte, f Fields) []byte {
	switch f {
	case FieldID:
		return jsonscan.AppendString(dst, r.ID)
	case FieldTaskID:
		return jsonscan.AppendString(dst, r.TaskID)
	case FieldGroupID:
		return jsonscan.AppendString(dst, r.GroupID)
	case FieldIndex:
		return r.Index.appendJSON(dst)
	case FieldPrompt:
		return jsonscan.AppendString(dst, r.Prompt)
	case FieldMessages:
		return AppendMessages(dst, r.Messages)
	case FieldTools:
		return appendText(dst, r.Tools)
	case FieldFinalText:
		return jsonscan.AppendString(dst, r.FinalText)
	case FieldFinishReason:
		return jsonscan.AppendString(dst, r.FinishReason)
	case FieldLogprob:
		return r.Logprob.appendJSON(dst)
	case FieldNTokens:
		return r.NTokens.appendJSON(dst)
	case FieldReward:
		return r.Reward.appendJSON(dst)
	case FieldPriorReward:
		return r.PriorReward.appendJSON(dst)
	case FieldStatus:
		return jsonscan.AppendString(dst, r.Status.String())
	case FieldReason:
		return jsonscan.AppendString(dst, r.Reason)
	case FieldJudge:
		return jsonscan.AppendString(dst, r.Judge)
	case FieldLabelSource:
		return jsonscan.AppendString(dst, r.LabelSource)
	case FieldMarkers:
		return appendMarkers(dst, r.Markers)
	case FieldPrivileged:
		return appendText(dst, r.Privileged)
	case FieldGate:
		return jsonscan.AppendString(dst, r.Gate)
	case FieldGates:
		return appendFindings(dst, r.Gates)
	}
	panic("rollout: appendField of no field")
}

func (v Value) appendJSON(dst []byte) []byte { return appendText(dst, v.Text) }

// appendText appends JSON text, null for none, without white space.
func appendText(dst []byte, json string) []byte {
	if json == "" {
		return append(dst, "null"...)
	}
	return jsonscan.AppendCompact(dst, bytesOf(json))
}

// AppendMessages appends messages as a JSON array in the OpenAI shape, with
// the arguments of calls as text.
func AppendMessages(dst []byte, messages []Message) []byte {
	dst = append(dst, '[')
	for i := range messages {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = messages[i].appendJSON(dst)
	}
	return append(dst, ']')
}

func (m *Message) appendJSON(dst []byte) []byte {
	dst = append(dst, `{"role":`...)
	dst = jsonscan.AppendString(dst, m.Role)
	switch {
	case m.Parts != "":
		dst = append(dst, `,"content":`...)
		dst = appendText(dst, m.Parts)
	case m.NoContent == Null && m.Content == "":
		dst = append(dst, `,"content":null`...)
	case m.NoContent == Present || m.Content != "":
		dst = append(dst, `,"content":`...)
		dst = jsonscan.AppendString(dst, m.Content)
	}
	if m.Name != "" {
		dst = append(dst, `,"name":`...)
		dst = jsonscan.AppendString(dst, m.Name)
	}
	if m.ToolCallID != "" {
		dst = append(dst, `,"tool_call_id":`...)
		dst = jsonscan.AppendString(dst, m.ToolCallID)
	}
	for i := range m.ToolCalls {
		if i == 0 {
			dst = append(dst, `,"tool_calls":[`...)
		} else {
			dst = append(dst, ',')
		}
		dst = m.ToolCalls[i].appendJSON(dst)
	}
	if len(m.ToolCalls) > 0 {
		dst = append(dst, ']')
	}
	return append(dst, '}')
}

func (c *ToolCall) appendJSON(dst []byte) []byte {
	dst = append(dst, '{')
	if c.ID != "" {
		dst = jsonscan.AppendString(appendName(dst, "id"), c.ID)
	}
	if c.Type != "" {
		dst = jsonscan.AppendString(appendName(dst, "type"), c.Type)
	}
	dst = append(appendName(dst, "function"), `{"name":`...)
	dst = jsonscan.AppendString(dst, c.Name)
	dst = append(dst, `,"arguments":`...)
	dst = jsonscan.AppendString(dst, c.Arguments)
	return append(dst, "}}"...)
}

func appendMarkers(dst []byte, markers []Marker) []byte {
	dst = append(dst, '{')
	for i := range markers {
		dst = markers[i].Value.appendJSON(appendName(dst, markers[i].Name))
	}
	return append(dst, '}')
}

func appendFindings(dst []byte, findings []Finding) []byte {
	dst = append(dst, '[')
	for i, f := range findings {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, '{')
		for _, m := range [...]struct{ name, text string }{{"gate", f.Gate}, {"code", f.Code}, {"detail", f.Detail}} {
			if m.text != "" {
				dst = jsonscan.AppendString(appendName(dst, m.name), m.text)
			}
		}
		dst = append(dst, '}')
	}
	return append(dst, ']')
}
