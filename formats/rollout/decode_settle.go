package rollout

import (
	"strings"

	"github.com/rollmill/rollmill/formats/internal/jsonscan"
	"github.com/rollmill/rollmill/formats/internal/jsonwalk"
)

// lateFields holds what can only be settled when the whole record was read:
// fields with two names, and those that are derived from others.
type lateFields struct {
	seen  Fields              // names of fields met
	names []string            // other names met
	many  map[string]struct{} // the same, when they are many

	scenario, task          string // JSON text, "" when absent
	reason, graderReason    string
	version, opener         string
	messages                string // only when not decoded
	steps, toolTrace        string
	stepsText, messagesText string
	metadataText            string
	trainer                 trainerFields
}

// fewNames is up to how many names a search through all of them is cheap.
const fewNames = 32

// nameSet says of a name that it is not among some, or that it may be.
type nameSet uint64

func (s *nameSet) add(name []byte)         { *s |= 1 << nameBit(name) }
func (s nameSet) mayHave(name string) bool { return s>>nameBit(bytesOf(name))&1 == 1 }

// nameBit tells apart what record fields are called: their lengths and ends differ.
func nameBit(name []byte) uint {
	if len(name) == 0 {
		return 0
	}
	return (uint(len(name))*7 + uint(name[0])*3 + uint(name[len(name)-1])) & 63
}

// repeated reports whether an unknown name was met before in this record.
func (l *lateFields) repeated(name []byte) bool {
	if l.many != nil {
		_, ok := l.many[string(name)]
		l.many[string(name)] = struct{}{}
		return ok
	}
	for _, n := range l.names {
		if n == string(name) {
			return true
		}
	}
	l.names = append(l.names, view(name))
	if len(l.names) > fewNames {
		l.many = make(map[string]struct{}, 2*fewNames)
		for _, n := range l.names {
			l.many[n] = struct{}{}
		}
	}
	return false
}

// lateField notes the text of a member that settle looks at.
func (d *Decoder) lateField(f Fields, dst *string, name []byte, i int) int {
	d.wanted(f, name)
	d.row.others.add(name)
	end := d.scan.Value(i)
	if end >= 0 {
		*dst = view(d.scan.Buf[i:end])
	}
	return end
}

// settle decides the fields that depend on several members.
func (d *Decoder) settle() {
	l := &d.late
	if l.version != "" && l.version != `"1"` {
		d.carry(fieldVersion, "schema_version", l.version)
	}
	d.settleTask()
	d.settleReason()
	d.settleLegacy()
	d.carry(0, "opener", l.opener)
	d.carry(0, "steps", l.steps)
	d.carry(0, "tool_trace", l.toolTrace)
	d.derive()
}

// carry puts a member into Extra.
func (d *Decoder) carry(f Fields, name, json string) {
	if json != "" && d.want&FieldExtra != 0 {
		d.extraBuf = append(d.extraBuf, Member{name, json})
		d.row.kept |= f
	}
}

// settleTask takes the first truthy of scenario_id and task_id as text (spec
// of statistics, section 1.1) and carries the other.
func (d *Decoder) settleTask() {
	l := &d.late
	if d.want&FieldTaskID == 0 {
		return
	}
	winner, other, otherName := l.scenario, l.task, "task_id"
	if !jsonwalk.Truthy(winner) && jsonwalk.Truthy(other) {
		winner, other, otherName = other, winner, "scenario_id"
	}
	if text, exact, ok := d.scalarText(winner); ok && (jsonwalk.Truthy(winner) || winner == `""`) {
		d.row.TaskID = text
		d.row.has |= FieldTaskID
		if !exact {
			d.carry(FieldTaskID, "scenario_id", winner)
		}
	} else {
		d.carry(FieldTaskID, "scenario_id", winner)
	}
	if otherName == "scenario_id" {
		return // it is falsy and would hide the id that counts
	}
	d.carry(0, otherName, other)
}

// settleReason takes grader_reason before reason (spec of rows, section 1.2).
// Where both stand, both stay in Extra, so that the same one wins on reading.
func (d *Decoder) settleReason() {
	l := &d.late
	if d.want&FieldReason == 0 {
		return
	}
	winner, keep := l.reason, false
	if l.graderReason != "" && l.graderReason != "null" {
		winner, keep = l.graderReason, l.reason != ""
	}
	if strings.HasPrefix(winner, `"`) {
		text, exact := d.unquote(winner)
		d.row.Reason = text
		d.row.has |= FieldReason
		keep = keep || !exact
	} else if winner != "" {
		keep = true
	}
	switch {
	case keep:
		d.carry(FieldReason, "reason", l.reason)
		d.carry(FieldReason, "grader_reason", l.graderReason)
	case l.graderReason == "null":
		d.carry(0, "grader_reason", l.graderReason)
	}
}

// settleLegacy parses the members that hold JSON as text (hf_flat). A text
// that is not JSON stays as it was.
func (d *Decoder) settleLegacy() {
	l := &d.late
	for _, m := range []struct {
		name, text string
		dst        *string
	}{
		{"steps", l.stepsText, &l.steps},
		{"messages", l.messagesText, &l.messages},
		{"metadata", l.metadataText, nil},
	} {
		if m.text == "" {
			continue
		}
		inner, ok := d.innerJSON(m.text)
		switch {
		case !ok || m.dst != nil && *m.dst != "" || m.name == "messages" && d.late.seen&FieldMessages != 0:
			d.carry(0, m.name+"_json", m.text)
		case m.dst == nil:
			d.carry(0, m.name, inner)
		default:
			*m.dst = inner
		}
	}
}

// innerJSON returns the JSON text that a JSON string holds.
func (d *Decoder) innerJSON(quoted string) (string, bool) {
	if quoted[0] != '"' {
		return "", false
	}
	text, exact := d.unquote(quoted)
	if !exact {
		return "", false
	}
	s := jsonscan.Scanner{Buf: bytesOf(text)}
	return text, s.Valid() && len(s.NonFinite) == 0
}

func (d *Decoder) unquote(quoted string) (text string, exact bool) {
	inner := bytesOf(quoted)[1 : len(quoted)-1]
	if strings.IndexByte(quoted, '\\') < 0 {
		return view(inner), true
	}
	out, exact := jsonscan.AppendText(d.text.room(len(inner)+jsonscan.Slack), inner)
	return d.text.use(out), exact
}

// scalarText reads an id as text: a string, or the token of a number or a
// boolean. exact is false when writing the text back gives another JSON.
func (d *Decoder) scalarText(json string) (text string, exact, ok bool) {
	switch {
	case json == "" || json == "null" || json[0] == '{' || json[0] == '[':
		return "", false, false
	case json[0] == '"':
		text, exact = d.unquote(json)
		return text, exact, true
	}
	return json, false, true
}
