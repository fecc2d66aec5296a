package dialect

import (
	"bytes"
	"strconv"

	"github.com/rollmill/rollmill/formats/internal/jsonscan"
	"github.com/rollmill/rollmill/formats/internal/jsonwalk"
	"github.com/rollmill/rollmill/formats/rollout"
)

// trimmed returns JSON text without the white space before it.
func trimmed(json []byte) []byte { return bytes.TrimLeft(json, " \t\r\n") }

func isNull(value []byte) bool { return len(value) == 0 || string(value) == "null" }

func isKind(value []byte, first byte) bool { return len(value) > 0 && value[0] == first }

// compact returns JSON text without the white space between its tokens.
func compact(value []byte) string { return string(jsonscan.AppendCompact(nil, value)) }

// scalarText reads a string as its text, and a number or a boolean as its token.
func scalarText(value []byte) (text string, ok bool) {
	if isNull(value) || value[0] == '{' || value[0] == '[' {
		return "", false
	}
	if text, ok = jsonwalk.Text(value); ok {
		return text, true
	}
	return string(value), true
}

// numberOf reads a number with its token, a boolean as 0 or 1, and a string as
// the text it is, which may be a number. Null and absent are absent.
func numberOf(value []byte) rollout.Value {
	switch {
	case isNull(value):
		return rollout.Value{}
	case string(value) == "true":
		return rollout.Value{Num: 1, Text: "1"}
	case string(value) == "false":
		return rollout.Value{Text: "0"}
	}
	v := rollout.Value{Text: compact(value)}
	if v.Kind() == rollout.KindNumber {
		v.Num, _ = strconv.ParseFloat(v.Text, 64) // out of range is an infinity, which is no score
	}
	return v
}

// textOrCompact returns the text of a string, and other JSON as its text; "" for
// null.
func textOrCompact(value []byte) string {
	if text, ok := jsonwalk.Text(value); ok {
		return text
	}
	if isNull(value) {
		return ""
	}
	return compact(value)
}
