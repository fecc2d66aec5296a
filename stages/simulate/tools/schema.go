package tools

import (
	"encoding"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/rollmill/rollmill/stages/simulate/draw"
)

// schemaOf returns the JSON schema of a struct type.
func schemaOf[In any]() ([]byte, error) {
	t := reflect.TypeFor[In]()
	if t.Kind() != reflect.Struct {
		return nil, fmt.Errorf("%s is no struct", t)
	}
	return appendType(nil, t, nil, "")
}

var (
	timeType = reflect.TypeFor[time.Time]()
	textType = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// appendType appends the schema of a type. within are the structs around it,
// and more is what the field's tags add, as JSON members.
func appendType(dst []byte, t reflect.Type, within []reflect.Type, more string) ([]byte, error) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	simple := func(name string) ([]byte, error) {
		return append(dst, `{"type":"`+name+`"`+more+`}`...), nil
	}
	switch k := t.Kind(); {
	case t == timeType || reflect.PointerTo(t).Implements(textType):
		return simple("string")
	case k == reflect.String:
		return simple("string")
	case k == reflect.Bool:
		return simple("boolean")
	case k >= reflect.Int && k <= reflect.Uint64:
		return simple("integer")
	case k == reflect.Float32 || k == reflect.Float64:
		return simple("number")
	case k == reflect.Interface:
		return append(dst, "{"+strings.TrimPrefix(more, ",")+"}"...), nil
	case k == reflect.Map && t.Key().Kind() == reflect.String:
		dst = append(dst, `{"type":"object"`+more+`,"additionalProperties":`...)
	case k == reflect.Slice || k == reflect.Array:
		dst = append(dst, `{"type":"array"`+more+`,"items":`...)
	case k == reflect.Struct:
		return appendStruct(dst, t, within, more)
	default:
		return nil, fmt.Errorf("%s cannot be a parameter", t)
	}
	dst, err := appendType(dst, t.Elem(), within, "")
	return append(dst, '}'), err
}

func appendStruct(dst []byte, t reflect.Type, within []reflect.Type, more string) ([]byte, error) {
	if slices.Contains(within, t) {
		return nil, fmt.Errorf("%s contains itself", t)
	}
	within = append(within, t)
	dst = append(dst, `{"type":"object"`+more+`,"properties":{`...)
	var required []string
	first := true
	for _, f := range reflect.VisibleFields(t) {
		if !f.IsExported() || f.Anonymous {
			continue
		}
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" {
			continue
		}
		if name == "" {
			name = f.Name
		}
		if !strings.Contains(options, "omitempty") && !strings.Contains(options, "omitzero") {
			required = append(required, name)
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(draw.AppendQuoted(dst, name), ':')
		tags, err := tagsOf(f)
		if err != nil {
			return nil, err
		}
		if dst, err = appendType(dst, f.Type, within, tags); err != nil {
			return nil, fmt.Errorf("field %s: %w", f.Name, err)
		}
	}
	dst = append(dst, '}')
	if len(required) > 0 {
		dst = append(dst, `,"required":`...)
		dst = appendList(dst, required)
	}
	return append(dst, '}'), nil
}

// tagsOf returns what a field's tags say as members of its schema, each after
// a comma.
func tagsOf(f reflect.StructField) (string, error) {
	var dst []byte
	if d := f.Tag.Get("description"); d != "" {
		dst = draw.AppendQuoted(append(dst, `,"description":`...), d)
	}
	if e := f.Tag.Get("enum"); e != "" {
		if f.Type.Kind() != reflect.String {
			return "", fmt.Errorf("field %s: %w", f.Name, errors.New("only a string can have an enum tag"))
		}
		dst = appendList(append(dst, `,"enum":`...), strings.Split(e, ","))
	}
	return string(dst), nil
}

func appendList(dst []byte, texts []string) []byte {
	dst = append(dst, '[')
	for i, s := range texts {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = draw.AppendQuoted(dst, s)
	}
	return append(dst, ']')
}
