package parquet

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"sync"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
	"github.com/rollmill/rollmill/formats/rollout"
)

// What the footer of our files says beside the schema.
const (
	application   = "rollmill"
	schemaVersion = "1"

	keyVersion     = "rollmill.schema"
	keyInexact     = "rollmill.inexact" // fields that stand in extra in some row
	keyHuggingFace = "huggingface"
)

// huggingFace tells the features of the columns as the package datasets reads
// them, lists in the older notation that all its versions know (spec of rows,
// section 9.5).
func huggingFace() string {
	var b strings.Builder
	b.WriteString(`{"info":{"features":`)
	writeFeatures(&b, schema.Fields())
	b.WriteString(`}}`)
	return b.String()
}

func writeFeatures(b *strings.Builder, fields []parquet.Field) {
	b.WriteByte('{')
	for i, f := range fields {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`"` + f.Name() + `":`)
		switch {
		case f.Leaf():
			dtype := map[parquet.Kind]string{parquet.ByteArray: "string", parquet.Int64: "int64", parquet.Double: "float64"}[f.Type().Kind()]
			b.WriteString(`{"dtype":"` + dtype + `","_type":"Value"}`)
		case f.Fields()[0].Repeated():
			b.WriteByte('[')
			writeFeatures(b, f.Fields()[0].Fields()[0].Fields())
			b.WriteByte(']')
		default:
			writeFeatures(b, f.Fields())
		}
	}
	b.WriteByte('}')
}

// elements is the schema as a footer of ours has it.
var elements = sync.OnceValue(func() []format.SchemaElement {
	var b bytes.Buffer
	w := parquet.NewGenericWriter[record](&b)
	err := w.Close()
	var f *parquet.File
	if err == nil {
		f, err = parquet.OpenFile(bytes.NewReader(b.Bytes()), int64(b.Len()))
	}
	if err != nil {
		panic("parquet: " + err.Error()) // the schema is a constant
	}
	return f.Metadata().Schema
})

// isOurs reports whether we wrote a file, which any of three signs says. The
// footer has no checksum, so a file of ours whose signs disagree, or whose
// parts do not lie as we write them, is damaged.
func isOurs(f *parquet.File, dataEnd int64) (ours bool, err error) {
	version, hasVersion := f.Lookup(keyVersion)
	sameSchema := reflect.DeepEqual([]format.SchemaElement(f.Metadata().Schema), elements())
	switch {
	case !hasVersion && !sameSchema && !strings.HasPrefix(f.Metadata().CreatedBy, application+" "):
		return false, nil
	case hasVersion && version != schemaVersion:
		return true, fmt.Errorf("%w: schema version %.20q, want %s", ErrVersion, version, schemaVersion)
	case !sameSchema:
		return true, fmt.Errorf("%w: its schema is not that of version %s", ErrDamaged, schemaVersion)
	}
	return true, checkPlaces(f.Metadata(), dataEnd)
}

// checkPlaces checks that the columns lie one behind the other from the
// beginning of the file to dataEnd, where the indexes begin.
func checkPlaces(m *format.FileMetaData, dataEnd int64) error {
	at, rows := int64(len("PAR1")), int64(0)
	for _, g := range m.RowGroups {
		rows += g.NumRows
		if len(g.Columns) != columns {
			return fmt.Errorf("%w: a row group of %d columns, want %d", ErrDamaged, len(g.Columns), columns)
		}
		for i := range g.Columns {
			c := &g.Columns[i].MetaData
			start := c.DataPageOffset
			if c.DictionaryPageOffset != 0 {
				start = c.DictionaryPageOffset
			}
			if start != at || c.TotalCompressedSize < 0 {
				return fmt.Errorf("%w: column %s is at byte %d, want %d", ErrDamaged, pathOf(i), start, at)
			}
			if c.TotalUncompressedSize < 0 {
				return fmt.Errorf("%w: column %s has %d bytes", ErrDamaged, pathOf(i), c.TotalUncompressedSize)
			}
			at += c.TotalCompressedSize
		}
	}
	if len(m.RowGroups) > 0 {
		dataEnd = m.RowGroups[0].Columns[0].ColumnIndexOffset
	}
	if at != dataEnd || rows != m.NumRows {
		return fmt.Errorf("%w: the footer names %d rows up to byte %d, want %d rows up to %d", ErrDamaged, rows, at, m.NumRows, dataEnd)
	}
	return nil
}

// inexactOf reads which fields stand in extra in some row of a file: all of
// them unless the footer says otherwise.
func inexactOf(f *parquet.File) (rollout.Fields, error) {
	names, ok := f.Lookup(keyInexact)
	if !ok {
		return rollout.AllFields, nil
	}
	var fields rollout.Fields
	for name := range strings.SplitSeq(names, ",") {
		field, ok := rollout.FieldNamed(name)
		if !ok && name != "none" {
			return 0, fmt.Errorf("%w: the footer names a field %.20q", ErrDamaged, name)
		}
		fields |= field
	}
	return fields, nil
}

func namesOf(inexact rollout.Fields) string {
	if inexact == 0 {
		return "none"
	}
	return strings.Join(inexact.Names(), ",")
}

func pathOf(column int) string { return strings.Join(schema.Columns()[column], ".") }
