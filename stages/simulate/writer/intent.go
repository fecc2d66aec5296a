package writer

import (
	"slices"
	"strings"

	"github.com/rollmill/rollmill/stages/simulate/world"
)

// classes map the first word of a tool's name to what a person would say.
var classes = map[string]string{
	"get": "check", "lookup": "check", "look": "check", "fetch": "check", "read": "check", "find": "look for", "show": "check",
	"view": "check", "list": "check", "search": "look for", "describe": "check", "inspect": "check", "track": "check", "query": "check",
	"create": "request", "add": "add", "open": "open", "book": "book", "request": "request", "generate": "request", "new": "request",
	"make": "request", "issue": "request", "schedule": "schedule", "submit": "submit", "insert": "add",
	"cancel": "cancel", "delete": "cancel", "remove": "remove", "void": "cancel", "revoke": "cancel", "drop": "remove",
	"update": "change", "set": "change", "edit": "change", "modify": "change", "change": "change", "rename": "rename",
	"move": "move", "write": "write", "save": "save",
	"send": "send", "post": "send", "email": "send", "notify": "send", "publish": "publish", "share": "share",
}

// little are words of a name that keep their place behind the verb.
var little = []string{"to", "for", "from", "by", "of", "in", "on", "with", "up", "out"}

// intent is what a person wants of a tool: a verb and what it is done to.
type intent struct{ verb, object string }

// intentOf reads the intent off a tool's name.
func intentOf(tool string) intent {
	words := world.Words(tool)
	if len(words) == 0 {
		return intent{"use", "it"}
	}
	if len(words) == 1 {
		return intent{"use", words[0]}
	}
	verb, ok := classes[words[0]]
	if !ok {
		verb = words[0]
	}
	rest := words[1:]
	if words[0] == "look" && rest[0] == "up" && len(rest) > 1 {
		rest = rest[1:]
	}
	if slices.Contains(little, rest[0]) && len(rest) > 1 {
		return intent{verb + " " + rest[0], strings.Join(rest[1:], " ")}
	}
	return intent{verb, strings.Join(rest, " ")}
}

// phrase returns the intent with the entity's id, or with an article when
// there is none.
func (i intent) phrase(id string) string {
	switch {
	case i.object == "it":
		return i.verb + " it"
	case id != "":
		return i.verb + " " + i.object + " " + id
	case strings.HasSuffix(i.object, "s") && !strings.HasSuffix(i.object, "ss"):
		return i.verb + " " + i.object
	case strings.ContainsRune("aeiou", rune(i.object[0])):
		return i.verb + " an " + i.object
	}
	return i.verb + " a " + i.object
}
