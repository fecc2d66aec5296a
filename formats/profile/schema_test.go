package profile_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rollmill/rollmill/formats/profile"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

// rowsOf decodes records as a reader does that decodes the fields of want.
func rowsOf(t interface{ Fatal(...any) }, want rollout.Fields, records ...string) []rollout.Row {
	d := rollout.NewDecoder(want)
	rows := make([]rollout.Row, len(records))
	for i, r := range records {
		rows[i].Pos = stream.Pos{Record: int64(i) + 1}
		if err := d.Decode([]byte(r), &rows[i]); err != nil {
			t.Fatal(err)
		}
	}
	return rows
}

func TestSchema(t *testing.T) {
	long := `"` + strings.Repeat("é", 50) + `"`
	rows := rowsOf(t, 0,
		`{"prompt":"a","reward":null,"markers":{"polite":1},"note":`+long+`}`,
		`{"prompt":"b","reward":0.5,"reward":1,"extra":[1]}`,
		`{"reward":"0.5","markers":{"polite":0,"short":null},"note":{"prompt":1}}`,
		`{}`)
	rows = append(rows, rollout.Row{Prompt: "made"})
	rows[4].Touch(rollout.FieldPrompt)
	s := profile.NewSchema(100)
	s.Add(rows)
	got := s.Result()
	want := profile.SchemaResult{Rows: 5, Members: []profile.Member{
		{Name: "prompt", Rows: 3, Types: []profile.TypeCount{{"string", 3}}, Example: `"a"`},
		{Name: "reward", Rows: 3, Nulls: 1, Types: []profile.TypeCount{{"null", 1}, {"number", 1}, {"string", 1}}, Example: `1`},
		{Name: "markers", Rows: 2, Types: []profile.TypeCount{{"object", 2}}, Example: `{"polite":1}`},
		{Name: "markers.polite", Rows: 2, Types: []profile.TypeCount{{"number", 2}}, Example: `1`},
		{Name: "note", Extra: true, Rows: 2, Types: []profile.TypeCount{{"string", 1}, {"object", 1}}, Example: `"` + strings.Repeat("é", 39), Cut: true},
		{Name: "extra", Extra: true, Rows: 1, Types: []profile.TypeCount{{"array", 1}}, Example: `[1]`},
		{Name: "markers.short", Rows: 1, Nulls: 1, Types: []profile.TypeCount{{"null", 1}}},
		{Name: "schema_version", Rows: 1, Types: []profile.TypeCount{{"string", 1}}, Example: `"1"`},
	}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestSchemaCountsWhatIsBeyondTheLimit(t *testing.T) {
	s := profile.NewSchema(2)
	s.Add(rowsOf(t, 0, `{"a":1,"b":2,"c":3,"c":4}`, `{"d":1,"a":2,"c":3}`))
	r := s.Result()
	if len(r.Members) != 2 || r.Members[0].Name != "a" || r.Members[0].Rows != 2 || r.Members[1].Name != "b" || r.Omitted != 3 {
		t.Errorf("%+v", r)
	}
}

// However the rows are cut into batches, the result is the same.
func TestPropertySchemaMerges(t *testing.T) {
	name := rapid.SampledFrom([]string{"a", "b", "c", "d", "prompt", "markers"})
	value := rapid.SampledFrom([]string{"null", "1", `"x"`, `{"a":1,"m":null}`, "[]", "true"})
	rapid.Check(t, func(t *rapid.T) {
		var records []string
		for range rapid.IntRange(1, 12).Draw(t, "rows") {
			var members []string
			for range rapid.IntRange(0, 5).Draw(t, "members") {
				members = append(members, fmt.Sprintf("%q:%s", name.Draw(t, "name"), value.Draw(t, "value")))
			}
			records = append(records, "{"+strings.Join(members, ",")+"}")
		}
		rows := rowsOf(t, 0, records...)
		limit := rapid.IntRange(1, 8).Draw(t, "limit")
		whole := profile.NewSchema(limit)
		whole.Add(rows)
		merged := profile.NewSchema(limit)
		for len(rows) > 0 {
			n := rapid.IntRange(1, len(rows)).Draw(t, "batch")
			if rapid.Bool().Draw(t, "direct") {
				merged.Add(rows[:n])
			} else {
				part := profile.NewSchema(0)
				part.Add(rows[:n])
				merged.Merge(part)
			}
			rows = rows[n:]
		}
		if d := cmp.Diff(whole.Result(), merged.Result()); d != "" {
			t.Fatal(d)
		}
	})
}

func ExampleSchema() {
	rows := stream.FromSlice([]rollout.Row{{Prompt: "2+2?", Reward: rollout.Integer(1)}})
	s := profile.NewSchema(500)
	for row, err := range rows.All(context.Background()) {
		if err != nil {
			fmt.Println(err)
			return
		}
		row.Touch(rollout.FieldPrompt | rollout.FieldReward)
		s.Add([]rollout.Row{row})
	}
	for _, m := range s.Result().Members {
		fmt.Println(m.Name, m.Rows, m.Types, m.Example)
	}
	// Output:
	// schema_version 1 [{string 1}] "1"
	// prompt 1 [{string 1}] "2+2?"
	// reward 1 [{number 1}] 1
}
