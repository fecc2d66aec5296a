package simulate

import "github.com/rollmill/rollmill/formats/rollout"

// object builds the text of a JSON object.
type object struct{ dst []byte }

func (o *object) name(name string) {
	if len(o.dst) == 0 {
		o.dst = append(o.dst, '{')
	} else {
		o.dst = append(o.dst, ',')
	}
	o.dst = append(rollout.AppendText(o.dst, name), ':')
}

func (o *object) text(name, value string) {
	o.name(name)
	o.dst = rollout.AppendText(o.dst, value)
}

func (o *object) raw(name, json string) {
	o.name(name)
	o.dst = append(o.dst, json...)
}

func (o *object) close() string {
	if len(o.dst) == 0 {
		return "{}"
	}
	return string(append(o.dst, '}'))
}

// quoted returns a text as a JSON string.
func quoted(text string) string { return string(rollout.AppendText(nil, text)) }

func truth(b bool) string {
	if b {
		return "true"
	}
	return "false"
}
