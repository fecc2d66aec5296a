package decontaminate

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rollmill/rollmill/formats/rollout"
)

// besideTally counts the members of records that hold text and that nobody compares,
// by their names: a leak in them is not seen, and has to be said.
type besideTally struct {
	rows map[string]int64
}

// maxBeside is how many names are kept: the first ones by the alphabet, so that
// their counts are whole in whatever order tallies merge.
const maxBeside = 64

func (t *besideTally) add(row *rollout.Row, parts Parts, words int) {
	for i := range row.Extra {
		m := &row.Extra[i]
		if isCompared(row, parts, m.Name) || !holdsText(m.JSON, words) {
			continue
		}
		if t.rows == nil {
			t.rows = map[string]int64{}
		}
		if _, there := t.rows[m.Name]; !there {
			t.rows[strings.Clone(m.Name)] = 0
		}
		t.rows[m.Name]++
		t.cut()
	}
}

func (t *besideTally) merge(o *besideTally) {
	if t.rows == nil {
		t.rows = map[string]int64{}
	}
	for name, n := range o.rows {
		t.rows[name] += n
	}
	t.cut()
}

func (t *besideTally) cut() {
	if len(t.rows) > maxBeside {
		for _, name := range slices.Sorted(maps.Keys(t.rows))[maxBeside:] {
			delete(t.rows, name)
		}
	}
}

// list gives the names, those of the most rows first.
func (t *besideTally) list() []NameCount {
	list := make([]NameCount, 0, len(t.rows))
	for _, name := range slices.Sorted(maps.Keys(t.rows)) {
		list = append(list, NameCount{name, t.rows[name]})
	}
	slices.SortStableFunc(list, func(a, b NameCount) int { return int(b.Rows - a.Rows) })
	return list
}

// besideShown is how many names a note has.
const besideShown = 5

func besideText(list []NameCount) string {
	var b strings.Builder
	for i, m := range list[:min(len(list), besideShown)] {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%q in %d rows", Excerpt(m.Name, 0), m.Rows)
	}
	if more := len(list) - besideShown; more > 0 {
		fmt.Fprintf(&b, " and %d more", more)
	}
	return b.String()
}

// isCompared reports whether a member of a record is text of a part that is
// compared, or what such a part was made of.
func isCompared(row *rollout.Row, parts Parts, name string) bool {
	switch name {
	case "steps", "tool_trace", "opener":
		return row.Rebuilt()
	case "system":
		return len(row.Messages) > 0 && row.Messages[0].Role == rollout.RoleSystem
	case "rollmill_matches", "message_extra", "lineage", "scenario_dimensions":
		return true // what we wrote ourselves
	}
	if f, ok := rollout.FieldNamed(name); ok {
		return row.Has(f) // the exact text of a field
	}
	if slices.Contains(sideMembers[:], name) {
		return parts&Sides != 0
	}
	if slices.Contains(questionMembers[:], name) && parts&Prompt != 0 {
		prompt, _ := promptOf(row)
		json, _ := memberOf(row, name)
		return json[0] == '"' && unquoted(json) == prompt
	}
	return false
}

// holdsText reports whether a JSON text has a string of so many words, by the blanks
// in it.
func holdsText(json string, words int) bool {
	blanks, within := 0, false
	for i := 0; i < len(json); i++ {
		switch c := json[i]; {
		case !within:
			if c == '"' {
				within, blanks = true, 0
			}
		case c == '"':
			within = false
		case c == '\\':
			i++ // of a line break, too, which parts words
			if i < len(json) && json[i] == 'n' {
				blanks++
			}
		case c == ' ':
			blanks++
		}
		if blanks >= words && within {
			return true
		}
	}
	return false
}
