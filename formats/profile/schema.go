package profile

import (
	"strings"
	"unsafe"

	"github.com/rollmill/rollmill/formats/internal/jsonwalk"
	"github.com/rollmill/rollmill/formats/rollout"
)

// Schema counts the members of rows: those of the record that a row was read
// from, or for rows of another dialect those of row v1. The members of markers
// are counted too, as markers.NAME. NewSchema makes one.
type Schema struct {
	limit   int // most names; 0: all
	rows    int64
	omitted int64
	order   []*column // as first seen
	byName  map[string]*column
	row     []sighting // of the current row
}

// sighting is a member of the current row. A name that stands twice counts
// once, with its last value.
type sighting struct {
	column *column
	value  []byte
}

// SchemaResult is what a Schema has counted.
type SchemaResult struct {
	Rows    int64
	Members []Member // in the order in which they were first seen
	Omitted int64    // members, summed over rows, whose names are beyond the limit
}

// NewSchema returns a schema that tells up to limit names apart, those that it
// saw first, and only counts the members of all other names. 0 is no limit, for
// the partial schema of a batch. It panics for less than 0.
func NewSchema(limit int) *Schema {
	if limit < 0 {
		panic("profile: NewSchema wants a limit of 0 or more")
	}
	return &Schema{limit: limit, byName: map[string]*column{}}
}

// Add counts rows.
func (s *Schema) Add(rows []rollout.Row) {
	if s.limit > 0 {
		part := NewSchema(0) // what stands twice in a row is told apart there
		part.Add(rows)
		s.Merge(part)
		return
	}
	for i := range rows {
		s.addRow(&rows[i])
	}
}

func (s *Schema) addRow(r *rollout.Row) {
	s.rows++
	s.row = s.row[:0]
	for name, value := range jsonwalk.Members(recordOf(r)) {
		s.see(name, value)
		if name == "markers" {
			for marker, value := range jsonwalk.Members(value) {
				s.see("markers."+marker, value)
			}
		}
	}
	for _, seen := range s.row {
		seen.column.count(seen.value)
	}
}

// recordOf returns the text of the record that a row came from, or for a row of
// another dialect its text as row v1.
func recordOf(r *rollout.Row) []byte {
	if src := r.Source(); src != "" {
		return unsafe.Slice(unsafe.StringData(src), len(src)) // for reading only
	}
	return r.AppendJSON(nil)
}

func (s *Schema) see(name string, value []byte) {
	c := s.column(name)
	if c.seenIn == s.rows {
		s.row[c.slot].value = value
		return
	}
	c.seenIn, c.slot = s.rows, len(s.row)
	s.row = append(s.row, sighting{c, value})
}

// column returns the column of a name, nil when the name is beyond the limit.
func (s *Schema) column(name string) *column {
	c := s.byName[name]
	if c == nil && (s.limit == 0 || len(s.order) < s.limit) {
		c = &column{name: strings.Clone(name)}
		s.byName[c.name] = c
		s.order = append(s.order, c)
	}
	return c
}

// Merge adds what o has counted, whose rows stand behind those of s. The result
// is that of one schema over all rows if o has no limit.
func (s *Schema) Merge(o *Schema) {
	s.rows += o.rows
	s.omitted += o.omitted
	for _, from := range o.order {
		if c := s.column(from.name); c != nil {
			c.merge(from)
		} else {
			s.omitted += from.rows
		}
	}
}

// Result returns what was counted.
func (s *Schema) Result() SchemaResult {
	r := SchemaResult{Rows: s.rows, Omitted: s.omitted, Members: make([]Member, len(s.order))}
	for i, c := range s.order {
		r.Members[i] = c.result()
	}
	return r
}
