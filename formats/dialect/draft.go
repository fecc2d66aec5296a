package dialect

import (
	"slices"
	"strings"

	"github.com/rollmill/rollmill/formats/internal/jsonscan"
	"github.com/rollmill/rollmill/formats/rollout"
)

// draft is a row that is being made.
type draft struct {
	row    rollout.Row
	set    rollout.Fields
	places map[string]int // of the markers, when they are many
}

// text sets a field that holds text.
func (d *draft) text(f rollout.Fields, dst *string, text string) {
	*dst = text
	d.set |= f
}

// id sets a field that holds an id from a text, a number or a boolean. Null and
// absent leave it unset. It returns false for other types.
func (d *draft) id(f rollout.Fields, dst *string, value []byte) bool {
	text, ok := scalarText(value)
	if ok && text != "" {
		d.text(f, dst, text)
	}
	return ok || isNull(value)
}

// number sets a field that holds a number; see numberOf.
func (d *draft) number(f rollout.Fields, dst *rollout.Value, value []byte) {
	if v := numberOf(value); v.Text != "" {
		*dst = v
		d.set |= f
	}
}

// marker sets a named side measurement.
func (d *draft) marker(name string, value []byte) {
	v := numberOf(value)
	if v.Text == "" {
		return
	}
	d.set |= rollout.FieldMarkers
	if i, ok := d.markerPlace(name); ok {
		d.row.Markers[i].Value = v
	} else {
		d.row.Markers = append(d.row.Markers, rollout.Marker{Name: strings.Clone(name), Value: v})
	}
}

func (d *draft) markerPlace(name string) (i int, ok bool) {
	markers := d.row.Markers
	if len(markers) <= fewNames {
		i = slices.IndexFunc(markers, func(m rollout.Marker) bool { return m.Name == name })
		return i, i >= 0
	}
	if d.places == nil {
		d.places = make(map[string]int, 2*fewNames)
	}
	for i := len(d.places); i < len(markers); i++ {
		d.places[markers[i].Name] = i
	}
	i, ok = d.places[name]
	return i, ok
}

// status sets what became of the grading.
func (d *draft) status(s rollout.Status) {
	d.row.Status = s
	d.set |= rollout.FieldStatus
}

// reference sets the gold answer that only the grader may know.
func (d *draft) reference(value []byte) {
	if !isNull(value) {
		d.row.Privileged = `{"reference":` + compact(value) + `}`
		d.set |= rollout.FieldPrivileged
	}
}

// carry puts a member that no field holds into Extra.
func (d *draft) carry(name string, value []byte) {
	if len(value) > 0 {
		d.row.Extra = append(d.row.Extra, rollout.Member{Name: strings.Clone(name), JSON: compact(value)})
	}
}

// carryText puts a text into Extra, unless it is empty.
func (d *draft) carryText(name, text string) {
	if text != "" {
		d.row.Extra = append(d.row.Extra, rollout.Member{Name: name, JSON: string(jsonscan.AppendString(nil, text))})
	}
}

// talk sets the conversation, its prompt and its final text.
func (d *draft) talk(t transcript) {
	d.row.Messages = t.messages
	d.set |= rollout.FieldMessages
	if text, ok := rollout.PromptOf(t.messages[min(t.demos, len(t.messages)):]); ok {
		d.text(rollout.FieldPrompt, &d.row.Prompt, text)
	}
	if text, ok := rollout.FinalTextOf(t.messages); ok {
		d.text(rollout.FieldFinalText, &d.row.FinalText, text)
	}
	d.carry("message_extra", t.restJSON())
}

// done returns the row. A member of Extra whose name is taken, by a field that
// was set or by a later member, is called source.NAME.
func (d *draft) done(pos rollout.Pos, part int) rollout.Row {
	r := &d.row
	r.Pos = pos
	r.Pos.Part = uint32(part)
	var later map[string]bool // names, when they are many
	if len(r.Extra) > fewNames {
		later = make(map[string]bool, len(r.Extra))
	}
	for i := len(r.Extra) - 1; i >= 0; i-- {
		name := &r.Extra[i].Name
		for d.taken(*name) || later[*name] || later == nil && hasName(r.Extra[i+1:], *name) {
			*name = "source." + *name
		}
		if later != nil {
			later[*name] = true
		}
	}
	r.Extra = slices.Clip(r.Extra)
	r.Touch(d.set)
	return *r
}

func hasName(extra []rollout.Member, name string) bool {
	return slices.ContainsFunc(extra, func(m rollout.Member) bool { return m.Name == name })
}

func (d *draft) taken(name string) bool {
	f, ok := rollout.FieldNamed(name)
	return ok && d.set&f != 0 || name == "schema_version" // which the row gets when it is written
}
