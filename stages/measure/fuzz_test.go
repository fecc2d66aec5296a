package measure_test

import (
	"testing"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/measure"
)

// FuzzRows: whatever a record holds and whatever field is asked for, it is
// counted, and twice as often when it comes twice.
func FuzzRows(f *testing.F) {
	f.Add(`{"scenario_id":"a","reward":1,"markers":{"m":0.5}}`, "lineage.eval_run")
	f.Add(`{"reward":"nan","judge_status":["x"],"lineage":{"a":{"b":[1,{"c":2}]}},"sampling":{"temperature":1e999}}`, "lineage.a.b.0.c")
	f.Add(`{"final_text":"<think>\ud835","rollout_index":18446744073709551615,"markers":{"m":"1_0","n":1e400}}`, `markers.m`)
	f.Fuzz(func(t *testing.T, record, name string) {
		field, err := measure.ParseField(name)
		if err != nil {
			return
		}
		o := measure.ForComparison(field)
		var row rollout.Row
		if rollout.NewDecoder(o.Fields()).Decode([]byte(record), &row) != nil {
			return
		}
		row.Pos.Record = 1
		once, twice, labels := measure.New(o), measure.New(o), measure.NewLabels(measure.LabelOptions{Judge: field})
		once.Add([]rollout.Row{row})
		twice.Add([]rollout.Row{row})
		labels.Add([]rollout.Row{row})
		twice.Merge(once)
		a, b := once.Result().Tasks(), twice.Result().Tasks()
		if len(a) != 1 || len(b) != 1 || b[0].N != 2*a[0].N || b[0].Passes != 2*a[0].Passes || b[0].Unscored != 2*a[0].Unscored || b[0].Invalid != 2*a[0].Invalid {
			t.Fatalf("once %+v, twice %+v", a, b)
		}
		if n := a[0].N + a[0].Unscored + a[0].Invalid; n != 1 {
			t.Fatalf("one row counts %d times", n)
		}
		if labels.Rows()+labels.Others() != 1 {
			t.Fatalf("%d rows with labels, %d without", labels.Rows(), labels.Others())
		}
		field.Text(&row)
	})
}
