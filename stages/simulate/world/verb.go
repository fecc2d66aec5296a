package world

import (
	"slices"
	"strings"
	"unicode"
)

// verb is what a tool does to the world.
type verb uint8

const (
	update verb = iota // whatever is none of the others
	create
	read
	remove
)

var verbs = map[string]verb{
	"create": create, "generate": create, "write": create, "add": create, "upload": create, "insert": create,
	"make": create, "post": create, "new": create,
	"get": read, "read": read, "list": read, "inspect": read, "search": read, "fetch": read, "find": read,
	"show": read, "describe": read, "cat": read, "view": read, "lookup": read, "check": read,
	"delete": remove, "remove": remove, "drop": remove, "destroy": remove,
}

// verbOf reads the verb off a tool's name.
func verbOf(name string) verb {
	words := Words(name)
	if len(words) == 0 {
		return update
	}
	return verbs[words[0]]
}

// several reports whether a tool that reads returns a list.
func several(name string) bool {
	words := Words(name)
	return slices.ContainsFunc(words, func(w string) bool { return w == "list" || w == "search" || w == "find" })
}

// Words splits a tool's name, in snake case or camel case, into lower-case
// words.
func Words(name string) []string {
	var out []string
	start := 0
	runes := []rune(name)
	flush := func(end int) {
		if end > start {
			out = append(out, strings.ToLower(string(runes[start:end])))
		}
	}
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush(i)
			start = i + 1
		case i > start && unicode.IsUpper(r) && !unicode.IsUpper(runes[i-1]):
			flush(i)
			start = i
		}
	}
	flush(len(runes))
	return out
}
