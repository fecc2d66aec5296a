package arrowipc

import (
	"maps"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/rollmill/rollmill/formats/arrowipc/internal/message"
)

// dictionaries are those of a file so far. A set is immutable: each dictionary
// that comes makes a new one, so that batches keep those that they were written
// with.
type dictionaries struct {
	fields []message.FieldDictionary
	byID   map[int64]*array.Data
}

// values returns the dictionary of the field at path.
func (d dictionaries) values(path []int) (*array.Data, bool) {
	for _, f := range d.fields {
		if slices.Equal(f.Path, path) {
			values, ok := d.byID[f.ID]
			return values, ok
		}
	}
	return nil, false
}

// with returns the set with one dictionary more, or with more values of one.
func (d dictionaries) with(id int64, delta bool, values arrow.Array) (with dictionaries, err error) {
	defer caught(&err)
	if old := d.byID[id]; delta && old != nil {
		whole, err := array.Concatenate([]arrow.Array{array.MakeFromData(old), values}, memory.DefaultAllocator)
		if err != nil {
			return d, err
		}
		values = whole
	}
	with = dictionaries{d.fields, maps.Clone(d.byID)}
	if with.byID == nil {
		with.byID = map[int64]*array.Data{}
	}
	with.byID[id] = values.Data().(*array.Data)
	return with, nil
}

// loadDictionary makes the values of a dictionary from its message.
func loadDictionary(d *message.Dictionary, b body, t arrow.DataType) (arrow.Array, error) {
	spans, err := spansOf([]arrow.Field{{Name: "dictionary", Type: t}}, d.Batch)
	if err != nil {
		return nil, err
	}
	l := loader{meta: d.Batch, body: b}
	return l.load(t, nil, spans[0])
}

// settle makes the arrays of all dictionaries within a column, which arrow-go
// would make when they are first asked for, by whichever goroutine.
func settle(a arrow.Array) {
	switch a := a.(type) {
	case *array.Dictionary:
		settle(a.Dictionary())
	case *array.Struct:
		for i := range a.NumField() {
			settle(a.Field(i))
		}
	case array.ListLike:
		settle(a.ListValues())
	case array.ExtensionArray:
		settle(a.Storage())
	}
}

// typeAt returns the type of the values of a dictionary.
func (d dictionaries) typeAt(id int64, fields []arrow.Field) (arrow.DataType, bool) {
	for _, f := range d.fields {
		if f.ID != id {
			continue
		}
		t, ok := fieldAt(fields, f.Path).(*arrow.DictionaryType)
		if !ok {
			return nil, false
		}
		return t.ValueType, true
	}
	return nil, false
}

// fieldAt returns the type of the field at a path, nil when there is none.
func fieldAt(fields []arrow.Field, path []int) arrow.DataType {
	if len(path) == 0 || path[0] >= len(fields) {
		return nil
	}
	t := fields[path[0]].Type
	if len(path) == 1 {
		return t
	}
	if e, ok := t.(arrow.ExtensionType); ok {
		t = e.StorageType()
	}
	if n, ok := t.(arrow.NestedType); ok {
		return fieldAt(n.Fields(), path[1:])
	}
	return nil
}
