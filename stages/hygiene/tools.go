package hygiene

import "github.com/go-json-experiment/json"

// ToolNames reads the names of tools from JSON text: a list of names, of objects
// with a name, or of objects with a function that has one. Other elements are
// left out.
func ToolNames(list string) (names []string) {
	var elements []any
	if err := json.Unmarshal([]byte(list), &elements); err != nil {
		return nil
	}
	for _, e := range elements {
		if object, ok := e.(map[string]any); ok {
			if function, ok := object["function"].(map[string]any); ok {
				object = function
			}
			e = object["name"]
		}
		if name, ok := e.(string); ok && name != "" {
			names = append(names, name)
		}
	}
	return names
}
