package parquet

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rollmill/rollmill/formats/rollout"
)

// assembler makes rows of the columns of a row group. Columns that are not
// wanted are nil.
type assembler struct {
	cols     [columns]*column
	messages []rollout.Message // of all rows, as are the others
	calls    []rollout.ToolCall
	markers  []rollout.Marker
	findings []rollout.Finding
	sought   []string // without one of these extra says nothing that is wanted; none: it always does
}

func (a *assembler) says(extra string) bool {
	return a.sought == nil || slices.ContainsFunc(a.sought, func(name string) bool { return strings.Contains(extra, name) })
}

// ownRows reads a row group of our schema.
func (p *piece) ownRows(d *rollout.Decoder, want rollout.Fields) (rows []rollout.Row, err error) {
	fail := func(column string, err error) error {
		return &GroupError{File: p.in.name, Group: p.group, Column: column, Err: err}
	}
	a := &assembler{}
	read := want
	if inexact := want & p.in.inexact; inexact != 0 && !want.Has(rollout.FieldExtra) {
		read |= rollout.FieldExtra
		for _, name := range inexact.Names() {
			a.sought = append(a.sought, name+`":`)
		}
	}
	for i, chunk := range p.in.file.RowGroups()[p.group].ColumnChunks() {
		if read&columnFields[i] == 0 {
			continue
		}
		leaf, _ := schema.Lookup(schema.Columns()[i]...)
		if a.cols[i], err = readColumn(chunk, byte(leaf.MaxDefinitionLevel), p.rows); err != nil {
			return nil, fail(pathOf(i), err)
		}
	}
	rows, err = a.rows(p, d)
	if err != nil {
		return nil, fail("", err)
	}
	for i, c := range a.cols {
		if c != nil && !c.done() {
			return nil, fail(pathOf(i), fmt.Errorf("%w: it disagrees with the columns beside it", ErrDamaged))
		}
	}
	return rows, nil
}

func (a *assembler) rows(p *piece, d *rollout.Decoder) (rows []rollout.Row, err error) {
	defer recovered(&err)
	rows = make([]rollout.Row, p.rows)
	for i := range rows {
		r := &rows[i]
		r.Pos = rollout.Pos{Input: p.in.number, Record: p.first + int64(i) + 1}
	}
	a.texts(rows)
	a.values(rows)
	if a.cols[colRole] != nil {
		a.readMessages(rows)
	}
	if a.cols[colMarkerName] != nil {
		a.readMarkers(rows)
	}
	if a.cols[colFindingGate] != nil {
		a.readFindings(rows)
	}
	if c := a.cols[colExtra]; c != nil {
		for i := range rows {
			if text, ok := c.text(flatValue); ok && a.says(text) {
				if err := d.Absorb(bytesOf(text), &rows[i]); err != nil {
					return nil, fmt.Errorf("%w: extra of row %d: %w", ErrDamaged, i+1, err)
				}
			}
		}
	}
	return rows, nil
}

func (a *assembler) texts(rows []rollout.Row) {
	for _, t := range [...]struct {
		col int
		set func(*rollout.Row, string)
	}{
		{colID, func(r *rollout.Row, s string) { r.ID = s }},
		{colTaskID, func(r *rollout.Row, s string) { r.TaskID = s }},
		{colGroupID, func(r *rollout.Row, s string) { r.GroupID = s }},
		{colPrompt, func(r *rollout.Row, s string) { r.Prompt = s }},
		{colTools, func(r *rollout.Row, s string) { r.Tools = s }},
		{colFinalText, func(r *rollout.Row, s string) { r.FinalText = s }},
		{colFinishReason, func(r *rollout.Row, s string) { r.FinishReason = s }},
		{colStatus, func(r *rollout.Row, s string) { r.Status, _ = rollout.ParseStatus(s) }},
		{colReason, func(r *rollout.Row, s string) { r.Reason = s }},
		{colJudge, func(r *rollout.Row, s string) { r.Judge = s }},
		{colLabelSource, func(r *rollout.Row, s string) { r.LabelSource = s }},
		{colPrivileged, func(r *rollout.Row, s string) { r.Privileged = s }},
		{colGate, func(r *rollout.Row, s string) { r.Gate = s }},
	} {
		c := a.cols[t.col]
		if c == nil {
			continue
		}
		for i := range rows {
			if text, ok := c.text(flatValue); ok {
				t.set(&rows[i], text)
				rows[i].Hold(columnFields[t.col])
			}
		}
	}
}

func (a *assembler) values(rows []rollout.Row) {
	for _, v := range [...]struct {
		col   int
		place func(*rollout.Row) *rollout.Value
	}{
		{colIndex, func(r *rollout.Row) *rollout.Value { return &r.Index }},
		{colLogprob, func(r *rollout.Row) *rollout.Value { return &r.Logprob }},
		{colNTokens, func(r *rollout.Row) *rollout.Value { return &r.NTokens }},
		{colReward, func(r *rollout.Row) *rollout.Value { return &r.Reward }},
		{colPriorReward, func(r *rollout.Row) *rollout.Value { return &r.PriorReward }},
	} {
		c := a.cols[v.col]
		if c == nil {
			continue
		}
		for i := range rows {
			if v.col == colIndex || v.col == colNTokens {
				if n, ok := c.integer(flatValue); ok {
					*v.place(&rows[i]) = rollout.Integer(n)
					rows[i].Hold(columnFields[v.col])
				}
			} else if x, ok := c.float(flatValue); ok {
				*v.place(&rows[i]) = rollout.Number(x)
				rows[i].Hold(columnFields[v.col])
			}
		}
	}
}
