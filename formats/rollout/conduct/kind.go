package conduct

import (
	"strings"

	"github.com/rollmill/rollmill/formats/internal/jsonwalk"
	"github.com/rollmill/rollmill/formats/rollout/behaviour"
	"github.com/rollmill/rollmill/formats/rollout/text"
)

// Kind is what a call of a tool does.
type Kind uint8

const (
	Other Kind = iota // nothing that the rules look at
	Read
	Write
	Delete
	Command // runs a command line
)

// String returns the word that options use, "" for Other.
func (k Kind) String() string { return [...]string{"", "read", "write", "delete", "command"}[k] }

// ParseKind is the inverse of String; any other word is Other.
func ParseKind(word string) Kind {
	for k := Read; k <= Command; k++ {
		if word == k.String() {
			return k
		}
	}
	return Other
}

// given are the arguments of a call that the rules look at: of each group of
// names the first one, in the order of the group, that is a text and not blank.
type given struct{ command, path, content string }

var (
	commandNames = []string{"command", "cmd", "script", "shell"}
	pathNames    = []string{"path", "file_path", "filepath", "file", "filename", "target", "target_file"}
	contentNames = []string{"content", "contents", "new_string", "new_str", "text", "data", "body", "code"}
)

func argumentsOf(b *behaviour.Reader, arguments string) given {
	var g given
	command, path, content := len(commandNames), len(pathNames), len(contentNames)
	for name, value := range jsonwalk.StringMembers(arguments) {
		if value[0] != '"' {
			continue
		}
		first(b, &g.command, &command, commandNames, name, value)
		first(b, &g.path, &path, pathNames, name, value)
		first(b, &g.content, &content, contentNames, name, value)
	}
	return g
}

// first takes a value whose name stands before the one that was taken.
func first(b *behaviour.Reader, into *string, taken *int, names []string, name, value string) {
	for i, n := range names[:min(*taken+1, len(names))] {
		if n != name {
			continue
		}
		if s := b.Text(value); text.Trim(s) != "" {
			*into, *taken = s, i
		}
		return
	}
}

// kindOf says what a call does, by what was given for the tool, else by what
// its name says and what it was called with.
func (s *Scanner) kindOf(tool string, g *given) Kind {
	if kind, ok := s.Kinds[tool]; ok {
		return kind
	}
	named := s.kindByName(tool)
	switch {
	case g.command != "" && (named == Other || named == Command):
		return Command
	case g.path != "" && named == Delete:
		return Delete
	case g.path != "" && g.content != "":
		return Write
	case named == Write || named == Delete || named == Command:
		return named
	case g.path != "":
		return Read
	}
	return named
}

// maxNames is of how many tools a scanner remembers what their names say.
const maxNames = 1024

func (s *Scanner) kindByName(tool string) Kind {
	kind, ok := s.byName[tool]
	if ok {
		return kind
	}
	if s.byName == nil || len(s.byName) >= maxNames {
		s.byName = make(map[string]Kind)
	}
	kind = KindByName(tool)
	s.byName[strings.Clone(tool)] = kind
	return kind
}

// kindWords has the parts of names that tell a kind, the kind that is tried
// first first.
var kindWords = []struct {
	kind  Kind
	words []string
}{
	{Delete, []string{"delete", "remove", "unlink", "drop"}},
	{Command, []string{"run", "exec", "shell", "bash", "command", "terminal", "subprocess"}},
	{Write, []string{"write", "edit", "create", "save", "put", "patch", "replace", "append", "update_file", "insert"}},
	{Read, []string{"read", "cat", "open", "view", "get_file", "show", "load", "list"}},
}

// KindByName says what a tool does by its name alone.
func KindByName(tool string) Kind {
	name := text.Lower(tool)
	for _, k := range kindWords {
		for _, word := range k.words {
			if strings.Contains(name, word) {
				return k.kind
			}
		}
		if _, _, rm := wordRm.match(name); rm && k.kind == Delete || strings.HasSuffix(name, "sh") && k.kind == Command {
			return k.kind
		}
	}
	return Other
}
