package trl

import "github.com/rollmill/rollmill/formats/rollout"

// object is a JSON object that is being written.
type object struct{ json []byte }

func (o *object) name(name string) {
	if len(o.json) == 0 {
		o.json = append(o.json, '{')
	} else {
		o.json = append(o.json, ',')
	}
	o.json = append(rollout.AppendText(o.json, name), ':')
}

// text adds a member that is a text.
func (o *object) text(name, value string) {
	o.name(name)
	o.json = rollout.AppendText(o.json, value)
}

// raw adds a member that is JSON.
func (o *object) raw(name string, value []byte) {
	o.name(name)
	o.json = append(o.json, value...)
}

// tools adds the tools of a row, if it tells them.
func (o *object) tools(r *rollout.Row) {
	if len(r.Tools) > 0 && r.Tools[0] == '[' {
		o.raw("tools", []byte(r.Tools))
	}
}

// end appends the object.
func (o *object) end(dst []byte) []byte {
	if len(o.json) == 0 {
		return append(dst, "{}"...)
	}
	return append(append(dst, o.json...), '}')
}
