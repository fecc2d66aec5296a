package tools

import (
	"context"
	"strings"

	"github.com/rollmill/rollmill/stages/simulate/draw"
)

// Tool is something that an agent can call.
type Tool struct {
	Name        string
	Description string // what it does; "" when nobody says
	Parameters  string // JSON text: the schema of the arguments, an object
	Human       bool   // answered by the simulated person, never by the world

	params  []Param
	execute func(ctx context.Context, arguments string) (string, error)
}

// Params returns the parameters in the order of the schema.
func (t *Tool) Params() []Param { return t.params }

// Param returns a parameter by its name.
func (t *Tool) Param(name string) (Param, bool) {
	for _, p := range t.params {
		if p.Name == name {
			return p, true
		}
	}
	return Param{}, false
}

// Refers reports whether a parameter, at any depth, names an entity that may
// or may not exist.
func (t *Tool) Refers() bool {
	return anyParam(t.params, func(p *Param) bool { return Refers(p.Name) })
}

func anyParam(params []Param, is func(*Param) bool) bool {
	for i := range params {
		if is(&params[i]) || anyParam(params[i].Params, is) {
			return true
		}
	}
	return false
}

// Schema returns the tool as chat APIs take it: JSON text of an object with
// type function.
func (t *Tool) Schema() string { return string(t.appendSchema(nil)) }

func (t *Tool) appendSchema(dst []byte) []byte {
	dst = append(dst, `{"type":"function",`...)
	if t.Human {
		dst = append(dst, `"kind":"human",`...)
	}
	dst = append(dst, `"function":{"name":`...)
	dst = draw.AppendQuoted(dst, t.Name)
	if t.Description != "" {
		dst = append(dst, `,"description":`...)
		dst = draw.AppendQuoted(dst, t.Description)
	}
	dst = append(dst, `,"parameters":`...)
	dst = append(dst, t.Parameters...)
	return append(dst, "}}"...)
}

// Schemas returns the tools as a JSON list, as rows keep them.
func Schemas(tools []Tool) string {
	dst := []byte{'['}
	for i := range tools {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = tools[i].appendSchema(dst)
	}
	return string(append(dst, ']'))
}

// Names returns the names of the tools.
func Names(tools []Tool) []string {
	names := make([]string, len(tools))
	for i := range tools {
		names[i] = tools[i].Name
	}
	return names
}

// Merge returns the tools with each name once: a later tool takes the place of
// an earlier one of its name.
func Merge(tools ...Tool) []Tool {
	var out []Tool
	at := map[string]int{}
	for _, t := range tools {
		if i, ok := at[t.Name]; ok {
			out[i] = t
			continue
		}
		at[t.Name] = len(out)
		out = append(out, t)
	}
	return out
}

// maxDescription is how much of a description is kept, in bytes.
const maxDescription = 1000

// describe returns the first paragraph of a description on one line.
func describe(text string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(text), "\n\n")
	line := strings.Join(strings.Fields(first), " ")
	return strings.ToValidUTF8(line[:min(len(line), maxDescription)], "")
}
