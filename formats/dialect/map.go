package dialect

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/rollmill/rollmill/formats/rollout"
)

// Mapping is the dialect that --map and --each describe: it reads any JSON.
//
// A rule field=path sets the field of that v1 name from the value at the path;
// see ParseMap. A path that leads nowhere leaves its field absent. What no rule
// names is read as it would be without a mapping: members with the name of a
// v1 field are that field where their type fits, all others go to Extra. A
// value that was mapped does not stay there too.
//
// Numbers become the text of a text field, booleans 0 or 1 of a number field. A
// prompt may be a list of messages, which then starts the conversation, and so
// may a final text, which then ends it.
//
// With each, every part of a record makes a row: the values of several members
// that are named, the elements of a list, or the members of an object. Rows of
// one record are rollouts of one task: unless the record says its task, the
// task id is the record's key, or is derived from the record's prompt, or else
// from the whole record. Their index is the number of the part; Extra keeps the
// name of the part as each, and of the record what no part says itself.
type Mapping struct {
	rules   []rule
	ruled   rollout.Fields // fields that rules set
	usesKey bool           // some rule reads @key
	each    []place        // named parts, or the place of their list
	many    bool           // each is the place of a list or an object
	seen    *mapSeen
}

// rule sets one field from one place.
type rule struct {
	field  rollout.Fields // FieldMarkers, FieldPrivileged and FieldExtra with a name
	name   string         // of the marker, of the member
	from   place
	native bool // no rule that was given: a member with the name of a field
}

// mappable are the fields that a rule may set, in schema order.
const mappable = rollout.AllFields &^ (rollout.FieldGate | rollout.FieldGates | rollout.FieldExtra)

// ParseMap reads the values of --map, each of which may hold several rules with
// commas between, and the value of --each, "" for none.
//
// A rule is field=path. Fields are those of row v1 by their names, and
// markers.NAME, privileged.NAME and extra.NAME for one member of those, and
// model_version. A path is names, or numbers in lists, joined by dots:
// solutions.0.is_correct. With each, a path that starts with a dot starts at
// the part that makes the row: .is_correct; the dot alone is that part itself.
// The path @key is the name of the part, or without each the name of the record
// in a keyed object. A backslash takes a comma or dot behind it as part of the name.
//
// The value of each is either two or more paths with commas between, each the
// place of a part, or one path to a list or an object of parts.
//
// The error says which rule is wrong and, for an unknown field, lists those
// there are.
func ParseMap(maps []string, each string) (*Mapping, error) {
	m := &Mapping{}
	if each != "" {
		for _, text := range splitUnescaped(each, ',') {
			p, err := parsePlace(text)
			if err == nil && (p.key || p.part) {
				err = fmt.Errorf("dialect: each %q must start at a member of the record", text)
			}
			if err != nil {
				return nil, err
			}
			m.each = append(m.each, p)
		}
		m.many = len(m.each) == 1
	}
	for _, rules := range maps {
		for _, text := range splitUnescaped(rules, ',') {
			if err := m.parseRule(text); err != nil {
				return nil, err
			}
		}
	}
	m.seen = &mapSeen{found: make([]atomic.Bool, len(m.rules))}
	return m, nil
}

func (m *Mapping) parseRule(text string) error {
	field, path, ok := strings.Cut(text, "=")
	if !ok || field == "" || path == "" {
		return fmt.Errorf("dialect: map %q is not field=path", text)
	}
	from, err := parsePlace(path)
	if err != nil {
		return err
	}
	if from.part && m.each == nil {
		return fmt.Errorf("dialect: map %q: a path that starts with a dot needs --each", text)
	}
	r := rule{from: from}
	if r.field, r.name, err = parseTarget(field); err != nil {
		return err
	}
	if slices.ContainsFunc(m.rules, func(q rule) bool { return q.field == r.field && q.name == r.name }) {
		return fmt.Errorf("dialect: %q is mapped twice", field)
	}
	m.rules = append(m.rules, r)
	m.usesKey = m.usesKey || from.key
	if r.name == "" {
		m.ruled |= r.field
	}
	return nil
}

// parseTarget reads the field of a rule.
func parseTarget(field string) (f rollout.Fields, name string, err error) {
	if field == "model_version" {
		return rollout.FieldExtra, field, nil
	}
	if group, name, ok := strings.Cut(field, "."); ok && name != "" {
		switch group {
		case "markers":
			return rollout.FieldMarkers, name, nil
		case "privileged":
			return rollout.FieldPrivileged, name, nil
		case "extra":
			return rollout.FieldExtra, name, nil
		}
	}
	if f, ok := rollout.FieldNamed(field); ok && mappable.Has(f) {
		return f, "", nil
	}
	return 0, "", fmt.Errorf("dialect: no field %q to map to; there are %s, model_version, markers.NAME, privileged.NAME and extra.NAME",
		field, strings.Join(mappable.Names(), ", "))
}

// Name returns "map".
func (m *Mapping) Name() string { return "map" }

// mappedFrom reports what becomes of a member that is not carried whole: gone
// when a rule, or each, takes all of it; else the paths within it that are
// taken. part tells whether it is a member of the part or of the record.
func (m *Mapping) mappedFrom(name string, part bool) (gone bool, within [][]string) {
	take := func(p place) {
		switch {
		case p.key || p.part != part || len(p.path) == 0 || p.path[0] != name:
		case len(p.path) == 1:
			gone = true
		default:
			within = append(within, p.path[1:])
		}
	}
	for _, r := range m.rules {
		take(r.from)
	}
	if !part {
		for _, p := range m.each {
			take(p)
		}
	}
	return gone, within
}

// takesPart reports whether a rule takes the whole part.
func (m *Mapping) takesPart() bool {
	return slices.ContainsFunc(m.rules, func(r rule) bool {
		return r.from.part && len(r.from.path) == 0
	})
}
