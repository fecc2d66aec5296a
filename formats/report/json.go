package report

import (
	"io"
	"reflect"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// WriteJSON writes the report for programs: all but its foot, so that it does
// not depend on the machine. Each item says its kind.
func WriteJSON(w io.Writer, r *Report) error {
	text, err := json.Marshal(r,
		jsontext.AllowInvalidUTF8(true), json.Deterministic(true), jsontext.WithIndent("  "),
		json.WithMarshalers(json.MarshalFunc(marshalItem)))
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

// marshalItem wraps an item with its kind.
func marshalItem(item Item) ([]byte, error) {
	type wrapped struct {
		Kind string         `json:"kind"`
		Item jsontext.Value `json:"item"`
	}
	var (
		text []byte
		err  error
	)
	options := json.JoinOptions(jsontext.AllowInvalidUTF8(true), json.Deterministic(true))
	if at := reflect.ValueOf(item); at.Kind() == reflect.Pointer { // the encoder passes addresses
		item = at.Elem().Interface().(Item)
	}
	switch it := item.(type) {
	case Figures:
		text, err = json.Marshal([]Figure(it), options)
	case Funnel:
		text, err = json.Marshal([]Step(it), options)
	case Findings:
		text, err = json.Marshal([]Finding(it), options)
	case Table:
		type plain Table
		text, err = json.Marshal(plain(it), options)
	case Histogram:
		type plain Histogram
		text, err = json.Marshal(plain(it), options)
	case Excerpts:
		type plain Excerpts
		text, err = json.Marshal(plain(it), options)
	}
	if err != nil {
		return nil, err
	}
	return json.Marshal(wrapped{item.kind(), text}, options)
}
