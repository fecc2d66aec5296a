package parquet

import (
	"fmt"

	"github.com/rollmill/rollmill/formats/rollout"
)

// assembler makes rows of the columns of a row group. Columns that are not
// wanted are nil.
type assembler struct {
	cols     [columns]*column
	sought   []soughtText      // of extra, when little of it is wanted
	messages []rollout.Message // of all rows, as are the others
	calls    []rollout.ToolCall
	markers  []rollout.Marker
	findings []rollout.Finding
	numbers  numbers
}

// ownRows reads a row group of our schema, as runs of rows that are one batch
// each: small enough that a row is still at hand when its next column comes.
func (p *piece) ownRows(d *rollout.Decoder, want rollout.Fields, batchRows int) (runs [][]rollout.Row, err error) {
	a := &assembler{}
	if err := a.read(p, want); err != nil {
		return nil, err
	}
	for at := int64(0); at < p.rows; {
		run := make([]rollout.Row, min(int64(batchRows), p.rows-at))
		if err := a.fill(run, p, at, d); err != nil {
			return nil, p.failed("", err)
		}
		runs = append(runs, run)
		at += int64(len(run))
	}
	for i, c := range a.cols {
		if c != nil && !c.done() {
			return nil, p.failed(pathOf(i), fmt.Errorf("%w: it disagrees with the columns beside it", ErrDamaged))
		}
	}
	return runs, nil
}

func (p *piece) failed(column string, err error) error {
	return &GroupError{File: p.in.name, Group: p.group, Column: column, Err: err}
}

// read reads the columns of the wanted fields. Of extra, if it is not wanted
// itself, it reads what holds the exact text of one that is.
func (a *assembler) read(p *piece, want rollout.Fields) (err error) {
	chunks := p.in.file.RowGroups()[p.group].ColumnChunks()
	for i, chunk := range chunks {
		if want&columnFields[i] == 0 {
			continue
		}
		leaf, _ := schema.Lookup(schema.Columns()[i]...)
		if a.cols[i], err = readColumn(chunk, byte(leaf.MaxDefinitionLevel), p.rows); err != nil {
			return p.failed(pathOf(i), err)
		}
	}
	if inexact := want & p.in.inexact; inexact != 0 && !want.Has(rollout.FieldExtra) {
		if a.sought, err = seek(chunks[colExtra], inexact.Names(), p.rows); err != nil {
			return p.failed(pathOf(colExtra), err)
		}
	}
	return nil
}

// fill makes rows of what comes next in the columns, from the row at on.
func (a *assembler) fill(rows []rollout.Row, p *piece, at int64, d *rollout.Decoder) (err error) {
	defer recovered(&err)
	for i := range rows {
		rows[i].Pos = rollout.Pos{Input: p.in.number, Record: p.first + at + int64(i) + 1}
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
	absorb := func(i int, extra string) error {
		if err := d.Absorb(bytesOf(extra), &rows[i]); err != nil {
			return fmt.Errorf("%w: extra of row %d: %w", ErrDamaged, at+int64(i)+1, err)
		}
		return nil
	}
	if c := a.cols[colExtra]; c != nil {
		for i := range rows {
			if text, ok := c.text(flatValue); ok {
				if err := absorb(i, text); err != nil {
					return err
				}
			}
		}
	}
	for len(a.sought) > 0 && a.sought[0].row < at+int64(len(rows)) {
		if err := absorb(int(a.sought[0].row-at), a.sought[0].text); err != nil {
			return err
		}
		a.sought = a.sought[1:]
	}
	return nil
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
				*v.place(&rows[i]) = a.numbers.of(x)
				rows[i].Hold(columnFields[v.col])
			}
		}
	}
}
