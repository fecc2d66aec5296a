package dialect

import (
	"strings"

	"github.com/rollmill/rollmill/formats/internal/jsonwalk"
)

// outline is what a record looks like: its members, the last of which may be
// cut off.
type outline struct {
	json    []byte
	members map[string][]byte
}

func outlineOf(json []byte) outline {
	o := outline{json: json, members: map[string][]byte{}}
	for name, value := range jsonwalk.Members(json) {
		o.members[name] = value
	}
	return o
}

func (o outline) has(name string) bool { return o.members[name] != nil }

// is reports whether there is a member whose value starts with one of firsts.
func (o outline) is(name, firsts string) bool {
	value := o.members[name]
	return value != nil && strings.IndexByte(firsts, value[0]) >= 0
}

// native reports whether the record is of row v1, one of its legacy shapes, or one
// that trainers read: all of these package rollout decodes.
func (o outline) native() bool {
	for _, name := range []string{
		"schema_version", "messages", "prompt", "final_text", "steps", "tool_trace",
		"steps_json", "messages_json", "scenario_id", "rollout_id", "chosen", "completion",
	} {
		if o.has(name) {
			return true
		}
	}
	return o.is("conversations", "[") || o.is("conversation", "[")
}

// isMessage reports whether an object is a chat message, and no row.
func isMessage(o outline) bool {
	return o.is("role", `"`) && (o.has("content") || o.has("tool_calls")) && !o.native()
}

// dialectOf finds the dialect of a record. known is false when the record says
// nothing about it; a native record is known and has none.
func dialectOf(json []byte) (d Dialect, known bool) {
	o := outlineOf(json)
	for _, d := range dialects {
		if d.fits(o) {
			return d, true
		}
	}
	return nil, o.native()
}
