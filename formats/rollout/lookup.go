package rollout

import (
	"iter"
	"strings"

	"github.com/rollmill/rollmill/formats/internal/jsonscan"
	"github.com/rollmill/rollmill/formats/internal/jsonwalk"
)

// The functions here look into JSON text that a row carries: Privileged, Tools,
// the arguments of a call, a member of Extra. That text was checked when the row
// was read. What they give is part of it, and only a text with escapes is copied.

// MemberOf returns the JSON text of a member of the object in json, "" when it
// is no object or has no such member. The last of several of one name counts.
func MemberOf(json, name string) (value string) {
	for n, v := range jsonwalk.Members(bytesOf(json)) {
		if n == name {
			value = view(v)
		}
	}
	return value
}

// MembersOf yields the members of the object in json: names decoded, values as
// JSON text. It yields nothing for another value.
func MembersOf(json string) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for n, v := range jsonwalk.Members(bytesOf(json)) {
			if !yield(n, view(v)) {
				return
			}
		}
	}
}

// ElementsOf yields the elements of the list in json as JSON text. It yields
// nothing for another value.
func ElementsOf(json string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for v := range jsonwalk.Elements(bytesOf(json)) {
			if !yield(view(v)) {
				return
			}
		}
	}
}

// TextOf returns the text of a JSON string; ok is false for any other value.
func TextOf(json string) (text string, ok bool) {
	if len(json) < 2 || json[0] != '"' || json[len(json)-1] != '"' {
		return "", false
	}
	inner := json[1 : len(json)-1]
	if strings.IndexByte(inner, '\\') < 0 {
		return inner, true
	}
	out, _ := jsonscan.AppendText(make([]byte, 0, len(inner)+jsonscan.Slack), bytesOf(inner))
	return view(out), true
}

// ScalarText returns a JSON value as text: that of a string, nothing for null,
// and of any other value its JSON.
func ScalarText(json string) string {
	if text, ok := TextOf(json); ok {
		return text
	}
	if json == "null" {
		return ""
	}
	return json
}

// AppendText appends a text as a JSON string.
func AppendText(dst []byte, text string) []byte { return jsonscan.AppendString(dst, text) }

// IsJSON reports whether a text is one JSON value, with white space around it
// or not. Bare NaN and Infinity are none.
func IsJSON(text string) bool {
	s := jsonscan.Scanner{Buf: bytesOf(text)}
	return s.Valid() && len(s.NonFinite) == 0
}
