package parquet

import (
	"unsafe"

	"github.com/parquet-go/parquet-go"
	"github.com/rollmill/rollmill/formats/rollout"
)

// Rows are handed to the column writers in runs, so that pages end near their
// size whatever the length of a row.
const (
	runRows  = 256
	runBytes = 128 << 10
)

// shredder cuts rows into the values of their columns. Each worker has its own.
type shredder struct {
	cols    [columns][]parquet.Value
	extra   []byte // texts of the column extra in this run
	rows    int
	bytes   int
	inexact rollout.Fields // fields of all rows so far that stand in extra
	order   order
}

// write writes rows to the columns of a row group.
func (s *shredder) write(rows []rollout.Row, group *parquet.ConcurrentRowGroupWriter) error {
	for i := range rows {
		s.row(&rows[i])
		if s.rows >= runRows || s.bytes >= runBytes {
			if err := s.flush(group); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *shredder) flush(group *parquet.ConcurrentRowGroupWriter) error {
	for i, w := range group.ColumnWriters() {
		if len(s.cols[i]) > 0 {
			if _, err := w.WriteRowValues(s.cols[i]); err != nil {
				return err
			}
			clear(s.cols[i]) // they point into rows
			s.cols[i] = s.cols[i][:0]
		}
	}
	s.rows, s.bytes, s.extra = 0, 0, s.extra[:0]
	return nil
}

func (s *shredder) row(r *rollout.Row) {
	s.rows++
	s.order.add(r)
	s.flat(r, rollout.FieldID, colID, r.ID)
	s.flat(r, rollout.FieldTaskID, colTaskID, r.TaskID)
	s.flat(r, rollout.FieldGroupID, colGroupID, r.GroupID)
	s.flat(r, rollout.FieldPrompt, colPrompt, r.Prompt)
	s.flat(r, rollout.FieldFinalText, colFinalText, r.FinalText)
	s.flat(r, rollout.FieldFinishReason, colFinishReason, r.FinishReason)
	s.flat(r, rollout.FieldStatus, colStatus, r.Status.String())
	s.flat(r, rollout.FieldReason, colReason, r.Reason)
	s.flat(r, rollout.FieldJudge, colJudge, r.Judge)
	s.flat(r, rollout.FieldLabelSource, colLabelSource, r.LabelSource)
	s.flat(r, rollout.FieldGate, colGate, r.Gate)

	var inexact rollout.Fields
	note := func(f rollout.Fields, exact bool) {
		if !exact {
			inexact |= f
		}
	}
	note(rollout.FieldTools, s.json(r, rollout.FieldTools, colTools, r.Tools))
	note(rollout.FieldPrivileged, s.json(r, rollout.FieldPrivileged, colPrivileged, r.Privileged))
	note(rollout.FieldIndex, s.integer(r, rollout.FieldIndex, colIndex, r.Index))
	note(rollout.FieldNTokens, s.integer(r, rollout.FieldNTokens, colNTokens, r.NTokens))
	note(rollout.FieldLogprob, s.number(r, rollout.FieldLogprob, colLogprob, r.Logprob))
	note(rollout.FieldReward, s.number(r, rollout.FieldReward, colReward, r.Reward))
	note(rollout.FieldPriorReward, s.number(r, rollout.FieldPriorReward, colPriorReward, r.PriorReward))
	note(rollout.FieldMarkers, s.markers(r))
	note(rollout.FieldMessages, s.messages(r))
	s.findings(r)

	n := len(s.extra)
	s.extra = r.AppendExtra(s.extra, inexact)
	if text := s.extra[n:]; len(text) > 0 {
		s.text(colExtra, 0, flatValue, unsafe.String(unsafe.SliceData(text), len(text)))
	} else {
		s.null(colExtra, 0, 0)
	}
	s.inexact |= inexact
	if len(r.Extra) > 0 {
		for f := rollout.FieldID; f < rollout.FieldExtra; f <<= 1 {
			if r.WrittenAsIs(f) {
				s.inexact |= f
			}
		}
	}
}

func (s *shredder) messages(r *rollout.Row) (exact bool) {
	if !s.list(r.Has(rollout.FieldMessages), len(r.Messages), colRole, colArguments) {
		return true
	}
	exact = true
	for i := range r.Messages {
		m := &r.Messages[i]
		rep := min(i, 1)
		s.text(colRole, rep, listValue, m.Role)
		switch {
		case m.Parts != "":
			s.text(colContent, rep, listValue, m.Text())
			exact = false
		case m.NoContent != rollout.Present && m.Content == "":
			s.null(colContent, rep, listElement) // which means that it was null
			exact = exact && m.NoContent == rollout.Null
		default:
			s.text(colContent, rep, listValue, m.Content)
		}
		s.orNull(colName, rep, listValue, m.Name)
		s.orNull(colToolCallID, rep, listValue, m.ToolCallID)
		s.calls(m.ToolCalls, rep)
	}
	return exact
}

func (s *shredder) calls(calls []rollout.ToolCall, rep int) {
	if len(calls) == 0 {
		for c := colCallID; c <= colArguments; c++ {
			s.null(c, rep, listElement)
		}
	}
	for i := range calls {
		c := &calls[i]
		s.orNull(colCallID, rep, callValue, c.ID)
		s.orNull(colCallType, rep, callValue, c.Type)
		s.text(colCallName, rep, functionText, c.Name)
		s.text(colArguments, rep, functionText, c.Arguments)
		rep = 2
	}
}

func (s *shredder) findings(r *rollout.Row) {
	if !s.list(r.Has(rollout.FieldGates), len(r.Gates), colFindingGate, colFindingDetail) {
		return
	}
	for i, f := range r.Gates {
		rep := min(i, 1)
		s.orNull(colFindingGate, rep, listValue, f.Gate)
		s.orNull(colFindingCode, rep, listValue, f.Code)
		s.orNull(colFindingDetail, rep, listValue, f.Detail)
	}
}

// list writes a list that is null or empty to its columns, and reports whether
// it has elements, which are still to come.
func (s *shredder) list(has bool, n, first, last int) bool {
	if has && n > 0 {
		return true
	}
	def := 0
	if has {
		def = listEmpty
	}
	for c := first; c <= last; c++ {
		s.null(c, 0, def)
	}
	return false
}

func (s *shredder) flat(r *rollout.Row, f rollout.Fields, col int, text string) {
	if r.Has(f) {
		s.text(col, 0, flatValue, text)
	} else {
		s.null(col, 0, 0)
	}
}

// json writes JSON text. The empty one, which stands for null, is inexact.
func (s *shredder) json(r *rollout.Row, f rollout.Fields, col int, text string) (exact bool) {
	if r.Has(f) && text != "" {
		s.text(col, 0, flatValue, text)
		return true
	}
	s.null(col, 0, 0)
	return !r.Has(f)
}

// orNull writes a text whose empty form is the same as none.
func (s *shredder) orNull(col, rep, def int, text string) {
	if text == "" {
		s.null(col, rep, def-1)
	} else {
		s.text(col, rep, def, text)
	}
}

func (s *shredder) text(col, rep, def int, text string) {
	s.bytes += len(text)
	s.put(col, rep, def, parquet.ByteArrayValue(unsafe.Slice(unsafe.StringData(text), len(text))))
}

func (s *shredder) null(col, rep, def int) { s.put(col, rep, def, parquet.NullValue()) }

func (s *shredder) put(col, rep, def int, v parquet.Value) {
	s.cols[col] = append(s.cols[col], v.Level(rep, def, col))
}
