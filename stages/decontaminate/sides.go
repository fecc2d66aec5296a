package decontaminate

import (
	"github.com/rollmill/rollmill/formats/rollout"
)

// sideMembers hold what a record of a trainer says. What of it is the conversation
// is among the row's messages; the others are sides of it.
var sideMembers = [...]string{"chosen", "rejected", "completion", "conversations", "conversation"}

// eachSide yields what the record of a trainer says and no message does.
func eachSide(row *rollout.Row, yield func(Place, string)) {
	for _, name := range sideMembers {
		json, there := memberOf(row, name)
		if !there {
			continue
		}
		for i, m := range rollout.Turns(json, rollout.RoleAssistant) {
			if text := m.Text(); text != "" && text != row.FinalText && !isSaid(row.Messages, &m, text) {
				yield(Place{Part: Sides, Message: i, Call: -1, Role: m.Role, Member: name}, text)
			}
			for c := range m.ToolCalls {
				yield(Place{Part: Sides, Message: i, Call: c, Role: m.Role, Member: name}, m.ToolCalls[c].Arguments)
			}
		}
	}
}

func isSaid(messages []rollout.Message, m *rollout.Message, text string) bool {
	for i := range messages {
		if messages[i].Role == m.Role && messages[i].Text() == text {
			return true
		}
	}
	return false
}

// textOfSide is the text at a place of a side.
func (p Place) textOfSide(row *rollout.Row) string {
	json, _ := memberOf(row, p.Member)
	m := rollout.Turns(json, rollout.RoleAssistant)[p.Message]
	if p.Call >= 0 {
		return m.ToolCalls[p.Call].Arguments
	}
	return m.Text()
}
