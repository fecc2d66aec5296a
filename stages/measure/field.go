package measure

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rollmill/rollmill/formats/rollout"
)

// Field is one thing that every row may say of itself, by which rows are
// grouped, sliced, split into runs or labelled. The zero Field says nothing.
type Field struct {
	name  string
	wants rollout.Fields
	read  func(*rollout.Row) string // JSON text, or text as it is when plain
	plain bool
	paths [][]string // below what read gives: the first that leads to something
	maybe bool       // where no row has it, nothing is said of it
}

// Input is the field that says which input a row came from, by its number.
var Input = Field{name: "@input", plain: true, read: func(r *rollout.Row) string { return strconv.FormatUint(uint64(r.Pos.Input), 10) }}

// RowKey is the field that identifies a row, by which labels find it: its id, or
// task and index, or a hash of what was said (spec of statistics, section 9.1).
var RowKey = Field{
	name: "@key", plain: true, read: (*rollout.Row).RowKey,
	wants: rollout.FieldID | rollout.FieldTaskID | rollout.FieldIndex | rollout.FieldPrompt | rollout.FieldFinalText,
}

// ParseField reads the name of a field: that of a field of row v1, or
// markers.NAME, or privileged.NAME, or that of any other member of the record,
// with dots between the names of members within members, as in
// lineage.eval_run. A backslash takes a dot behind it as part of the name. There
// are two more: @input and @key, see [Input] and [RowKey].
func ParseField(name string) (Field, error) {
	switch name {
	case "":
		return Field{}, fmt.Errorf("measure: a field has no name")
	case Input.name:
		return Input, nil
	case RowKey.name:
		return RowKey, nil
	}
	path := rollout.SplitPath(name)
	for _, part := range path {
		if part == "" {
			return Field{}, fmt.Errorf("measure: field %q has an empty name in it", name)
		}
	}
	if f, ok := rollout.FieldNamed(path[0]); ok {
		return columnField(name, f, path)
	}
	if path[0] == "extra" && len(path) > 1 {
		path = path[1:]
	}
	first := path[0]
	return Field{name: name, wants: rollout.FieldExtra, paths: [][]string{path[1:]}, read: func(r *rollout.Row) string {
		return r.ExtraText(first)
	}}, nil
}

// columnField is the field of a column of row v1.
func columnField(name string, f rollout.Fields, path []string) (Field, error) {
	field := Field{name: name, wants: f, paths: [][]string{nil}}
	switch {
	case f == rollout.FieldMarkers && len(path) == 2:
		marker := path[1]
		field.read = func(r *rollout.Row) string { return r.MarkerText(marker) }
		return field, nil
	case f == rollout.FieldPrivileged && len(path) > 1:
		field.read, field.paths = func(r *rollout.Row) string { return r.Privileged }, [][]string{path[1:]}
		return field, nil
	case len(path) > 1:
		return field, fmt.Errorf("measure: field %q: %s has no members", name, path[0])
	}
	switch field.read = rollout.TextReader(f); {
	case field.read != nil:
		field.plain = true
	case f == rollout.FieldStatus:
		field.read, field.plain = gradingStatus, true
		field.wants |= rollout.FieldExtra // words that row v1 does not know stand there
	default:
		if field.read = rollout.NumberReader(f); field.read == nil {
			return field, fmt.Errorf("measure: field %q is no single value", name)
		}
	}
	return field, nil
}

// Name is the name as it was given.
func (f Field) Name() string { return f.name }

// Fields are the fields of a row that it reads.
func (f Field) Fields() rollout.Fields { return f.wants }

// IsZero reports whether the field says nothing.
func (f Field) IsZero() bool { return f.read == nil }

// Text is what a row says, "" when it says nothing: a text as it is, any other
// value as its JSON text. A null says nothing.
func (f Field) Text(r *rollout.Row) string {
	if f.read == nil {
		return ""
	}
	return f.textIn(f.read(r))
}

// textIn is the text in what read gives.
func (f Field) textIn(raw string) string {
	if f.plain {
		return raw
	}
	return scalarText(f.valueIn(raw))
}

// valueIn is the JSON text of the value in what read gives, which is no plain
// text.
func (f Field) valueIn(raw string) (value string) {
	for _, path := range f.paths {
		if value = memberAt(raw, path); scalarText(value) != "" {
			break
		}
	}
	return value
}

// Value is what a row says, as a value that may be read as a label.
func (f Field) Value(r *rollout.Row) rollout.Value {
	if f.read == nil {
		return rollout.Value{}
	}
	text := f.read(r)
	if f.plain {
		quoted, err := jsontext.AppendQuote(nil, text)
		if text == "" || err != nil && len(quoted) == 0 {
			return rollout.Value{}
		}
		return rollout.Value{Text: string(quoted)}
	}
	v := rollout.Value{Text: f.valueIn(text)}
	if v.Kind() == rollout.KindNumber {
		v.Num, _ = strconv.ParseFloat(v.Text, 64) // beyond the range it is an infinity
	}
	return v
}

// memberAt is the JSON text at a path within JSON text, "" when there is none.
// The last of two members of one name counts.
func memberAt(json string, path []string) string {
	for _, name := range path {
		found := ""
		if !strings.HasPrefix(json, "{") {
			return ""
		}
		d := jsontext.NewDecoder(strings.NewReader(json), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
		if _, err := d.ReadToken(); err != nil {
			return ""
		}
		for d.PeekKind() == '"' {
			token, err := d.ReadToken()
			if err != nil {
				return ""
			}
			member := token.String()
			value, err := d.ReadValue()
			if err != nil {
				return ""
			}
			if member == name {
				found = string(value)
			}
		}
		json = found
	}
	return json
}
