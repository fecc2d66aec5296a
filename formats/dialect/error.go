package dialect

import (
	"fmt"
	"unicode/utf8"
)

// Error says why a record, or a whole input, cannot be read. It quotes at most
// a few characters of it.
type Error struct {
	Code   string // one of the codes below
	Detail string // what was found and what is wanted
}

func (e *Error) Error() string { return e.Code + ": " + e.Detail }

// Codes of an Error.
const (
	CodeNotJSON      = "not_json"      // an input is no JSON text, or holds no records
	CodeNotAnObject  = "not_an_object" // a record is of another type
	CodeFieldMissing = "field_missing" // a record lacks what its dialect cannot do without
	CodeFieldType    = "field_type"    // a field is of a type that cannot be read
	CodeNoRows       = "no_rows"       // a record that should hold several rows holds none
)

func missing(name, want string) error {
	return &Error{CodeFieldMissing, fmt.Sprintf("no %q; want %s", name, want)}
}

// missingOr refuses a field that is absent, or of a wrong type.
func missingOr(name string, value []byte, want string) error {
	if value == nil {
		return missing(name, want)
	}
	return wrongType(name, value, want)
}

func wrongType(name string, value []byte, want string) error {
	return &Error{CodeFieldType, fmt.Sprintf("%q is %s; want %s", name, kindWord(value), want)}
}

// notObject refuses a record of another type than its dialect's.
func notObject(json []byte, want string) error {
	return &Error{CodeNotAnObject, fmt.Sprintf("found %s; want %s", kindWord(json), want)}
}

// kindWord names the type of a JSON value.
func kindWord(value []byte) string {
	if len(value) == 0 {
		return "nothing"
	}
	switch value[0] {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}

// excerpt is a text cut to what an error may show.
func excerpt(text string) string {
	const limit = 40
	if len(text) <= limit {
		return text
	}
	n := limit
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n] + "..."
}
