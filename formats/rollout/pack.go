package rollout

import (
	"encoding/binary"
	"errors"
	"math"
)

// A packed row is what a program sets aside and takes back within one run, such
// as rows that it writes in another order later: it is made and read at the speed
// of copying. It is no format to keep; see AppendJSON.

// ErrPacked is returned for bytes that are no packed row.
var ErrPacked = errors.New("rollout: not a packed row")

// AppendPacked appends the row in a form from which [Unpacker] makes it again: all
// its fields and members, but neither its position nor its source.
func (r *Row) AppendPacked(dst []byte) []byte {
	fields := r.has | r.filled()
	if len(r.Extra) > 0 {
		fields |= FieldExtra
	}
	dst = binary.AppendUvarint(dst, uint64(fields))
	dst = binary.AppendUvarint(dst, uint64(r.has))
	dst = binary.AppendUvarint(dst, uint64(r.kept))
	dst = append(dst, packedBool(r.rebuilt))
	for fs := fields & AllFields; fs != 0; fs &= fs - 1 {
		dst = r.appendPacked(dst, fs&-fs)
	}
	return dst
}

func packedBool(b bool) byte {
	if b {
		return 1
	}
	return 0
}

func packText(dst []byte, s string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}

func packValue(dst []byte, v Value) []byte {
	return binary.LittleEndian.AppendUint64(packText(dst, v.Text), math.Float64bits(v.Num))
}

func (r *Row) appendPacked(dst []byte, f Fields) []byte {
	if t := r.textField(f); t != nil {
		return packText(dst, *t)
	}
	if v := r.number(f); v != nil {
		return packValue(dst, *v)
	}
	switch f {
	case FieldStatus:
		return append(dst, byte(r.Status))
	case FieldMessages:
		return packMessages(dst, r.Messages)
	case FieldMarkers:
		dst = binary.AppendUvarint(dst, uint64(len(r.Markers)))
		for i := range r.Markers {
			dst = packValue(packText(dst, r.Markers[i].Name), r.Markers[i].Value)
		}
	case FieldGates:
		dst = binary.AppendUvarint(dst, uint64(len(r.Gates)))
		for i := range r.Gates {
			g := &r.Gates[i]
			dst = packText(packText(packText(dst, g.Gate), g.Code), g.Detail)
		}
	case FieldExtra:
		dst = binary.AppendUvarint(dst, uint64(len(r.Extra)))
		for i := range r.Extra {
			dst = packText(packText(dst, r.Extra[i].Name), r.Extra[i].JSON)
		}
	}
	return dst
}

func packMessages(dst []byte, messages []Message) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(messages)))
	for i := range messages {
		m := &messages[i]
		dst = packText(packText(packText(dst, m.Role), m.Content), m.Parts)
		dst = packText(packText(dst, m.Name), m.ToolCallID)
		dst = append(dst, byte(m.NoContent))
		dst = binary.AppendUvarint(dst, uint64(len(m.ToolCalls)))
		for k := range m.ToolCalls {
			c := &m.ToolCalls[k]
			dst = packText(packText(packText(packText(dst, c.ID), c.Type), c.Name), c.Arguments)
		}
	}
	return dst
}

// textField is the field of a row that is a text; nil for the others.
func (r *Row) textField(f Fields) *string {
	switch f {
	case FieldID:
		return &r.ID
	case FieldTaskID:
		return &r.TaskID
	case FieldGroupID:
		return &r.GroupID
	case FieldPrompt:
		return &r.Prompt
	case FieldTools:
		return &r.Tools
	case FieldFinalText:
		return &r.FinalText
	case FieldFinishReason:
		return &r.FinishReason
	case FieldReason:
		return &r.Reason
	case FieldJudge:
		return &r.Judge
	case FieldLabelSource:
		return &r.LabelSource
	case FieldPrivileged:
		return &r.Privileged
	case FieldGate:
		return &r.Gate
	}
	return nil
}

// Unpacker makes rows of packed ones. It is not safe for concurrent use.
type Unpacker struct {
	data []byte
	bad  bool

	messages slab[Message]
	calls    slab[ToolCall]
	markers  slab[Marker]
	gates    slab[Finding]
	members  slab[Member]
}

// Unpack makes a row of the bytes that [Row.AppendPacked] gave. The strings of the
// row point into data, which nobody may change from then on. The error is
// [ErrPacked].
func (u *Unpacker) Unpack(data []byte, r *Row) error {
	u.data, u.bad = data, false
	pos := r.Pos
	*r = Row{Pos: pos}
	fields := Fields(u.number())
	r.has, r.kept = Fields(u.number()), Fields(u.number())
	r.rebuilt = u.byte() == 1
	for fs := fields & AllFields; fs != 0 && !u.bad; fs &= fs - 1 {
		u.field(r, fs&-fs)
	}
	if u.bad || len(u.data) > 0 {
		return ErrPacked
	}
	u.data = nil
	return nil
}

func (u *Unpacker) field(r *Row, f Fields) {
	if t := r.textField(f); t != nil {
		*t = u.text()
		return
	}
	if v := r.number(f); v != nil {
		*v = u.value()
		return
	}
	switch f {
	case FieldStatus:
		r.Status = Status(u.byte())
	case FieldMessages:
		r.Messages = u.messages.cut(u.count())
		for i := range r.Messages {
			u.message(&r.Messages[i])
		}
	case FieldMarkers:
		r.Markers = u.markers.cut(u.count())
		for i := range r.Markers {
			r.Markers[i] = Marker{u.text(), u.value()}
		}
	case FieldGates:
		r.Gates = u.gates.cut(u.count())
		for i := range r.Gates {
			r.Gates[i] = Finding{u.text(), u.text(), u.text()}
		}
	case FieldExtra:
		r.Extra = u.members.cut(u.count())
		for i := range r.Extra {
			r.Extra[i] = Member{u.text(), u.text()}
		}
	}
}

func (u *Unpacker) message(m *Message) {
	*m = Message{Role: u.text(), Content: u.text(), Parts: u.text(), Name: u.text(), ToolCallID: u.text(), NoContent: Absence(u.byte())}
	m.ToolCalls = u.calls.cut(u.count())
	for i := range m.ToolCalls {
		m.ToolCalls[i] = ToolCall{u.text(), u.text(), u.text(), u.text()}
	}
}

func (u *Unpacker) number() uint64 {
	v, n := binary.Uvarint(u.data)
	if n <= 0 {
		u.bad, u.data = true, nil
		return 0
	}
	u.data = u.data[n:]
	return v
}

// count is how many items follow, none of which takes no bytes.
func (u *Unpacker) count() int {
	n := u.number()
	if n > uint64(len(u.data)) {
		u.bad, u.data = true, nil
		return 0
	}
	return int(n)
}

func (u *Unpacker) take(n int) []byte {
	if n > len(u.data) {
		u.bad, u.data = true, nil
		return nil
	}
	b := u.data[:n:n]
	u.data = u.data[n:]
	return b
}

func (u *Unpacker) byte() byte {
	if b := u.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (u *Unpacker) text() string { return view(u.take(u.count())) }

func (u *Unpacker) value() Value {
	v := Value{Text: u.text()}
	if b := u.take(8); b != nil {
		v.Num = math.Float64frombits(binary.LittleEndian.Uint64(b))
	}
	return v
}
