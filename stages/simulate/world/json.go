package world

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rollmill/rollmill/formats/rollout"
)

// appendText appends a JSON string. A text that is not UTF-8 gets U+FFFD where
// it is not.
func appendText(dst []byte, s string) []byte {
	dst, _ = jsontext.AppendQuote(dst, s)
	return dst
}

func appendNumber(dst []byte, f float64) []byte { return rollout.AppendFloat(dst, f) }

// object builds a JSON object.
type object struct{ dst []byte }

func open(dst []byte) object { return object{append(dst, '{')} }

func (o *object) name(name string) {
	if o.dst[len(o.dst)-1] != '{' {
		o.dst = append(o.dst, ',')
	}
	o.dst = append(appendText(o.dst, name), ':')
}

func (o *object) text(name, value string) {
	o.name(name)
	o.dst = appendText(o.dst, value)
}

func (o *object) int(name string, value int64) {
	o.name(name)
	o.dst = strconv.AppendInt(o.dst, value, 10)
}

func (o *object) raw(name, json string) {
	o.name(name)
	o.dst = append(o.dst, json...)
}

func (o *object) texts(name string, values []string) {
	o.name(name)
	o.dst = append(o.dst, '[')
	for i, v := range values {
		if i > 0 {
			o.dst = append(o.dst, ',')
		}
		o.dst = appendText(o.dst, v)
	}
	o.dst = append(o.dst, ']')
}

func (o *object) close() []byte { return append(o.dst, '}') }
