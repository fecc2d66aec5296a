package tools

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Param is a parameter of a tool.
type Param struct {
	Name        string
	Type        string // string, integer, number, boolean, array, object; "" for anything
	Description string
	Required    bool
	Enum        []string // texts of the values allowed; nil for any
	Params      []Param  // of an object
}

// referring are the names of parameters that name an entity (spec of
// simulation, section 7.1).
var referring = []string{"id", "path", "file", "name", "key", "ref", "reference", "number", "repo", "asin", "sku"}

// Refers reports whether a parameter of this name names an entity, such as
// order_id, path or sku.
func Refers(name string) bool {
	name = strings.ToLower(name)
	return slices.Contains(referring, name) ||
		strings.HasSuffix(name, "_id") || strings.HasSuffix(name, "_path") || strings.HasSuffix(name, "_ref")
}

// paramsOf reads the parameters of an object's schema.
func paramsOf(schema jsontext.Value) []Param {
	var params []Param
	var required []string
	for name, value := range members(schema) {
		switch name {
		case "properties":
			for property, schema := range members(value) {
				p := paramOf(schema)
				p.Name = property
				params = append(params, p)
			}
		case "required":
			required = texts(value)
		}
	}
	for i := range params {
		params[i].Required = slices.Contains(required, params[i].Name)
	}
	return params
}

func paramOf(schema jsontext.Value) Param {
	var p Param
	for name, value := range members(schema) {
		switch name {
		case "type":
			if p.Type, _ = textOf(value); p.Type == "" { // a list of types: the first that is not null
				for _, t := range texts(value) {
					if t != "null" && p.Type == "" {
						p.Type = t
					}
				}
			}
		case "description":
			p.Description, _ = textOf(value)
		case "enum":
			p.Enum = texts(value)
		}
	}
	if p.Type == "object" {
		p.Params = paramsOf(schema)
	}
	return p
}

// texts returns the elements of a list, those that are no string as JSON.
func texts(list jsontext.Value) []string {
	var out []string
	for e := range elements(list) {
		text, ok := textOf(e)
		if !ok {
			text = string(e)
		}
		out = append(out, text)
	}
	return out
}
