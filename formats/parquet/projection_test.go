package parquet_test

import (
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/rollmill/rollmill/formats/parquet"
	"github.com/rollmill/rollmill/formats/rollout"
)

// uneven makes rows of two row groups and many pages: members that are there,
// null, missing and of another type, texts that are repeated and, where a
// dictionary grows too large, texts that are not.
func uneven(t failer, n int) []rollout.Row {
	records := make([]string, n)
	for i := range records {
		var b strings.Builder
		fmt.Fprintf(&b, `{"rollout_id":"r%d"`, i)
		if i%5 != 0 {
			fmt.Fprintf(&b, `,"scenario_id":"t%d"`, i/8)
		}
		if i%7 < 5 {
			fmt.Fprintf(&b, `,"group_id":"g%d%s"`, i, strings.Repeat("x", 100))
		}
		if reward := [...]string{"0", "1", "0.25", "null", "1.0", `"x"`, ""}[i%97%7]; reward != "" {
			fmt.Fprintf(&b, `,"reward":%s`, reward)
		}
		if i%11 == 0 {
			fmt.Fprintf(&b, `,"rollout_index":%d.0,"seed":%d`, i, i)
		} else {
			fmt.Fprintf(&b, `,"rollout_index":%d`, i)
		}
		if i%3 > 0 {
			fmt.Fprintf(&b, `,"messages":[{"role":"user","content":"q%d"},{"role":"assistant","content":null}],"markers":{"a":%d,"b":0.5}`, i, i%4)
		}
		if i > n/2 && i%2 == 0 {
			fmt.Fprintf(&b, `,"reason":"because of %d"`, i)
		}
		b.WriteByte('}')
		records[i] = b.String()
	}
	return decode(t, records...)
}

// said is what a row says of some fields.
func said(r *rollout.Row, f rollout.Fields) (values []any) {
	for _, v := range []struct {
		field rollout.Fields
		value any
	}{
		{rollout.FieldTaskID, r.TaskID},
		{rollout.FieldGroupID, r.GroupID},
		{rollout.FieldIndex, r.Index},
		{rollout.FieldMessages, r.Messages},
		{rollout.FieldReward, r.Reward},
		{rollout.FieldReason, r.Reason},
		{rollout.FieldMarkers, r.Markers},
	} {
		if f.Has(v.field) {
			values = append(values, v.value, r.Has(v.field))
		}
	}
	return values
}

// A projected read says of its fields what a row says that was never written,
// and of the others nothing.
func TestProjectionOfUnevenRows(t *testing.T) {
	const all = rollout.FieldTaskID | rollout.FieldGroupID | rollout.FieldIndex | rollout.FieldMessages | rollout.FieldReward | rollout.FieldReason | rollout.FieldMarkers
	rows := uneven(t, 20_000)
	path := filepath.Join(memory(t), "rows.parquet")
	write(t, path, rows, 1000)
	for _, c := range []struct {
		name   string
		fields rollout.Fields
		batch  int
	}{
		{"task and reward", rollout.FieldTaskID | rollout.FieldReward, 1024},
		{"task, which is exact", rollout.FieldTaskID, 1024},
		{"a dictionary that grew too large", rollout.FieldGroupID, 100},
		{"two that extra has", rollout.FieldIndex | rollout.FieldReward, 999},
		{"reward and extra", rollout.FieldReward | rollout.FieldExtra, 1024},
		{"lists", rollout.FieldMessages | rollout.FieldMarkers, 64},
		{"begun in the second half", rollout.FieldReason, 1 << 20},
		{"all", rollout.AllFields, 1024},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := read(t, path, parquet.Fields(c.fields), parquet.BatchRows(c.batch), parquet.Workers(2))
			if len(a.rows) != len(rows) || a.reader.Inputs()[0].Groups != 2 {
				t.Fatalf("%d rows, want %d; %+v", len(a.rows), len(rows), a.reader.Inputs())
			}
			for i := range rows {
				got, want := &a.rows[i], &rows[i]
				if g, w := said(got, c.fields), said(want, c.fields); !reflect.DeepEqual(g, w) || got.Pos != want.Pos {
					t.Fatalf("row %d at %v: %v, want %v", i, got.Pos, g, w)
				}
				for _, v := range said(got, all&^c.fields) {
					if !reflect.ValueOf(v).IsZero() {
						t.Fatalf("row %d says %v, which nobody asked for", i, v)
					}
				}
				if !c.fields.Has(rollout.FieldExtra) && len(got.Extra) > 0 {
					t.Fatalf("row %d has extra %v", i, got.Extra)
				}
				if c.fields.Has(rollout.FieldExtra) && i%11 == 0 && !strings.Contains(fmt.Sprint(got.Extra), fmt.Sprintf("{seed %d}", i)) {
					t.Fatalf("row %d has extra %v", i, got.Extra)
				}
			}
		})
	}
}

// Of files of others a projected read decodes the same rows, without the rest.
func TestProjectionOfAForeignFile(t *testing.T) {
	type theirs struct {
		Task   *string  `parquet:"task_id,optional,dict"`
		Reward *float64 `parquet:"reward,optional"`
		Turns  []turn   `parquet:"messages,list"`
	}
	half := 0.5
	var rows []theirs
	for i := range 3000 {
		r := theirs{Turns: []turn{{"user", text("q")}}}
		if i%2 == 0 {
			r.Reward = &half
		}
		if i%3 > 0 {
			r.Task = text(fmt.Sprint("t", i/8))
		}
		rows = append(rows, r)
	}
	a := read(t, foreignFile(t, rows), parquet.Fields(rollout.FieldTaskID|rollout.FieldReward), parquet.BatchRows(100))
	if len(a.rows) != len(rows) || !a.reader.Inputs()[0].Foreign {
		t.Fatalf("%d rows; %+v", len(a.rows), a.reader.Inputs())
	}
	for i := range a.rows {
		got := &a.rows[i]
		task, reward := "", rollout.Value{}
		if i%3 > 0 {
			task = fmt.Sprint("t", i/8)
		}
		if i%2 == 0 {
			reward = rollout.Value{Num: 0.5, Text: "0.5"}
		}
		if got.TaskID != task || got.Reward != reward || got.Messages != nil || got.Pos.Record != int64(i)+1 {
			t.Fatalf("row %d at %v: task %q, want %q; reward %v, want %v; messages %v", i, got.Pos, got.TaskID, task, got.Reward, reward, got.Messages)
		}
	}
	last := int64(0)
	for _, m := range a.marks {
		if m[0].Record <= last || m[0].Record > last+100 {
			t.Fatalf("mark %v behind record %d", m, last)
		}
		last = m[0].Record
	}
	if last != 3000 {
		t.Errorf("the last mark is at record %d", last)
	}
}
