package arrowipc

import (
	"bytes"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/rollmill/rollmill/formats/dialect"
	"github.com/rollmill/rollmill/formats/internal/jsonscan"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

// What is not of our schema is read as records: each row of the columns becomes
// a JSON object, which is then read as any other record is.

// recordsLooked is how many rows tell of which dialect they are.
const recordsLooked = 16

// recognise tells the dialect of a plan by the first rows of a table.
func (p *plan) recognise(t *table) (err error) {
	defer caught(&err)
	if p.recognised {
		return nil
	}
	p.recognised = true
	var head valueWriter
	for i := range min(t.rows, recordsLooked) {
		p.record(&head, t, i)
		head.word("\n")
	}
	guess, err := dialect.Recognise("rows.jsonl", head.json, false)
	if err != nil {
		return err
	}
	p.dialect = guess.Dialect
	return p.wantRecords()
}

// record appends row i of a table as a JSON object. Columns that are null are
// not in it.
func (p *plan) record(w *valueWriter, t *table, i int) {
	w.word("{")
	for k, a := range t.arrays {
		if a == nil || isNull(a, i) {
			continue
		}
		name := p.fields[k].Name
		if p.ours && name == extraName {
			continue
		}
		w.name(name)
		if at := len(w.json); !p.v1Value(w, name, a, i) {
			w.json = w.json[:at]
			w.value(a, i)
		}
	}
	w.word("}")
}

// v1Value appends a value of the column of a field as v1 has it: a text that
// holds JSON as what it holds, a boolean score as a number. It returns false when
// that is what the value is anyway.
func (p *plan) v1Value(w *valueWriter, name string, a arrow.Array, i int) bool {
	f, known := columnNamed(name)
	if !known || p.dialect != nil {
		return false
	}
	switch {
	case f&jsonFields != 0:
		return w.nestedJSON(f, a, i)
	case f&numberFields != 0:
		yes, ok := a.(*array.Boolean)
		if ok && yes.Value(i) {
			w.word("1")
		} else if ok {
			w.word("0")
		}
		return ok
	}
	return false
}

// nestedJSON appends what a text of a field that is a list or an object holds.
func (w *valueWriter) nestedJSON(f rollout.Fields, a arrow.Array, i int) bool {
	if l, ok := a.(array.ListLike); ok && f == rollout.FieldMarkers {
		return w.markerList(l, i)
	}
	text, ok := textIn(a, i)
	if !ok {
		return false
	}
	s := jsonscan.Scanner{Buf: bytesOfText(text)}
	if !s.Valid() || len(s.NonFinite) > 0 {
		return false
	}
	w.word(text)
	return true
}

// jsonFields are the fields of v1 that are lists or objects.
const jsonFields = rollout.FieldMessages | rollout.FieldTools | rollout.FieldMarkers | rollout.FieldPrivileged | rollout.FieldGates

// numberFields are the fields of v1 that are numbers.
const numberFields = rollout.FieldIndex | rollout.FieldNTokens | rollout.FieldLogprob | rollout.FieldReward | rollout.FieldPriorReward

// markerList appends a list of structs of a name and a value as an object.
func (w *valueWriter) markerList(a array.ListLike, i int) bool {
	s, ok := a.ListValues().(*array.Struct)
	if _, isMap := a.(*array.Map); isMap || !ok || s.NumField() != 2 {
		return false
	}
	names, ok := s.Field(0).(array.StringLike)
	if !ok {
		return false
	}
	from, to := a.ValueOffsets(i)
	w.word("{")
	for k := int(from); k < int(to); k++ {
		w.name(names.Value(k))
		w.value(s.Field(1), k)
	}
	w.word("}")
	return true
}

// textIn returns value i of a column of texts.
func textIn(a arrow.Array, i int) (string, bool) {
	switch a := a.(type) {
	case array.StringLike:
		return a.Value(i), true
	case *array.Dictionary:
		return textIn(a.Dictionary(), a.GetValueIndex(i))
	}
	return "", false
}

// records makes rows of those of a table that is not of our schema.
func (d *rowDecoder) records(t *table, from, to int, pos stream.Pos) (rows []rollout.Row, rejects []stream.Reject) {
	rows = make([]rollout.Row, 0, to-from)
	var w valueWriter
	for i := from; i < to; i++ {
		w.json, w.bad = w.json[:0], false
		t.plan.record(&w, t, i)
		json := bytes.Clone(w.json) // the rows point into it
		var err error
		if w.bad {
			err = errNotUTF8
		} else {
			rows, err = d.record(rows, t, json, i, pos)
		}
		if err != nil {
			rejects = append(rejects, rejectRecord(pos, err, json))
		}
		pos.Record++
	}
	return rows, rejects
}

func (d *rowDecoder) record(rows []rollout.Row, t *table, json []byte, i int, pos stream.Pos) ([]rollout.Row, error) {
	if t.plan.dialect != nil {
		return t.plan.dialect.Rows(rows, dialect.Record{JSON: json, Pos: pos})
	}
	r := rollout.Row{Pos: pos}
	if err := d.decoder.Decode(json, &r); err != nil {
		return rows, err
	}
	made, err := d.detached(&r)
	if err != nil {
		return rows, err
	}
	if extra := t.extra(i); extra != "" {
		if err := d.absorb(made, extra); err != nil {
			return rows, err
		}
	}
	return append(rows, *made), nil
}

// extra returns what stands beside the columns of row i, in files of ours.
func (t *table) extra(i int) string {
	for k, a := range t.arrays {
		if a != nil && t.plan.ours && t.plan.fields[k].Name == extraName && !isNull(a, i) {
			text, _ := textIn(a, i)
			return text
		}
	}
	return ""
}

// absorb takes what stands beside the columns into a row that has members
// already.
func (d *rowDecoder) absorb(r *rollout.Row, extra string) error {
	before := r.Extra
	if err := d.decoder.Absorb(bytesOfText(extra), r); err != nil {
		return err
	}
	members := r.Extra[:len(r.Extra):len(r.Extra)]
	for _, m := range before {
		if !hasMember(r.Extra, m.Name) {
			members = append(members, m)
		}
	}
	r.Extra = members
	return nil
}

// detached returns a row that says the same and has no source: the JSON text was
// made here, and is not what the row should be written as.
func (d *rowDecoder) detached(r *rollout.Row) (*rollout.Row, error) {
	made := &rollout.Row{
		Pos: r.Pos, ID: r.ID, TaskID: r.TaskID, GroupID: r.GroupID, Index: r.Index, Prompt: r.Prompt,
		Messages: r.Messages, Tools: r.Tools, FinalText: r.FinalText, FinishReason: r.FinishReason,
		Logprob: r.Logprob, NTokens: r.NTokens, Reward: r.Reward, PriorReward: r.PriorReward, Status: r.Status,
		Reason: r.Reason, Judge: r.Judge, LabelSource: r.LabelSource, Markers: r.Markers,
		Privileged: r.Privileged, Gate: r.Gate, Gates: r.Gates,
	}
	for f := rollout.FieldID; f < rollout.FieldExtra; f <<= 1 {
		if r.Has(f) {
			made.Hold(f)
		}
	}
	if len(r.Extra) == 0 {
		return made, nil
	}
	return made, d.decoder.Absorb(r.AppendExtra(nil, 0), made)
}

func rejectRecord(pos stream.Pos, err error, json []byte) stream.Reject {
	bad := stream.Reject{Pos: pos, Stage: stageName, Code: rollout.CodeBadJSON, Detail: err.Error(), Raw: json}
	switch e := err.(type) {
	case *rollout.DecodeError:
		bad.Code, bad.Detail = e.Code, e.Detail
	case *dialect.Error:
		bad.Code, bad.Detail = e.Code, e.Detail
	}
	return bad
}
