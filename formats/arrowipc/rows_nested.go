package arrowipc

import "github.com/rollmill/rollmill/formats/rollout"

// fill gives rows their messages, cut from one slice for all, and their calls
// from another.
func (m *messageViews) fill(rows []rollout.Row, from int) {
	all := make([]rollout.Message, m.list.count(from, from+len(rows)))
	calls := make([]rollout.ToolCall, m.countCalls(from, from+len(rows)))
	for i := range rows {
		if !m.list.has(from + i) {
			continue
		}
		first, last := m.list.items(from + i)
		n := last - first
		messages := all[:n:n]
		all = all[n:]
		for j := range messages {
			calls = m.message(&messages[j], first+j, calls)
		}
		if n > 0 {
			rows[i].Messages = messages
		}
		rows[i].Hold(rollout.FieldMessages)
	}
}

func (m *messageViews) countCalls(from, to int) (n int) {
	for i := from; i < to; i++ {
		n += m.calls.count(m.list.items(i))
	}
	return n
}

// message reads message i, and its calls into the first of free.
func (m *messageViews) message(to *rollout.Message, i int, free []rollout.ToolCall) []rollout.ToolCall {
	to.Role = m.role.get(i)
	to.Content = m.content.get(i)
	if !m.content.has(i) {
		to.NoContent = rollout.Null
	}
	to.Name = m.name.get(i)
	to.ToolCallID = m.callID.get(i)
	first, last := m.calls.items(i)
	n := last - first
	if n == 0 {
		return free
	}
	to.ToolCalls = free[:n:n]
	for j := range to.ToolCalls {
		to.ToolCalls[j] = rollout.ToolCall{
			ID: m.id.get(first + j), Type: m.kind.get(first + j),
			Name: m.function.get(first + j), Arguments: m.argument.get(first + j),
		}
	}
	return free[n:]
}

func (d *rowDecoder) fillMarkers(rows []rollout.Row, m *markerViews, from int) {
	all := make([]rollout.Marker, m.list.count(from, from+len(rows)))
	for i := range rows {
		if !m.list.has(from + i) {
			continue
		}
		first, last := m.list.items(from + i)
		n := last - first
		markers := all[:n:n]
		all = all[n:]
		for j := range markers {
			markers[j].Name = m.name.get(first + j)
			if m.value.has(first + j) {
				markers[j].Value = d.number(m.value.values[first+j])
			} else {
				markers[j].Value.Text = "null"
			}
		}
		if n > 0 {
			rows[i].Markers = markers
		}
		rows[i].Hold(rollout.FieldMarkers)
	}
}

func (g *gateViews) fill(rows []rollout.Row, from int) {
	all := make([]rollout.Finding, g.list.count(from, from+len(rows)))
	for i := range rows {
		if !g.list.has(from + i) {
			continue
		}
		first, last := g.list.items(from + i)
		n := last - first
		findings := all[:n:n]
		all = all[n:]
		for j := range findings {
			findings[j] = rollout.Finding{Gate: g.gate.get(first + j), Code: g.code.get(first + j), Detail: g.detail.get(first + j)}
		}
		if n > 0 {
			rows[i].Gates = findings
		}
		rows[i].Hold(rollout.FieldGates)
	}
}
