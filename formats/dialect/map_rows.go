package dialect

import (
	"fmt"
	"strconv"
	"sync"

	"github.com/rollmill/rollmill/formats/internal/jsonwalk"
	"github.com/rollmill/rollmill/formats/rollout"
)

// Rows appends the rows of rec. An error names the member that is missing or of
// a wrong type.
func (m *Mapping) Rows(dst []rollout.Row, rec Record) ([]rollout.Row, error) {
	rec.JSON = trimmed(rec.JSON)
	if !isKind(rec.JSON, '{') && !isKind(rec.JSON, '[') {
		return dst, notObject(rec.JSON, "an object")
	}
	if !m.seen.records.Load() {
		m.seen.records.Store(true)
	}
	named := rec.Pos.Record <= recordsNamed
	if named {
		m.seen.note(rec.JSON, false)
	}
	var shared mapped
	if err := m.apply(&shared, rec.JSON, false, rec.Key); err != nil {
		return dst, err
	}
	if isKind(rec.JSON, '[') {
		shared.carry("record", rec.JSON)
	}
	if m.each == nil {
		if !m.usesKey {
			shared.carryText("key", rec.Key)
		}
		shared.settle()
		return append(dst, shared.done(rec.Pos, 0)), nil
	}
	parts, err := m.parts(rec.JSON)
	if err != nil {
		return dst, err
	}
	recordTask := sync.OnceValue(func() string { return rollout.DerivedTaskID(compact(rec.JSON)) })
	n := len(dst)
	for i, part := range parts {
		if named && i < recordsNamed {
			m.seen.note(part.json, true)
		}
		row := shared.clone()
		if err := m.part(&row, part, i, rec, recordTask); err != nil {
			return dst[:n], err
		}
		dst = append(dst, row.done(rec.Pos, i))
	}
	return dst, nil
}

// part makes one row of a record that has several. recordTask derives a task
// id from the whole record.
func (m *Mapping) part(row *mapped, p part, i int, rec Record, recordTask func() string) error {
	shared := row.set
	row.set = 0
	if err := m.apply(row, p.json, true, p.key); err != nil {
		return err
	}
	own := row.set
	row.set |= shared
	if p.named {
		row.carryText("each", p.key)
	}
	if !isKind(p.json, '{') && !m.takesPart() {
		row.carry("value", p.json)
	}
	if row.set&rollout.FieldIndex == 0 {
		row.row.Index = rollout.Integer(int64(i))
		row.set |= rollout.FieldIndex
	}
	row.settle()
	if row.set&rollout.FieldTaskID != 0 {
		if !m.usesKey {
			row.carryText("key", rec.Key)
		}
		return nil
	}
	const asked = rollout.FieldPrompt | rollout.FieldMessages
	task := rec.Key
	switch {
	case task != "":
	case shared&asked != 0 && own&asked == 0:
		task = rollout.DerivedTaskID(row.row.Prompt)
	default:
		task = recordTask()
	}
	row.text(rollout.FieldTaskID, &row.row.TaskID, task)
	return nil
}

// part is what makes one row of a record that has several.
type part struct {
	key   string
	named bool // the key is a name, not a number
	json  []byte
}

// parts finds the parts of a record.
func (m *Mapping) parts(record []byte) (parts []part, err error) {
	if !m.many {
		for _, p := range m.each {
			value := get(record, p.path)
			if isNull(value) {
				return nil, missing(p.text, "a value for each member that --each names")
			}
			parts = append(parts, part{p.path[len(p.path)-1], true, value})
		}
		return parts, nil
	}
	at := m.each[0]
	list := get(record, at.path)
	switch {
	case isKind(list, '['):
		for value := range jsonwalk.Elements(list) {
			parts = append(parts, part{strconv.Itoa(len(parts)), false, value})
		}
	case isKind(list, '{'):
		for name, value := range members(list) {
			parts = append(parts, part{name, true, value})
		}
	default:
		return nil, missingOr(at.text, list, "a list or an object, of which each makes a row")
	}
	if len(parts) == 0 {
		return nil, &Error{CodeNoRows, fmt.Sprintf("%q is empty; want at least one part", at.text)}
	}
	return parts, nil
}

// apply reads the record, or a part of it: its members that are fields by their
// names, all else into Extra, and then the rules.
func (m *Mapping) apply(row *mapped, json []byte, part bool, key string) error {
	var room [fewNames]member
	object := readObject(room[:], json)
	for _, member := range object {
		gone, within := m.mappedFrom(member.name, part)
		if gone {
			continue
		}
		for _, path := range within {
			member.value = remove(member.value, path)
		}
		if member.value != nil {
			m.member(row, object, member, part)
		}
	}
	for i, r := range m.rules {
		if !m.applies(r, part) {
			continue
		}
		value := m.value(r.from, object, json, key)
		m.seen.saw(i, value)
		if isNull(value) {
			continue
		}
		if err := row.assign(r, value); err != nil {
			return err
		}
	}
	return nil
}

// value finds what a rule asks for, nil when there is nothing.
func (m *Mapping) value(from place, object object, json []byte, key string) []byte {
	switch {
	case from.key && key == "":
		return nil
	case from.key:
		return quoted(key)
	case isKind(json, '{') && len(from.path) > 0:
		return get(object.get(from.path[0]), from.path[1:])
	}
	return get(json, from.path)
}

// applies reports whether a rule reads the part, or the record.
func (m *Mapping) applies(r rule, part bool) bool {
	if r.from.key {
		return part == (m.each != nil)
	}
	return r.from.part == part
}

// beaten reports whether another spelling of a member, which counts before it,
// is in the same object.
func beaten(object object, name string) bool {
	switch name {
	case "task_id":
		return !isNull(object.get("scenario_id"))
	case "reason":
		return !isNull(object.get("grader_reason"))
	}
	return false
}

// member takes a member that no rule takes.
func (m *Mapping) member(row *mapped, object object, member member, part bool) {
	name, value := member.name, member.value
	f, ok := rollout.FieldNamed(name)
	ofRecord := m.each != nil && !part && f&(rollout.FieldID|rollout.FieldIndex) != 0
	if ok && m.ruled&f != 0 || ofRecord {
		row.carry("source."+name, value) // or it would be read as the field some day
		return
	}
	r := rule{field: f, from: place{text: name}, native: true}
	if ok && mappable.Has(f) && !isNull(value) && !beaten(object, name) && row.assign(r, value) == nil {
		return
	}
	switch name {
	case "steps":
		row.steps = value
	case "opener":
		row.opener, _ = jsonwalk.Text(value)
	case "schema_version":
		if string(value) == `"1"` {
			return // the row gets it again when it is written
		}
	}
	row.carry(name, value)
}
