package parquet

import (
	"strconv"

	"github.com/parquet-go/parquet-go"
	"github.com/rollmill/rollmill/formats/rollout"
)

// integer writes a value to a column of integers. exact tells whether the
// column alone gives the value back.
func (s *shredder) integer(r *rollout.Row, f rollout.Fields, col int, v rollout.Value) (exact bool) {
	if !r.Has(f) {
		s.null(col, 0, 0)
		return true
	}
	i, ok := v.Int()
	if !ok {
		s.null(col, 0, 0)
		return false
	}
	s.put(col, 0, flatValue, parquet.Int64Value(i))
	var room [20]byte
	return string(strconv.AppendInt(room[:0], i, 10)) == v.Text
}

// number writes a value to a column of numbers.
func (s *shredder) number(r *rollout.Row, f rollout.Fields, col int, v rollout.Value) (exact bool) {
	if !r.Has(f) {
		s.null(col, 0, 0)
		return true
	}
	return s.float(col, 0, flatValue, v)
}

func (s *shredder) float(col, rep, def int, v rollout.Value) (exact bool) {
	x, ok := v.Float()
	if !ok {
		s.null(col, rep, def-1)
		return false
	}
	s.put(col, rep, def, parquet.DoubleValue(x))
	if v.Text == "0" || v.Text == "1" {
		return true
	}
	var room [32]byte
	return string(rollout.AppendFloat(room[:0], x)) == v.Text
}

func (s *shredder) markers(r *rollout.Row) (exact bool) {
	if !s.list(r.Has(rollout.FieldMarkers), len(r.Markers), colMarkerName, colMarkerValue) {
		return true
	}
	exact = true
	for i := range r.Markers {
		m := &r.Markers[i]
		s.text(colMarkerName, min(i, 1), listValue, m.Name)
		exact = s.float(colMarkerValue, min(i, 1), listValue, m.Value) && exact
	}
	return exact
}
