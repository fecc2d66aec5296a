package tools

import (
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// ErrTool is wrapped when something is no tool.
var ErrTool = errors.New("tools: not a tool")

// record is a tool as people write it: a bare object, one nested under
// function, or one with the schema under input_schema.
type record struct {
	Kind        string         `json:"kind"`
	Function    *record        `json:"function"`
	Name        string         `json:"name"`
	Description string         `json:"description"`
	Parameters  jsontext.Value `json:"parameters"`
	InputSchema jsontext.Value `json:"input_schema"`
}

// Parse reads tools from JSON: a list of schemas in the shape of any chat API,
// one such schema, or an object whose member tools is the list. Of two tools
// with one name the later one stays. An error says which element is wrong.
func Parse(text []byte) ([]Tool, error) {
	value := jsontext.Value(text)
	if !value.IsValid() {
		return nil, fmt.Errorf("%w: no valid JSON", ErrTool)
	}
	if value.Kind() == '{' {
		var holder struct {
			Tools jsontext.Value `json:"tools"`
		}
		if err := json.Unmarshal(value, &holder); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrTool, err)
		}
		if holder.Tools == nil {
			holder.Tools = append(append(jsontext.Value{'['}, value...), ']')
		}
		value = holder.Tools
	}
	var elements []jsontext.Value
	if err := json.Unmarshal(value, &elements); err != nil {
		return nil, fmt.Errorf("%w: %s; want a list of tools", ErrTool, value.Kind())
	}
	tools := make([]Tool, 0, len(elements))
	for i, e := range elements {
		t, err := parseOne(e)
		if err != nil {
			return nil, fmt.Errorf("tool %d: %w", i+1, err)
		}
		tools = append(tools, t)
	}
	return Merge(tools...), nil
}

func parseOne(text jsontext.Value) (Tool, error) {
	var r record
	if err := json.Unmarshal(text, &r); err != nil {
		return Tool{}, fmt.Errorf("%w: %w", ErrTool, err)
	}
	kind := r.Kind
	if r.Function != nil {
		r = *r.Function
	}
	if r.Name == "" {
		return Tool{}, fmt.Errorf("%w: it has no name", ErrTool)
	}
	schema := r.Parameters
	if schema == nil {
		schema = r.InputSchema
	}
	if schema == nil || schema.Kind() == 'n' {
		schema = jsontext.Value(`{"type":"object","properties":{}}`)
	}
	if schema.Kind() != '{' {
		return Tool{}, fmt.Errorf("%w: the parameters of %q are a %s; want a schema, an object", ErrTool, r.Name, schema.Kind())
	}
	if err := schema.Compact(); err != nil {
		return Tool{}, fmt.Errorf("%w: %w", ErrTool, err)
	}
	return Tool{
		Name: r.Name, Description: describe(r.Description), Parameters: string(schema), Human: kind == "human",
		params: paramsOf(schema),
	}, nil
}
