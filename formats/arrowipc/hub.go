package arrowipc

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/rollmill/rollmill/formats/internal/jsonscan"
)

// appendHubInfo appends the JSON that Hugging Face's datasets library wants
// under the key "huggingface": the features that the columns are (spec of rows,
// section 9.5), with lists in the older notation that all its versions read.
func appendHubInfo(dst []byte, fields []arrow.Field) []byte {
	dst = append(dst, `{"info":{"features":`...)
	dst = appendFeatures(dst, fields)
	return append(dst, "}}"...)
}

func appendFeatures(dst []byte, fields []arrow.Field) []byte {
	dst = append(dst, '{')
	for i, f := range fields {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(jsonscan.AppendString(dst, f.Name), ':')
		dst = appendFeature(dst, f.Type)
	}
	return append(dst, '}')
}

func appendFeature(dst []byte, t arrow.DataType) []byte {
	switch t := t.(type) {
	case *arrow.StructType:
		return appendFeatures(dst, t.Fields())
	case *arrow.ListType:
		return append(appendFeature(append(dst, '['), t.Elem()), ']')
	case *arrow.DictionaryType: // the library reads it as what it stands for
		return appendFeature(dst, t.ValueType)
	}
	name, ok := map[arrow.Type]string{arrow.STRING: "string", arrow.INT64: "int64", arrow.FLOAT64: "float64"}[t.ID()]
	if !ok {
		panic(fmt.Sprintf("arrowipc: no feature for %v", t))
	}
	return append(dst, `{"dtype":"`+name+`","_type":"Value"}`...)
}
