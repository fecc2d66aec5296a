package arrowipc

import (
	"encoding/base64"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/rollmill/rollmill/formats/internal/jsonscan"
	"github.com/rollmill/rollmill/formats/rollout"
)

// valueWriter writes values of any columns as JSON.
type valueWriter struct {
	json []byte
	bad  bool // a text was not UTF-8
}

// value appends value i of a column. Structs are objects without their nulls,
// since a struct has all names that any row has, but for "content", whose null
// says something in a message. Maps with texts for keys are objects, binary data
// is base64, times are text.
func (w *valueWriter) value(a arrow.Array, i int) {
	if isNull(a, i) {
		w.word("null")
		return
	}
	switch a := a.(type) {
	case *array.Boolean:
		w.json = strconv.AppendBool(w.json, a.Value(i))
	case *array.Int8:
		w.int(int64(a.Value(i)))
	case *array.Int16:
		w.int(int64(a.Value(i)))
	case *array.Int32:
		w.int(int64(a.Value(i)))
	case *array.Int64:
		w.int(a.Value(i))
	case *array.Uint8:
		w.int(int64(a.Value(i)))
	case *array.Uint16:
		w.int(int64(a.Value(i)))
	case *array.Uint32:
		w.int(int64(a.Value(i)))
	case *array.Uint64:
		w.json = strconv.AppendUint(w.json, a.Value(i), 10)
	case *array.Float16:
		w.float(float64(a.Value(i).Float32()), 32)
	case *array.Float32:
		w.float(float64(a.Value(i)), 32)
	case *array.Float64:
		w.float(a.Value(i), 64)
	case array.StringLike:
		w.text(a.Value(i))
	case *array.Dictionary:
		w.value(a.Dictionary(), a.GetValueIndex(i))
	case array.ExtensionArray:
		w.value(a.Storage(), i)
	case *array.Struct:
		w.object(a, i)
	case *array.Map:
		w.entries(a, i)
	case array.ListLike:
		w.list(a, i)
	case bytesArray:
		w.text(base64.StdEncoding.EncodeToString(a.Value(i)))
	case *array.Decimal32, *array.Decimal64, *array.Decimal128, *array.Decimal256:
		w.word(a.ValueStr(i))
	default:
		w.text(a.ValueStr(i))
	}
}

// isNull reports whether value i of a column is null, be it in itself, by its
// type or by what it stands for.
func isNull(a arrow.Array, i int) bool {
	switch b := a.(type) {
	case *array.Null:
		return true
	case *array.Dictionary:
		return a.IsNull(i) || isNull(b.Dictionary(), b.GetValueIndex(i))
	case array.ExtensionArray:
		return isNull(b.Storage(), i)
	}
	return a.IsNull(i)
}

// bytesArray is an array of bytes.
type bytesArray interface{ Value(i int) []byte }

func (w *valueWriter) word(s string) { w.json = append(w.json, s...) }

func (w *valueWriter) int(i int64) { w.json = strconv.AppendInt(w.json, i, 10) }

func (w *valueWriter) text(s string) {
	w.bad = w.bad || !utf8.ValidString(s)
	w.json = jsonscan.AppendString(w.json, s)
}

// float appends a float of 32 or 64 bits in its shortest form.
func (w *valueWriter) float(f float64, size int) {
	switch a := math.Abs(f); {
	case math.IsNaN(f) || math.IsInf(f, 0):
		w.word("null")
	case size == 32 && (f == 0 || a >= 1e-6 && a < 1e21):
		w.json = strconv.AppendFloat(w.json, f, 'f', -1, size)
	case size == 32:
		w.json = strconv.AppendFloat(w.json, f, 'e', -1, size)
	default:
		w.json = rollout.AppendFloat(w.json, f)
	}
}

// name appends the name of a member, with the comma that is due.
func (w *valueWriter) name(s string) {
	if w.json[len(w.json)-1] != '{' {
		w.json = append(w.json, ',')
	}
	w.text(s)
	w.json = append(w.json, ':')
}

func (w *valueWriter) object(a *array.Struct, i int) {
	w.word("{")
	for k, f := range a.DataType().(*arrow.StructType).Fields() {
		if field := a.Field(k); !isNull(field, i) || f.Name == "content" {
			w.name(f.Name)
			w.value(field, i)
		}
	}
	w.word("}")
}

func (w *valueWriter) entries(a *array.Map, i int) {
	keys, ok := a.Keys().(array.StringLike)
	if !ok {
		w.list(a, i)
		return
	}
	from, to := a.ValueOffsets(i)
	w.word("{")
	for k := int(from); k < int(to); k++ {
		w.name(keys.Value(k))
		w.value(a.Items(), k)
	}
	w.word("}")
}

func (w *valueWriter) list(a array.ListLike, i int) {
	from, to := a.ValueOffsets(i)
	w.word("[")
	for k := from; k < to; k++ {
		if k > from {
			w.word(",")
		}
		w.value(a.ListValues(), int(k))
	}
	w.word("]")
}
