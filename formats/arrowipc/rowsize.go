package arrowipc

import "github.com/rollmill/rollmill/formats/rollout"

// rowSize is how many bytes of text a row holds, by which record batches are
// cut: it depends on what the row says, and on nothing else.
func rowSize(r *rollout.Row) int {
	n := len(r.ID) + len(r.TaskID) + len(r.GroupID) + len(r.Prompt) + len(r.Tools) + len(r.FinalText) +
		len(r.FinishReason) + len(r.Reason) + len(r.Judge) + len(r.LabelSource) + len(r.Privileged) + len(r.Gate)
	for i := range r.Messages {
		m := &r.Messages[i]
		n += len(m.Role) + len(m.Content) + len(m.Parts) + len(m.Name) + len(m.ToolCallID)
		for j := range m.ToolCalls {
			c := &m.ToolCalls[j]
			n += len(c.ID) + len(c.Type) + len(c.Name) + len(c.Arguments)
		}
	}
	for i := range r.Markers {
		n += len(r.Markers[i].Name)
	}
	for i := range r.Gates {
		n += len(r.Gates[i].Gate) + len(r.Gates[i].Code) + len(r.Gates[i].Detail)
	}
	for i := range r.Extra {
		n += len(r.Extra[i].Name) + len(r.Extra[i].JSON)
	}
	return n
}
