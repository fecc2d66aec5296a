package selection

import (
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rollmill/rollmill/formats/rollout"
)

// member is the JSON text of a member that rows have no field for, "" for none.
func member(r *rollout.Row, name string) string {
	for i := range r.Extra {
		if r.Extra[i].Name == name {
			return r.Extra[i].JSON
		}
	}
	return ""
}

// memberOf is the JSON text of a member of an object, "" for none. The last of
// two of one name counts.
func memberOf(object, name string) (value string) {
	for m := range membersOf(object) {
		if m.Name == name {
			value = m.JSON
		}
	}
	return value
}

// membersOf yields the members of an object, as far as it is one.
func membersOf(object string) func(yield func(rollout.Member) bool) {
	return func(yield func(rollout.Member) bool) {
		if !strings.HasPrefix(object, "{") {
			return
		}
		d := jsontext.NewDecoder(strings.NewReader(object), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
		if _, err := d.ReadToken(); err != nil {
			return
		}
		for d.PeekKind() == '"' {
			name, err := d.ReadToken()
			if err != nil {
				return
			}
			m := rollout.Member{Name: name.String()}
			value, err := d.ReadValue()
			if err != nil {
				return
			}
			m.JSON = string(value)
			if !yield(m) {
				return
			}
		}
	}
}

// textOf is the text of a JSON string, "" of any other value.
func textOf(json string) string {
	if !strings.HasPrefix(json, `"`) {
		return ""
	}
	if plain := json[1 : len(json)-1]; strings.IndexByte(plain, '\\') < 0 {
		return plain
	}
	text, _ := jsontext.AppendUnquote(nil, json)
	return string(text)
}

// numberOf is a JSON number.
func numberOf(json string) (x float64, ok bool) {
	if json == "" || json[0] != '-' && (json[0] < '0' || json[0] > '9') {
		return 0, false
	}
	x, err := strconv.ParseFloat(json, 64)
	return x, err == nil
}

// truthy tells whether a value counts as one, as in Python: neither absent, nor
// null, false, zero or empty.
func truthy(json string) bool {
	switch json {
	case "", "null", "false", `""`, "[]", "{}":
		return false
	}
	if x, ok := numberOf(json); ok {
		return x != 0
	}
	return json[0] != '[' && json[0] != '{' || strings.Trim(json[1:len(json)-1], " \t\r\n") != ""
}
