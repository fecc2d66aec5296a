package message

import (
	"errors"
	"fmt"
)

// Slots of a schema and its fields, as Arrow's Schema.fbs numbers them.
const (
	schemaEndianness = 0
	schemaFields     = 1
	schemaMetadata   = 2

	fieldType       = 3
	fieldDictionary = 4
	fieldChildren   = 5
	fieldMetadata   = 6

	fieldTypeType = 2
	unionType     = 14
	unionTypeIDs  = 1
	encodingID    = 0
)

const (
	maxDepth  = 64      // of fields within fields
	maxFields = 100_000 // of a schema, those within others counted
)

// ErrBigEndian is returned for the data of a machine of the other byte order.
var ErrBigEndian = errors.New("is of a big-endian machine; want little-endian")

// Schema is what is needed of a schema beside what arrow-go reads of it.
type Schema struct {
	// Dictionaries has the id of the dictionary of each field that has one, by
	// the places of the field and those that it is within: [3 0] is the first
	// child of the fourth field.
	Dictionaries []FieldDictionary
}

// FieldDictionary says which dictionary a field has.
type FieldDictionary struct {
	Path []int
	ID   int64
}

// Schema checks a schema, so that others may read it without a care, and
// returns what its fields have for dictionaries.
func (h *Head) Schema() (*Schema, error) {
	if h.Kind != KindSchema {
		return nil, fmt.Errorf("%w: want a schema first", ErrDamaged)
	}
	if h.header.i16(schemaEndianness) != 0 {
		return nil, ErrBigEndian
	}
	w := schemaWalk{}
	w.fields(h.header, schemaFields, nil)
	pairsOf(h.header, schemaMetadata)
	if h.header.f.bad || w.seen > maxFields || w.deep {
		return nil, ErrDamaged
	}
	return &w.schema, nil
}

type schemaWalk struct {
	schema Schema
	seen   int
	deep   bool
}

func (w *schemaWalk) fields(t table, field int, path []int) {
	if len(path) > maxDepth {
		w.deep = true
		return
	}
	i := 0
	t.tables(field, func(f table) {
		if w.seen++; w.seen > maxFields {
			return // the same table may stand in a vector many times
		}
		w.field(f, append(path[:len(path):len(path)], i))
		i++
	})
}

func (w *schemaWalk) field(t table, path []int) {
	if d, ok := t.table(fieldDictionary); ok {
		w.schema.Dictionaries = append(w.schema.Dictionaries, FieldDictionary{path, d.i64(encodingID)})
	}
	if kind, ok := t.table(fieldType); ok && t.u8(fieldTypeType) == unionType {
		kind.vector(unionTypeIDs, 4)
	}
	pairsOf(t, fieldMetadata)
	w.fields(t, fieldChildren, path)
}
