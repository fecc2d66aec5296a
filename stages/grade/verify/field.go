package verify

import (
	"fmt"
	"strings"

	"github.com/rollmill/rollmill/formats/rollout"
)

// Field is where a row holds an answer or a reference. The zero Field is the
// place where a verifier looks by itself.
type Field struct {
	name    string
	needs   rollout.Fields
	read    func(*rollout.Row) string // JSON text, or text as it is when plain
	plain   bool
	private bool     // what it holds only the grader may know
	path    []string // below what read gives
}

// ParseField reads the name of a field: that of a field of row v1, or
// privileged.NAME, markers.NAME, or that of any other member of the record, with
// dots between the names of members within members, as in info.answer. A number
// names an element of a list. A backslash takes a dot behind it as part of a name.
func ParseField(name string) (Field, error) {
	path := rollout.SplitPath(name)
	for _, part := range path {
		if part == "" {
			return Field{}, fmt.Errorf("verify: field %q: a name in it is empty", name)
		}
	}
	f := Field{name: name, path: path[1:]}
	column, ok := rollout.FieldNamed(path[0])
	if !ok {
		if path[0] == "extra" && len(path) > 1 {
			path, f.path = path[1:], path[2:]
		}
		first := path[0]
		f.needs = rollout.FieldExtra
		f.read = func(r *rollout.Row) string { return r.ExtraText(first) }
		return f, nil
	}
	f.needs = column
	switch f.read = columnOf(column); {
	case f.read != nil:
	case column == rollout.FieldMarkers && len(path) == 2:
		f.read, f.path = func(r *rollout.Row) string { return r.MarkerText(path[1]) }, nil
	default:
		if f.read = rollout.TextReader(column); f.read == nil {
			return Field{}, fmt.Errorf("verify: field %q holds no single value", name)
		}
		if f.plain = true; len(f.path) > 0 {
			return Field{}, fmt.Errorf("verify: field %q: %s has no members", name, path[0])
		}
	}
	f.private = column == rollout.FieldPrivileged
	return f, nil
}

// columnOf returns what reads the JSON text that a field of a row holds, nil where
// it holds none.
func columnOf(f rollout.Fields) func(*rollout.Row) string {
	switch f {
	case rollout.FieldPrivileged:
		return func(r *rollout.Row) string { return r.Privileged }
	case rollout.FieldTools:
		return func(r *rollout.Row) string { return r.Tools }
	}
	return rollout.NumberReader(f)
}

// Name is the name as it was given, "" of the zero Field.
func (f Field) Name() string { return f.name }

// IsZero reports whether no field is named.
func (f Field) IsZero() bool { return f.read == nil }

// json is the JSON text of what a row holds there; ok is false where it holds
// nothing or null. A plain text has none.
func (f *Field) json(r *rollout.Row) string {
	value := f.read(r)
	for _, name := range f.path {
		value = below(value, name)
	}
	return value
}

// below is a member of an object or an element of a list, "" where there is none.
func below(json, name string) string {
	if !strings.HasPrefix(json, "[") {
		return rollout.MemberOf(json, name)
	}
	number := 0
	for i := range len(name) {
		if name[i]-'0' > 9 || i > 8 {
			return ""
		}
		number = 10*number + int(name[i]-'0')
	}
	for element := range rollout.ElementsOf(json) {
		if number == 0 {
			return element
		}
		number--
	}
	return ""
}

// text is what a row holds there, as text: a text as it is, any other value as
// its JSON.
func (f *Field) text(r *rollout.Row) string {
	if f.plain {
		return f.read(r)
	}
	return rollout.ScalarText(f.json(r))
}
