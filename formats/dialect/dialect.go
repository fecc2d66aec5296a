package dialect

import (
	"fmt"
	"strings"

	"github.com/rollmill/rollmill/formats/rollout"
)

// Record is one record of an input.
type Record struct {
	// JSON is the record: valid JSON text in UTF-8. Names may stand twice, the
	// last wins; escapes of lone surrogates may occur. Nobody changes it.
	JSON []byte
	// Key is the name of the record's member in a keyed object, or of its file
	// in a zip, else "".
	Key string
	// Header is the JSON text of the container's header, nil when it has none:
	// header.json of an Inspect log, else its _journal/start.json.
	Header []byte
	// Pos is where the record stands. Rows get it with their Part.
	Pos rollout.Pos
}

// Dialect makes rows of records. It holds no state and may be used by several
// goroutines.
type Dialect interface {
	// Name is the word for --dialect.
	Name() string
	// Rows appends the rows of rec to dst. Their Pos is that of the record, with
	// Part 0, 1, 2 and so on. After an error, an *Error, dst is unchanged.
	Rows(dst []rollout.Row, rec Record) ([]rollout.Row, error)
}

// dialects has the dialects that are recognised, the most telling ones first.
var dialects = []interface {
	Dialect
	fits(outline) bool // a record with these members is of the dialect
}{
	tauBench{},
	interCode{},
	inspect{},
	sweAgent{},
	humanEval{},
	chat{},
}

// Names lists the words that Named accepts.
func Names() []string {
	names := make([]string, len(dialects))
	for i, d := range dialects {
		names[i] = d.Name()
	}
	return names
}

// Named returns the dialect of a name. The error lists the names there are.
func Named(name string) (Dialect, error) {
	for _, d := range dialects {
		if d.Name() == name {
			return d, nil
		}
	}
	return nil, fmt.Errorf("dialect: no dialect %q; there are %s", name, strings.Join(Names(), ", "))
}

// Layout is how an input falls into records.
type Layout uint8

const (
	Lines Layout = iota // a record a line
	Array               // the elements of an array are records
	Keyed               // the members of an object are records
	Whole               // the input is one record
	Zip                 // Inspect's .eval: members samples/*.json are records, header.json the header
)

// String returns the layout in a word or two, as for a message.
func (l Layout) String() string {
	return [...]string{"lines", "array", "keyed object", "single document", "zip"}[l]
}

// Guess is how an input is to be read.
type Guess struct {
	Layout  Layout
	Dialect Dialect // nil: rows of v1 and its legacy shapes, or OpenAI chat messages
	Unknown bool    // no record in sight told its dialect: any JSON, read as v1
}
