package parquet

import (
	"errors"

	"github.com/rollmill/rollmill/formats/dialect"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

// foreignRows makes rows of the records of another schema.
func (p *piece) foreignRows(d *rollout.Decoder) (rows []rollout.Row, refused []stream.Reject, err error) {
	defer func() {
		if err != nil {
			err = &GroupError{File: p.in.name, Group: p.group, Err: err}
		}
	}()
	defer recovered(&err)
	rows = make([]rollout.Row, 0, p.rows)
	for record := range p.records() {
		pos := rollout.Pos{Input: p.in.number, Record: p.first + p.values.at}
		var err error
		if p.in.dialect != nil {
			rec := dialect.Record{JSON: record, Pos: pos}
			if rec.JSON, err = d.Check(record); err == nil {
				rows, err = p.in.dialect.Rows(rows, rec)
			}
		} else {
			rows = append(rows, rollout.Row{Pos: pos})
			if err = d.Decode(record, &rows[len(rows)-1]); err != nil {
				rows = rows[:len(rows)-1]
			}
		}
		if err != nil {
			refused = append(refused, reject(pos, record, err))
		}
	}
	return rows, refused, nil
}

func reject(pos rollout.Pos, record []byte, err error) stream.Reject {
	code, detail := "error", err.Error()
	if de, ok := errors.AsType[*rollout.DecodeError](err); ok {
		code, detail = de.Code, de.Detail
	} else if de, ok := errors.AsType[*dialect.Error](err); ok {
		code, detail = de.Code, de.Detail
	}
	return stream.Reject{Pos: pos, Stage: "read", Code: code, Detail: detail, Raw: record}
}
