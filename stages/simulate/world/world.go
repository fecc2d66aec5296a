package world

import (
	"slices"
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/rollmill/rollmill/stages/simulate/draw"
)

// The world states that decide what calls find; the others shape the ask alone
// (spec of simulation, section 11.1).
const (
	StateExists  = "entity exists"
	StateMissing = "entity missing"
	StateDone    = "entity already acted on"
)

// World is what the tools of one rollout act on. It is not safe for concurrent
// use.
type World struct {
	catalog *Catalog
	state   string
	plan    Plan
	known   []entity
	faults  int // that have met a call

	parser parser
	args   []argument
	sorted []argument
	refs   []string
	text   []byte
}

// entity is something that a call created, changed or deleted.
type entity struct {
	id      string
	deleted bool
	version int
	json    string // of what was created or written; "" for a record that follows from its id
}

// World returns a fresh world in a state, with a plan of faults.
func (c *Catalog) World(state string, plan Plan) *World {
	w := &World{catalog: c}
	w.Reset(state, plan)
	return w
}

// Reset makes the world fresh again, for another rollout.
func (w *World) Reset(state string, plan Plan) {
	w.state, w.plan, w.known, w.faults = state, plan, w.known[:0], 0
}

// Faults returns how many calls a fault has met.
func (w *World) Faults() int { return w.faults }

// Call answers one call of a tool; arguments are the JSON text of an object,
// and so is the result. Arguments that are no object count as none. Faults come
// first, then what the state says, then what the arguments lack, then what the
// tool does (spec of simulation, section 11.1).
func (w *World) Call(tool, arguments string) string {
	e := w.catalog.find(tool)
	if e == nil {
		o := open(nil)
		o.text("status", "error")
		o.text("reason", "unknown_tool")
		o.text("tool", tool)
		return string(o.close())
	}
	arguments = w.read(arguments)
	if f, ok := w.plan.find(tool); ok && w.fires(f, e) {
		return w.fault(e, f.Mode)
	}
	return w.answer(e, arguments)
}

// Fault returns how a call fails, for tools that something else answers; failed
// is false where no fault meets it.
func (w *World) Fault(tool, arguments string) (result string, failed bool) {
	e := w.catalog.find(tool)
	f, ok := w.plan.find(tool)
	if e == nil || !ok {
		return "", false
	}
	if w.read(arguments); !w.fires(f, e) {
		return "", false
	}
	return w.fault(e, f.Mode), true
}

// read reads the arguments of a call and what they refer to. It returns their
// text, that of an empty object for one that is none.
func (w *World) read(arguments string) string {
	var ok bool
	if w.args, ok = w.parser.read(w.args[:0], arguments); !ok {
		w.args, arguments = w.args[:0], "{}"
	}
	w.refs = references(w.refs[:0], w.args)
	return arguments
}

// fires decides whether a fault meets a call.
func (w *World) fires(f Fault, e *entry) bool {
	if f.Rate >= 1 {
		return true
	}
	return f.Rate > 0 && draw.Share(w.digest(e, "fault")) < f.Rate
}

// digest returns the text that draws about the current call are made from: the
// arguments in the order of their names, a word for the draw, seed and tool.
func (w *World) digest(e *entry, salt string) []byte {
	w.sorted = append(w.sorted[:0], w.args...)
	slices.SortStableFunc(w.sorted, func(a, b argument) int { return strings.Compare(a.name, b.name) })
	arguments := open(nil)
	for i := range w.sorted {
		arguments.raw(w.sorted[i].name, w.sorted[i].json)
	}
	o := open(w.text[:0])
	o.raw("arguments", string(arguments.close()))
	o.text("salt", salt)
	o.int("seed", w.catalog.options.Seed)
	o.text("tool", e.tool.Name)
	w.text = o.close()
	return w.text
}

func (w *World) fault(e *entry, m Mode) string {
	w.faults++
	o := open(nil)
	switch m {
	case Timeout:
		o.text("status", "timeout")
		o.text("error", "no answer in time")
	case PermissionDenied:
		o.text("status", "permission_denied")
	case Malformed:
		o.text("status", "ok")
		o.text("data", "<<garbled response")
	case Stale:
		o.text("status", "ok")
		o.raw("data", w.payload(e))
		o.raw("stale", "true")
		o.text("as_of", w.catalog.options.StaleAsOf)
	}
	return string(o.close())
}

func (w *World) answer(e *entry, arguments string) string {
	o := open(nil)
	rejected := func(reason string, fields []string) string {
		o.text("status", "rejected")
		o.text("reason", reason)
		o.texts("fields", fields)
		return string(o.close())
	}
	if e.calculates {
		if expression, ok := w.expression(); ok {
			return calculate(expression)
		}
	}
	switch {
	case w.state == StateMissing:
		lost := w.refs
		if len(lost) == 0 {
			lost = []string{"entity"}
		}
		return notFound(lost)
	case w.state == StateDone && e.verb != read:
		o.text("status", "already_done")
		o.text("reason", "already_acted_on")
		return string(o.close())
	}
	if fields := missing(nil, "", e.tool.Params(), w.args); len(fields) > 0 {
		return rejected("missing_required", fields)
	}
	if fields := w.placeholders(e); len(fields) > 0 {
		return rejected("placeholder_argument", fields)
	}
	if e.verb == create || e.kind == file && e.verb == update {
		return w.create(e, arguments)
	}
	if lost := w.dangling(); len(lost) > 0 {
		return notFound(lost)
	}
	switch e.verb {
	case remove:
		for _, id := range w.refs {
			w.touch(id).deleted = true
		}
		o.text("status", "deleted")
		o.texts("removed", w.refs)
		return string(o.close())
	case update:
		for _, id := range w.refs {
			w.touch(id).version++
		}
	}
	o.text("status", "ok")
	o.raw("data", w.payload(e))
	return string(o.close())
}

func notFound(lost []string) string {
	o := open(nil)
	o.text("status", "not_found")
	o.texts("missing", lost)
	return string(o.close())
}

// expression returns the argument of a tool that computes.
func (w *World) expression() (string, bool) {
	for i := range w.args {
		switch w.args[i].name {
		case "expression", "expr", "formula":
			return w.args[i].text, true
		}
	}
	return "", false
}

// placeholders returns the arguments that stand in for a value nobody gave.
func (w *World) placeholders(e *entry) []string {
	var out []string
	for i := range w.args {
		a := &w.args[i]
		if p, ok := e.tool.Param(a.name); ok && !slices.Contains(p.Enum, a.text) && placeholder(a, p) {
			out = append(out, a.name)
		}
	}
	return out
}

// dangling returns the references to what does not exist.
func (w *World) dangling() []string {
	var out []string
	for _, id := range w.refs {
		if !w.exists(id) {
			out = append(out, id)
		}
	}
	return out
}

// exists decides whether an id is one of the world's.
func (w *World) exists(id string) bool {
	if i := w.index(id); i >= 0 {
		return !w.known[i].deleted
	}
	switch {
	case w.state == StateExists:
		return true
	case w.state == StateMissing, issued(id):
		return false
	}
	w.text = append(append(w.text[:0], w.catalog.exists...), id...)
	return draw.HexBytes(w.text, 8)%10 < uint64(10*w.catalog.options.ExistsShare+0.5)
}

// issued reports whether an id looks as if a world had given it out: letters,
// an underscore and twelve hexadecimal digits.
func issued(id string) bool {
	stem, digits, ok := strings.Cut(id, "_")
	return ok && stem != "" && len(digits) == 12 && strings.Trim(digits, "0123456789abcdef") == ""
}

func (w *World) index(id string) int {
	return slices.IndexFunc(w.known, func(e entity) bool { return e.id == id })
}

// touch returns the entity of an id, remembered from now on.
func (w *World) touch(id string) *entity {
	i := w.index(id)
	if i < 0 {
		i = len(w.known)
		w.known = append(w.known, entity{id: strings.Clone(id)})
	}
	return &w.known[i]
}

// create makes something of the arguments and remembers it.
func (w *World) create(e *entry, arguments string) string {
	o := open(nil)
	if e.kind == file {
		path, size := "", 0
		for i := range w.args {
			switch name := w.args[i].name; {
			case name == "content" || name == "contents" || name == "text" || name == "data" || name == "body":
				size = len(w.args[i].text)
			case locates(name) && path == "":
				path = w.args[i].text
			}
		}
		stored := w.touch(path)
		stored.json, stored.deleted, stored.version = arguments, false, stored.version+1
		o.text("status", "ok")
		o.text("path", path)
		o.int("bytes_written", int64(size))
		return string(o.close())
	}
	digest := xxh3.Hash(w.digest(e, "create"))
	id := e.stem + "_" + string(appendNumber(nil, float64(digest%100_000)))
	for _, ref := range w.refs {
		w.touch(ref).deleted = false
	}
	made := w.touch(id)
	made.json, made.deleted = arguments, false
	o.text("status", "created")
	o.text("id", id)
	o.text("ref", hex8(digest))
	for i := range w.args {
		if name := w.args[i].name; name != "status" && name != "id" && name != "ref" {
			o.raw(name, w.args[i].json)
		}
	}
	return string(o.close())
}
