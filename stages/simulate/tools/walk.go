package tools

import (
	"bytes"
	"iter"

	"github.com/go-json-experiment/json/jsontext"
)

// members goes through the members of a JSON object in their order; there are
// none where the value is no object.
func members(value jsontext.Value) iter.Seq2[string, jsontext.Value] {
	return func(yield func(string, jsontext.Value) bool) {
		d := jsontext.NewDecoder(bytes.NewReader(value))
		if begin, err := d.ReadToken(); err != nil || begin.Kind() != '{' {
			return
		}
		for d.PeekKind() == '"' {
			name, err := d.ReadToken()
			if err != nil {
				return
			}
			text := name.String()
			member, err := d.ReadValue()
			if err != nil || !yield(text, member.Clone()) {
				return
			}
		}
	}
}

// elements goes through the elements of a JSON list; there are none where the
// value is no list.
func elements(value jsontext.Value) iter.Seq[jsontext.Value] {
	return func(yield func(jsontext.Value) bool) {
		d := jsontext.NewDecoder(bytes.NewReader(value))
		if begin, err := d.ReadToken(); err != nil || begin.Kind() != '[' {
			return
		}
		for d.PeekKind() != ']' {
			element, err := d.ReadValue()
			if err != nil || !yield(element.Clone()) {
				return
			}
		}
	}
}

// textOf returns the text that a JSON string stands for.
func textOf(value jsontext.Value) (text string, ok bool) {
	if value.Kind() != '"' {
		return "", false
	}
	raw, err := jsontext.AppendUnquote(nil, value)
	return string(raw), err == nil
}
