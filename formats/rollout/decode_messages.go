package rollout

// messagesField reads the conversation. What Message does not reproduce
// exactly keeps its whole text in Extra as well.
func (d *Decoder) messagesField(name []byte, i int) int {
	b := d.scan.Buf
	if !d.wanted(FieldMessages, name) {
		end := d.scan.Value(i)
		if end >= 0 {
			d.late.messages = view(b[i:end])
		}
		return end
	}
	if i >= len(b) || b[i] != '[' {
		return d.keep(FieldMessages, name, i)
	}
	messages, end, exact := d.messages(i)
	if end < 0 {
		return -1
	}
	d.row.Messages = messages
	d.row.has |= FieldMessages
	if !exact {
		d.keepText(FieldMessages, name, view(b[i:end]))
	}
	return end
}

// messages reads the array of messages at i.
func (d *Decoder) messages(i int) (messages []Message, end int, exact bool) {
	d.msgBuf = d.msgBuf[:0]
	d.inexact = false
	end = d.array(i, (*Decoder).message)
	return d.msgs.take(d.msgBuf), end, !d.inexact
}

// messagesOf reads a JSON text that is not part of the record's own, as the
// messages of a text within text are not.
func (d *Decoder) messagesOf(json string) (messages []Message, exact bool) {
	if json == "" || json[0] != '[' {
		return nil, false
	}
	buf, lone, nonFinite := d.scan.Buf, d.scan.Lone, len(d.scan.NonFinite)
	d.scan.Buf = bytesOf(json)
	messages, _, exact = d.messages(0)
	d.scan.Buf, d.scan.Lone, d.scan.NonFinite = buf, lone, d.scan.NonFinite[:nonFinite]
	return messages, exact
}

func (d *Decoder) message(i int) int {
	if b := d.scan.Buf; i >= len(b) || b[i] != '{' {
		d.inexact = true
		return d.scan.Value(i)
	}
	d.msg = Message{NoContent: Missing}
	seen := d.late.seen
	d.late.seen = 0
	end := d.object(i, (*Decoder).messageMember)
	if d.late.seen&memberRole == 0 {
		d.inexact = true // a role is always written
	}
	d.late.seen = seen
	d.msgBuf = append(d.msgBuf, d.msg)
	return end
}

// Members of messages and calls, to notice those that stand twice.
const (
	memberRole = Fields(1) << iota
	memberContent
	memberName
	memberToolCallID
	memberToolCalls
	memberID
	memberType
	memberFunction
	memberArguments
)

func (d *Decoder) once(f Fields) {
	if d.late.seen&f != 0 {
		d.notes.DuplicateNames++
	}
	d.late.seen |= f
}

func (d *Decoder) messageMember(name []byte, i int) int {
	m := &d.msg
	switch string(name) {
	case "role":
		d.once(memberRole)
		return d.memberText(&m.Role, i, true)
	case "content":
		d.once(memberContent)
		return d.content(i)
	case "name":
		d.once(memberName)
		return d.memberText(&m.Name, i, false)
	case "tool_call_id":
		d.once(memberToolCallID)
		return d.memberText(&m.ToolCallID, i, false)
	case "tool_calls":
		d.once(memberToolCalls)
		return d.toolCalls(i)
	case "from":
		return d.shareRole(i)
	case "value":
		return d.shareContent(i)
	}
	d.inexact = true
	return d.scan.Value(i)
}

// memberText reads a text. One that is empty is written only if emptyWritten.
func (d *Decoder) memberText(dst *string, i int, emptyWritten bool) int {
	if b := d.scan.Buf; i >= len(b) || b[i] != '"' {
		d.inexact = true
		*dst = ""
		return d.scan.Value(i)
	}
	text, end, exact := d.string(i)
	*dst = text
	if !exact || text == "" && !emptyWritten {
		d.inexact = true
	}
	return end
}

func (d *Decoder) content(i int) int {
	m := &d.msg
	m.Content, m.Parts, m.NoContent = "", "", Present
	b := d.scan.Buf
	if i < len(b) && b[i] == '"' {
		return d.memberText(&m.Content, i, true)
	}
	end := d.scan.Value(i)
	if end < 0 {
		return -1
	}
	if text := view(b[i:end]); text == "null" {
		m.NoContent = Null
	} else {
		m.Parts = text
	}
	return end
}

func (d *Decoder) toolCalls(i int) int {
	b := d.scan.Buf
	d.msg.ToolCalls = nil
	if i >= len(b) || b[i] != '[' {
		d.inexact = true
		return d.scan.Value(i)
	}
	d.callBuf = d.callBuf[:0]
	end := d.array(i, (*Decoder).toolCall)
	if len(d.callBuf) == 0 {
		d.inexact = true // an empty list is not the same as none
	}
	d.msg.ToolCalls = d.calls.take(d.callBuf)
	return end
}

// toolCall reads a call in either spelling: {id, type, function: {name,
// arguments: text}} as on the wire, or {name, arguments: object}.
func (d *Decoder) toolCall(i int) int {
	if b := d.scan.Buf; i >= len(b) || b[i] != '{' {
		d.inexact = true
		return d.scan.Value(i)
	}
	d.call = ToolCall{}
	seen := d.late.seen
	d.late.seen = 0
	end := d.object(i, (*Decoder).callMember)
	if d.late.seen&memberFunction == 0 {
		d.inexact = true // the flat spelling is not how calls are written
	}
	d.late.seen = seen
	d.callBuf = append(d.callBuf, d.call)
	return end
}

func (d *Decoder) callMember(name []byte, i int) int {
	c := &d.call
	switch string(name) {
	case "id":
		d.once(memberID)
		return d.memberText(&c.ID, i, false)
	case "type":
		d.once(memberType)
		return d.memberText(&c.Type, i, false)
	case "function":
		d.once(memberFunction)
		if b := d.scan.Buf; i < len(b) && b[i] == '{' {
			seen := d.late.seen
			d.late.seen = 0
			end := d.object(i, (*Decoder).functionMember)
			if d.late.seen&(memberName|memberArguments) != memberName|memberArguments {
				d.inexact = true
			}
			d.late.seen = seen
			return end
		}
		d.inexact = true
		return d.scan.Value(i)
	case "name", "arguments":
		d.inexact = true
		return d.functionMember(name, i)
	}
	d.inexact = true
	return d.scan.Value(i)
}

func (d *Decoder) functionMember(name []byte, i int) int {
	c := &d.call
	switch string(name) {
	case "name":
		d.once(memberName)
		return d.memberText(&c.Name, i, true)
	case "arguments":
		d.once(memberArguments)
		b := d.scan.Buf
		if i < len(b) && b[i] == '"' {
			return d.memberText(&c.Arguments, i, true)
		}
		d.inexact = true
		end := d.scan.Value(i)
		if end >= 0 && b[i] != 'n' {
			c.Arguments = view(b[i:end])
		}
		return end
	}
	d.inexact = true
	return d.scan.Value(i)
}
