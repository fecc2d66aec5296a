package tools

import (
	"context"
	"fmt"

	"github.com/go-json-experiment/json"
)

// Func makes a tool of a typed function. In is a struct: its fields are the
// parameters, under the names that its json tags give them; a field without
// omitempty or omitzero is required; the tags description and enum (values
// with commas between) say more. Out is what json can write. It panics when In
// cannot be described, which is a fault of the program.
func Func[In, Out any](name, description string, fn func(ctx context.Context, in In) (Out, error)) Tool {
	schema, err := schemaOf[In]()
	if err != nil {
		panic(fmt.Sprintf("tools: %s: %v", name, err))
	}
	return Tool{
		Name: name, Description: describe(description), Parameters: string(schema), params: paramsOf(schema),
		execute: func(ctx context.Context, arguments string) (string, error) {
			var in In
			if err := json.Unmarshal([]byte(arguments), &in); err != nil {
				return "", fmt.Errorf("arguments: %w", err)
			}
			out, err := fn(ctx, in)
			if err != nil {
				return "", err
			}
			text, err := json.Marshal(out, json.Deterministic(true))
			return string(text), err
		},
	}
}

// Callable reports whether the tool is a function that Call can run.
func (t *Tool) Callable() bool { return t.execute != nil }

// Call runs the function with arguments, the JSON text of an object, and
// returns its result as JSON text.
func (t *Tool) Call(ctx context.Context, arguments string) (string, error) {
	if t.execute == nil {
		return "", fmt.Errorf("tools: %s is a schema without a function", t.Name)
	}
	return t.execute(ctx, arguments)
}
