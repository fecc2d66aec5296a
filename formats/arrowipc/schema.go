package arrowipc

import (
	"math/bits"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/rollmill/rollmill/formats/rollout"
)

// SchemaKey is the key of the schema's metadata under which the version of the
// columns stands. Files that have it are read column by column, and their
// column "extra" wins over the others; all other files are read as records.
const SchemaKey = "rollmill_schema"

// SchemaVersion is the version of the columns that this package writes.
const SchemaVersion = "1"

var (
	textType  = arrow.BinaryTypes.String
	intType   = arrow.PrimitiveTypes.Int64
	floatType = arrow.PrimitiveTypes.Float64

	statusType = &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: textType}

	functionType = structOf("name", textType, "arguments", textType)
	callType     = structOf("id", textType, "type", textType, "function", functionType)
	callsType    = listOf(callType)
	messageType  = structOf("role", textType, "content", textType, "name", textType, "tool_call_id", textType, "tool_calls", callsType)
	messagesType = listOf(messageType)
	markerType   = structOf("name", textType, "value", floatType)
	markersType  = listOf(markerType)
	findingType  = structOf("gate", textType, "code", textType, "detail", textType)
	findingsType = listOf(findingType)
)

func structOf(namesAndTypes ...any) *arrow.StructType {
	var fields []arrow.Field
	for i := 0; i < len(namesAndTypes); i += 2 {
		fields = append(fields, arrow.Field{Name: namesAndTypes[i].(string), Type: namesAndTypes[i+1].(arrow.DataType), Nullable: true})
	}
	return arrow.StructOf(fields...)
}

// listOf returns a list type whose items are called as Arrow calls them.
func listOf(item arrow.DataType) *arrow.ListType {
	return arrow.ListOfField(arrow.Field{Name: "item", Type: item, Nullable: true})
}

// columnType returns the type of the column of one field.
func columnType(f rollout.Fields) arrow.DataType {
	switch f {
	case rollout.FieldIndex, rollout.FieldNTokens:
		return intType
	case rollout.FieldLogprob, rollout.FieldReward, rollout.FieldPriorReward:
		return floatType
	case rollout.FieldStatus:
		return statusType
	case rollout.FieldMessages:
		return messagesType
	case rollout.FieldMarkers:
		return markersType
	case rollout.FieldGates:
		return findingsType
	}
	return textType
}

// fieldOf returns the field whose column is the i-th of the schema.
func fieldOf(i int) rollout.Fields { return 1 << i }

// columnOf returns the place in the schema of the column of one field.
func columnOf(f rollout.Fields) int { return bits.TrailingZeros64(uint64(f)) }

var schema = makeSchema()

func makeSchema() *arrow.Schema {
	var fields []arrow.Field
	for i, name := range rollout.AllFields.Names() {
		fields = append(fields, arrow.Field{Name: name, Type: columnType(fieldOf(i)), Nullable: true})
	}
	meta := arrow.NewMetadata([]string{SchemaKey, "huggingface"}, []string{SchemaVersion, string(appendHubInfo(nil, fields))})
	return arrow.NewSchema(fields, &meta)
}

// Schema returns the schema of the record batches of rows (spec of rows,
// section 1.14): a column for each field, called as in row v1 and in its order,
// all of them nullable. What is JSON of any shape, the arguments of tool calls,
// tool schemas, privileged and all members without a column of their own, is
// text. Its metadata has [SchemaKey], and "huggingface" for the datasets library
// (section 9.5).
func Schema() *arrow.Schema { return schema }

// statusWords is the dictionary of judge_status: the same one in every batch,
// since a file may have only one.
var statusWords = makeStatusWords()

func makeStatusWords() *array.Data {
	var words textColumn
	words.reset()
	for s := rollout.StatusOK; s <= rollout.StatusTimeout; s++ {
		words.add(s.String())
	}
	return words.data()
}
