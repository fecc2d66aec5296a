package selection

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rollmill/rollmill/formats/rollout"
)

// object is a JSON object that is being made; a name that is set again keeps
// its place.
type object struct{ members []rollout.Member }

func newObject() *object { return &object{} }

// set gives a member its JSON text.
func (o *object) set(name, json string) {
	for i := range o.members {
		if o.members[i].Name == name {
			o.members[i].JSON = json
			return
		}
	}
	o.members = append(o.members, rollout.Member{Name: name, JSON: json})
}

// setText gives a member a text.
func (o *object) setText(name, text string) { o.set(name, quoted(text)) }

// setKnown gives a member a text, null for "".
func (o *object) setKnown(name, text string) {
	if text == "" {
		o.set(name, "null")
		return
	}
	o.setText(name, text)
}

func (o *object) json() string {
	var b strings.Builder
	b.WriteByte('{')
	for i, m := range o.members {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(quoted(m.Name))
		b.WriteByte(':')
		b.WriteString(m.JSON)
	}
	b.WriteByte('}')
	return b.String()
}

// quoted is a text as JSON; what is no UTF-8 becomes the replacement character.
func quoted(text string) string {
	out, err := jsontext.AppendQuote(nil, text)
	if err != nil {
		out, _ = jsontext.AppendQuote(nil, strings.ToValidUTF8(text, "\uFFFD"))
	}
	return string(out)
}

// floatJSON is a finite number as JSON.
func floatJSON(x float64) string { return string(rollout.AppendFloat(nil, x)) }
