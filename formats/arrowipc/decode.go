package arrowipc

import (
	"github.com/apache/arrow-go/v18/arrow"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

// Decode returns the rows of a record batch as a [Reader] would: of [Schema], or
// of any other that has columns called as fields of row v1. Only the fields that
// are wanted are decoded. Strings of the rows point into the memory of the
// batch, which must not be changed, nor be freed where it is not the garbage
// collector's. Pos.Record is the number of the row in the batch, from 1; what
// cannot be a row is among the rejects. The error is a *[SchemaError], or says
// what is wrong with the batch.
func Decode(rec arrow.RecordBatch, want rollout.Fields) (rows []rollout.Row, rejects []stream.Reject, err error) {
	defer caught(&err)
	p, err := planOf(rec.Schema(), 0, want, nil, false)
	if err != nil {
		return nil, nil, err
	}
	wanted, err := p.columnsOf(nil)
	if err != nil {
		return nil, nil, err
	}
	t := &table{plan: p, rows: int(rec.NumRows()), arrays: make([]arrow.Array, rec.NumCols())}
	for i := range t.arrays {
		if wanted[i] {
			t.arrays[i] = rec.Column(i)
		}
	}
	if p.direct {
		if err := t.view(true); err != nil {
			return nil, nil, err
		}
	} else if err := p.recognise(t); err != nil {
		return nil, nil, err
	}
	rows, rejects = newRowDecoder(want).rows(t, 0, t.rows, stream.Pos{Record: 1})
	return rows, rejects, nil
}

// rows makes rows of those of a table from one to another. pos is that of the
// first of them.
func (d *rowDecoder) rows(t *table, from, to int, pos stream.Pos) ([]rollout.Row, []stream.Reject) {
	if !t.plan.direct {
		return d.records(t, from, to, pos)
	}
	rows := make([]rollout.Row, to-from)
	for i := range rows {
		rows[i].Pos = pos
		rows[i].Pos.Record += int64(i)
	}
	d.fill(rows, t.batch, from)
	return d.finish(rows, t.batch, from)
}

// finish adds to rows what stands in the column extra and in those that are no
// fields, and takes out the rows that cannot be.
func (d *rowDecoder) finish(rows []rollout.Row, b *batch, from int) ([]rollout.Row, []stream.Reject) {
	var rejects []stream.Reject
	extra, hasExtra := &b.texts[columnOf(rollout.FieldExtra)], b.want.Has(rollout.FieldExtra)
	kept := rows[:0]
	for i := range rows {
		r := &rows[i]
		if b.badText || b.anyJSON {
			if bad := d.lookAt(b, r); bad != nil {
				rejects = append(rejects, *bad)
				continue
			}
		}
		if hasExtra && extra.has(from+i) {
			text := extra.get(from + i)
			if err := d.decoder.Absorb(bytesOfText(text), r); err != nil {
				rejects = append(rejects, reject(r.Pos, extraName, err, text))
				continue
			}
		}
		if d.want.Has(rollout.FieldExtra) && (len(b.others) > 0 || b.status.odd) {
			if column := b.addOthers(r, from+i); column != "" {
				rejects = append(rejects, reject(r.Pos, column, errNotUTF8, ""))
				continue
			}
		}
		if len(kept) < i { // a row before was taken out
			kept = append(kept, *r)
		} else {
			kept = rows[:i+1]
		}
	}
	return kept, rejects
}

// stageName is what rejects of this package say of who refused them.
const stageName = "read"

// reject says why the row at pos cannot be one: its column holds something that
// a column of the name must not.
func reject(pos stream.Pos, column string, err error, raw string) stream.Reject {
	code, detail := rollout.CodeBadJSON, err.Error()
	if de, ok := err.(*rollout.DecodeError); ok {
		code, detail = de.Code, de.Detail
	}
	return stream.Reject{Pos: pos, Stage: stageName, Code: code, Detail: "column \"" + column + "\": " + detail, Raw: []byte(raw)}
}

// addOthers adds the columns that are no fields to the members of a row. It
// returns the column that has a text that is not UTF-8, if any.
func (b *batch) addOthers(r *rollout.Row, i int) (badColumn string) {
	members := make([]rollout.Member, 0, len(r.Extra)+len(b.others)+1)
	members = append(members, r.Extra...)
	var w valueWriter
	if odd := b.status.oddWord(i); odd != "" {
		w.text(odd)
		members = append(members, rollout.Member{Name: "judge_status", JSON: string(w.json)})
	}
	for _, c := range b.others {
		if isNull(c.array, i) || hasMember(r.Extra, c.name) {
			continue
		}
		w.json = w.json[:0]
		w.value(c.array, i)
		if w.bad {
			return c.name
		}
		members = append(members, rollout.Member{Name: c.name, JSON: string(w.json)})
	}
	if len(members) > 0 {
		r.Extra = members
	}
	return ""
}

func hasMember(members []rollout.Member, name string) bool {
	for i := range members {
		if members[i].Name == name {
			return true
		}
	}
	return false
}
