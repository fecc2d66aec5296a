package arrowipc

import (
	"github.com/apache/arrow-go/v18/arrow"

	"github.com/rollmill/rollmill/formats/rollout"
)

// wantRecords sets the columns that are read to make records: all of them, or
// where those are of v1 the ones that wanted fields may be derived from, whose
// types it checks.
func (p *plan) wantRecords() error {
	v1 := p.recognised && p.dialect == nil
	p.wanted = make([]bool, len(p.fields))
	for i, f := range p.fields {
		p.wanted[i] = !v1 || p.named[i] || neededFor(f.Name, p.want)
	}
	if v1 {
		return p.checkTypes()
	}
	return nil
}

// neededFor reports whether fields of want are derived from a member of the name.
func neededFor(name string, want rollout.Fields) bool {
	const talk = rollout.FieldMessages | rollout.FieldPrompt | rollout.FieldFinalText
	switch name {
	case "messages", "prompt", "final_text", "steps", "tool_trace", "opener", "steps_json", "messages_json":
		return want&talk != 0
	case "task_id":
		return want.Has(rollout.FieldTaskID)
	case "grader_reason":
		return want.Has(rollout.FieldReason)
	}
	return false
}

// checkTypes holds the columns that are called as fields against the types that
// such a field can be read from.
func (p *plan) checkTypes() error {
	for i, column := range p.fields {
		f, known := columnNamed(column.Name)
		if !known || !p.wanted[i] || f == rollout.FieldExtra {
			continue
		}
		t := valueType(column.Type)
		if want, ok := readable(f, t); !ok {
			return &SchemaError{column.Name, column.Type.String(), want}
		}
	}
	return nil
}

// readable tells whether a field can be read from a column of type t, and else
// what is wanted.
func readable(f rollout.Fields, t arrow.DataType) (want string, ok bool) {
	id := t.ID()
	text := id == arrow.STRING || id == arrow.LARGE_STRING || id == arrow.STRING_VIEW || id == arrow.NULL
	number := arrow.IsInteger(id) || arrow.IsFloating(id) || arrow.IsDecimal(id) || id == arrow.BOOL
	list := id == arrow.LIST || id == arrow.LARGE_LIST || id == arrow.FIXED_SIZE_LIST
	if f&numberFields != 0 {
		return "a number (int, float or bool)", number || text
	}
	switch f {
	case rollout.FieldMessages, rollout.FieldGates:
		return "a list of structs, or JSON as utf8", text || list && isStructs(t)
	case rollout.FieldTools:
		return "a list, or JSON as utf8", text || list
	case rollout.FieldMarkers, rollout.FieldPrivileged:
		return "a struct, a map, or JSON as utf8", text || id == arrow.STRUCT || id == arrow.MAP || list && isStructs(t)
	case rollout.FieldTaskID:
		return "utf8, or an integer", text || arrow.IsInteger(id)
	}
	return "utf8 (large_utf8, utf8_view and dictionaries of them will do)", text
}

func isStructs(t arrow.DataType) bool {
	l, ok := t.(arrow.ListLikeType)
	return ok && l.Elem().ID() == arrow.STRUCT
}

// valueType is the type of the values of a column, behind dictionaries and
// extensions.
func valueType(t arrow.DataType) arrow.DataType {
	switch t := t.(type) {
	case *arrow.DictionaryType:
		return valueType(t.ValueType)
	case arrow.ExtensionType:
		return valueType(t.StorageType())
	}
	return t
}
