package parquet

import "github.com/rollmill/rollmill/formats/rollout"

// list reads the beginning of a list from its columns, of which the first
// decides, and reports whether it has elements, which are still to come.
func (a *assembler) list(r *rollout.Row, f rollout.Fields, first, last int) bool {
	def := a.cols[first].def[a.cols[first].at]
	if def >= listEmpty {
		r.Hold(f)
	}
	if def > listEmpty {
		return true
	}
	for c := first; c <= last; c++ {
		a.cols[c].next()
	}
	return false
}

func (a *assembler) readMessages(rows []rollout.Row) {
	role := a.cols[colRole]
	if a.messages == nil {
		a.messages = make([]rollout.Message, 0, len(role.def))
	}
	if a.calls == nil {
		a.calls = make([]rollout.ToolCall, 0, len(a.cols[colCallID].def))
	}
	for i := range rows {
		from := len(a.messages)
		if !a.list(&rows[i], rollout.FieldMessages, colRole, colArguments) {
			continue
		}
		for again := true; again; again = role.more(1) {
			a.message()
		}
		rows[i].Messages = a.messages[from:len(a.messages):len(a.messages)]
	}
}

func (a *assembler) message() {
	var m rollout.Message
	var ok bool
	m.Role, _ = a.cols[colRole].text(listValue)
	if m.Content, ok = a.cols[colContent].text(listValue); !ok {
		m.NoContent = rollout.Null
	}
	m.Name, _ = a.cols[colName].text(listValue)
	m.ToolCallID, _ = a.cols[colToolCallID].text(listValue)
	id, from := a.cols[colCallID], len(a.calls)
	if id.def[id.at] < callElement {
		for c := colCallID; c <= colArguments; c++ {
			a.cols[c].next()
		}
	} else {
		for again := true; again; again = id.more(2) {
			var c rollout.ToolCall
			c.ID, _ = id.text(callValue)
			c.Type, _ = a.cols[colCallType].text(callValue)
			c.Name, _ = a.cols[colCallName].text(functionText)
			c.Arguments, _ = a.cols[colArguments].text(functionText)
			a.calls = append(a.calls, c)
		}
		m.ToolCalls = a.calls[from:len(a.calls):len(a.calls)]
	}
	a.messages = append(a.messages, m)
}

func (a *assembler) readMarkers(rows []rollout.Row) {
	name, value := a.cols[colMarkerName], a.cols[colMarkerValue]
	if a.markers == nil {
		a.markers = make([]rollout.Marker, 0, len(name.def))
	}
	for i := range rows {
		from := len(a.markers)
		if !a.list(&rows[i], rollout.FieldMarkers, colMarkerName, colMarkerValue) {
			continue
		}
		for again := true; again; again = name.more(1) {
			var m rollout.Marker
			m.Name, _ = name.text(listValue)
			if x, ok := value.float(listValue); ok {
				m.Value = a.numbers.of(x)
			}
			a.markers = append(a.markers, m)
		}
		rows[i].Markers = a.markers[from:len(a.markers):len(a.markers)]
	}
}

func (a *assembler) readFindings(rows []rollout.Row) {
	gate := a.cols[colFindingGate]
	if a.findings == nil {
		a.findings = make([]rollout.Finding, 0, len(gate.def))
	}
	for i := range rows {
		from := len(a.findings)
		if !a.list(&rows[i], rollout.FieldGates, colFindingGate, colFindingDetail) {
			continue
		}
		for again := true; again; again = gate.more(1) {
			var f rollout.Finding
			f.Gate, _ = gate.text(listValue)
			f.Code, _ = a.cols[colFindingCode].text(listValue)
			f.Detail, _ = a.cols[colFindingDetail].text(listValue)
			a.findings = append(a.findings, f)
		}
		rows[i].Gates = a.findings[from:len(a.findings):len(a.findings)]
	}
}
