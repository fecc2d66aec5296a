package world

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rollmill/rollmill/stages/simulate/tools"
)

// argument is a member of a call's arguments; its strings are parts of the
// arguments' text where they can be.
type argument struct {
	name string
	json string
	text string // what a scalar says; "" for others
}

// scalar reports whether the argument is a text or a number.
func (a *argument) scalar() bool { return a.text != "" }

// blank reports whether the argument says nothing.
func (a *argument) blank() bool {
	return a.json == "null" || a.json[0] == '"' && strings.TrimSpace(a.text) == ""
}

// parser reads the arguments of calls; it keeps its buffers.
type parser struct {
	decoder jsontext.Decoder
	buffer  bytes.Buffer
}

// read appends the arguments that a JSON object holds, in its order. ok is
// false for a text that is no object.
func (p *parser) read(dst []argument, text string) (args []argument, ok bool) {
	p.buffer.Reset()
	p.buffer.WriteString(text)
	d := &p.decoder
	d.Reset(&p.buffer)
	if begin, err := d.ReadToken(); err != nil || begin.Kind() != '{' {
		return dst, false
	}
	value := func() (string, bool) {
		v, err := d.ReadValue()
		end := int(d.InputOffset())
		return text[end-len(v) : end], err == nil
	}
	args = dst
	for d.PeekKind() == '"' {
		name, ok := value()
		if !ok {
			return dst, false
		}
		a := argument{name: plain(name)}
		if a.json, ok = value(); !ok {
			return dst, false
		}
		switch c := a.json[0]; {
		case c == '"':
			a.text = plain(a.json)
		case c == '-' || c >= '0' && c <= '9':
			a.text = a.json
		}
		args = append(args, a)
	}
	if _, err := d.ReadToken(); err != nil {
		return dst, false
	}
	_, err := d.ReadToken()
	return args, errors.Is(err, io.EOF)
}

// plain returns what a JSON string stands for.
func plain(quoted string) string {
	if !strings.Contains(quoted, `\`) {
		return quoted[1 : len(quoted)-1]
	}
	raw, err := jsontext.AppendUnquote(nil, quoted)
	if err != nil {
		return ""
	}
	return string(raw)
}

// locates reports whether a parameter of this name names an entity of the
// world: as [tools.Refers], but for a repository or a reference, which are
// places and remarks (spec of simulation, section 11.1).
func locates(name string) bool {
	lower := strings.ToLower(name)
	return tools.Refers(name) && lower != "repo" && lower != "reference" && !strings.HasSuffix(lower, "_ref")
}

// references appends what a call's arguments refer to.
func references(dst []string, args []argument) []string {
	for i := range args {
		if a := &args[i]; a.scalar() && !a.blank() && locates(a.name) {
			dst = append(dst, a.text)
		}
	}
	return dst
}

// missing appends the required parameters that a call leaves out, nested ones
// by their path.
func missing(dst []string, path string, params []tools.Param, args []argument) []string {
	for i := range params {
		p := &params[i]
		at := slices.IndexFunc(args, func(a argument) bool { return a.name == p.Name })
		switch {
		case at < 0 || args[at].blank():
			if p.Required {
				dst = append(dst, path+p.Name)
			}
		case len(p.Params) > 0 && args[at].json[0] == '{':
			within, _ := new(parser).read(nil, args[at].json)
			dst = missing(dst, path+p.Name+".", p.Params, within)
		}
	}
	return dst
}

var (
	bracketed = regexp.MustCompile(`^\s*(<[^<>]*>|\[[^\[\]]*\]|\{[^{}]*\})\s*$`)
	mail      = regexp.MustCompile(`(?i)@(example|test|domain)\.[a-z.]+$`)
	// stand-ins are what a model writes that copies the schema for want of a value.
	standIns = []string{
		"email address", "order id", "first name", "last name", "full name", "user id", "customer id", "account id",
		"phone number", "file path", "your email", "your name", "your order id", "string", "todo", "n/a", "placeholder", "unknown",
	}
)

// placeholder reports whether an argument stands in for a value nobody gave: a
// token in brackets, a bare description, an address at an example's domain, or
// the name or description of its own parameter.
func placeholder(a *argument, p tools.Param) bool {
	text := strings.TrimSpace(a.text)
	if text == "" || a.json[0] != '"' {
		return false
	}
	lower := strings.ToLower(text)
	return bracketed.MatchString(text) || mail.MatchString(text) || slices.Contains(standIns, lower) ||
		lower == strings.ToLower(p.Name) || p.Description != "" && lower == strings.ToLower(p.Description)
}
