package world

import (
	"slices"
	"strings"

	"github.com/rollmill/rollmill/stages/simulate/tools"
)

// kind is what sort of thing a tool deals with; it decides how results look.
type kind uint8

const (
	record kind = iota
	shell
	grep
	file
	files
	git
	ci
	money
)

// signs are the words of a tool's name, parameters or description that tell a
// kind; the first kind with a sign is taken (spec of simulation, section 11.2).
var signs = []struct {
	kind  kind
	words []string
}{
	{shell, []string{"shell", "bash", "command", "terminal", "exec"}},
	{grep, []string{"grep", "ripgrep"}},
	{files, []string{"directory", "folder", "files", "glob"}},
	{file, []string{"file", "path", "filename"}},
	{git, []string{"git", "commit", "branch", "diff"}},
	{ci, []string{"ci", "pipeline", "workflow", "build"}},
	{money, []string{"refund", "payment", "pay", "charge", "invoice", "transfer", "amount", "price", "balance"}},
}

// kindOf routes a tool by its name, then by its parameters, then by its
// description.
func kindOf(t *tools.Tool) kind {
	var params []string
	for _, p := range t.Params() {
		params = append(params, Words(p.Name)...)
	}
	description := strings.FieldsFunc(strings.ToLower(t.Description), func(r rune) bool { return r < 'a' || r > 'z' })
	for _, words := range [][]string{Words(t.Name), params, description} {
		for _, s := range signs {
			if slices.ContainsFunc(words, func(w string) bool { return slices.Contains(s.words, w) }) {
				return s.kind
			}
		}
	}
	return record
}
