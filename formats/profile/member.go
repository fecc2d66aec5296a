package profile

import (
	"strings"
	"unicode/utf8"

	"github.com/rollmill/rollmill/formats/rollout"
)

// ExampleLength is how many characters of a value an example shows.
const ExampleLength = 40

// Member is what was seen of one member of records.
type Member struct {
	Name    string
	Extra   bool        // the row has no field for it and carries it as text
	Rows    int64       // rows that have it
	Nulls   int64       // rows that have it as null
	Types   []TypeCount // in the order null, boolean, number, string, array, object
	Example string      // JSON text of the first value that is not null, cut to ExampleLength
	Cut     bool        // the value of the example is longer
}

// TypeCount is how many rows have a member with a value of one JSON type.
type TypeCount struct {
	Type string // null, boolean, number, string, array or object
	Rows int64
}

// typeWords has the words of the types, in the order in which they are listed.
var typeWords = [...]string{
	rollout.KindNull: "null", rollout.KindBool: "boolean", rollout.KindNumber: "number",
	rollout.KindString: "string", rollout.KindArray: "array", rollout.KindObject: "object",
}

// column is a Member that is being counted.
type column struct {
	name    string
	rows    int64
	kinds   [len(typeWords)]int64 // rows by rollout.Kind
	example string
	cut     bool

	seenIn int64 // number of the last row that has it
	slot   int   // its place in Schema.row
}

func (c *column) count(value []byte) {
	kind := rollout.Value{Text: string(value[:1])}.Kind()
	c.rows++
	c.kinds[kind]++
	if kind != rollout.KindNull && c.example == "" {
		c.example, c.cut = excerpt(value)
	}
}

// excerpt returns the first characters of a JSON text, copied.
func excerpt(json []byte) (text string, cut bool) {
	end := 0
	for n := 0; n < ExampleLength && end < len(json); n++ {
		_, size := utf8.DecodeRune(json[end:])
		end += size
	}
	return string(json[:end]), end < len(json)
}

func (c *column) merge(from *column) {
	c.rows += from.rows
	for kind, n := range from.kinds {
		c.kinds[kind] += n
	}
	if c.example == "" {
		c.example, c.cut = from.example, from.cut
	}
}

func (c *column) result() Member {
	m := Member{
		Name: c.name, Extra: isExtra(c.name), Rows: c.rows, Nulls: c.kinds[rollout.KindNull],
		Example: c.example, Cut: c.cut,
	}
	for kind, n := range c.kinds {
		if n > 0 {
			m.Types = append(m.Types, TypeCount{typeWords[kind], n})
		}
	}
	return m
}

func isExtra(name string) bool {
	_, field := rollout.FieldNamed(name)
	return !field && name != "schema_version" && !strings.HasPrefix(name, "markers.")
}
