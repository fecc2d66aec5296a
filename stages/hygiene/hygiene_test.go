package hygiene_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/hygiene"
	"github.com/rollmill/rollmill/stats"
)

func decoded(t *testing.T, records []json.RawMessage) (rows []rollout.Row) {
	t.Helper()
	for i, record := range records {
		row := rollout.Row{}
		if err := rollout.NewDecoder(rollout.AllFields).Decode(slices.Clone(record), &row); err != nil {
			t.Fatal(err)
		}
		row.Pos = rollout.Pos{Record: int64(i + 1)}
		rows = append(rows, row)
	}
	return rows
}

// plain is a value as its JSON reads.
func plain(t *testing.T, v any) (read any) {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &read); err != nil {
		t.Fatal(err)
	}
	return read
}

// split reports on rows that were spread over accumulators and merged, out of
// order.
func split(rows []rollout.Row, o hygiene.Options) *hygiene.Report {
	a := hygiene.New(o)
	third := len(rows) / 3
	for _, part := range [][]rollout.Row{rows[2*third:], rows[:third], rows[third : 2*third]} {
		p := hygiene.New(o)
		p.Add(part)
		a.Merge(p)
	}
	return a.Result()
}

func codes(findings []stats.Finding) []any {
	list := []any{}
	for _, f := range findings {
		list = append(list, string(f.Code))
	}
	return list
}

func TestVectors(t *testing.T) {
	raw, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Vectors []struct {
			ID, Fn        string
			Input, Expect json.RawMessage
		}
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Vectors) != 4 {
		t.Fatalf("%d vectors, want 4", len(file.Vectors))
	}
	for _, v := range file.Vectors {
		t.Run(v.ID, func(t *testing.T) {
			var records []json.RawMessage
			var o hygiene.Options
			if v.Fn == "coverage_warnings" {
				var in struct{ Rows, Tools []json.RawMessage }
				if err := json.Unmarshal(v.Input, &in); err != nil {
					t.Fatal(err)
				}
				records, o.Tools = in.Rows, hygiene.ToolNames(string(must(json.Marshal(in.Tools))))
			} else if err := json.Unmarshal(v.Input, &records); err != nil {
				t.Fatal(err)
			}
			var want any
			if err := json.Unmarshal(v.Expect, &want); err != nil {
				t.Fatal(err)
			}
			rows := decoded(t, records)
			whole := hygiene.New(o)
			whole.Add(rows)
			for _, r := range []*hygiene.Report{whole.Result(), split(rows, o)} {
				got := map[string]any{
					"length_report": plain(t, r.Lengths), "reward_correlations": plain(t, r.Correlations), "coverage_warnings": codes(r.Coverage),
				}[v.Fn]
				if d := cmp.Diff(want, got); d != "" {
					t.Errorf("(-want +got):\n%s", d)
				}
			}
		})
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// Rows may be spread and merged in any way.
func TestMergeIsTheSame(t *testing.T) {
	src := rand.New(rand.NewPCG(1, 1))
	var records []json.RawMessage
	for i := range 300 {
		steps := ""
		if src.IntN(3) > 0 {
			steps = fmt.Sprintf(`{"tool":"t%d","result":{"status":"%s"}}`, src.IntN(4), []string{"ok", "error"}[src.IntN(2)])
		}
		records = append(records, json.RawMessage(fmt.Sprintf(`{"prompt":"ask %d","reward":%d,"final_text":"%0*d. Certainly!","steps":[%s],"markers":{"m%d":%s}}`,
			i/4, src.IntN(2), 1+src.IntN(400), 7, steps, src.IntN(3), []string{"null", `"x"`}[src.IntN(2)])))
	}
	rows := decoded(t, records)
	o := hygiene.Options{Tools: []string{"t0", "t1", "t2", "t3", "t9"}}
	whole := hygiene.New(o)
	whole.Add(rows)
	want := plain(t, whole.Result())
	if d := cmp.Diff(want, plain(t, split(rows, o))); d != "" {
		t.Errorf("(-whole +merged):\n%s", d)
	}
}

func TestDeadTools(t *testing.T) {
	call := func(status string) string { return `{"tool":"t","result":{"status":"` + status + `"}}` }
	repeat := func(n int, s string) (list string) {
		for i := range n {
			if i > 0 {
				list += ","
			}
			list += s
		}
		return list
	}
	for _, c := range []struct {
		name, steps, faults string
		dead                bool
	}{
		{"0 of 8", repeat(8, call("error")), "{}", false},
		{"0 of 9", repeat(9, call("error")), "{}", true},
		{"planned", repeat(9, call("error")), `{"t":{"mode":"error"}}`, false},
		{"planned for all", repeat(9, call("error")), `{"*":{"mode":"error"}}`, false},
		{"works", repeat(9, call("ok")), "{}", false},
	} {
		a := hygiene.New(hygiene.Options{Tools: []string{"t"}})
		a.Add(decoded(t, []json.RawMessage{json.RawMessage(`{"prompt":"p","steps":[` + c.steps + `],"faults":` + c.faults + `}`)}))
		if got := slices.Contains(codes(a.Result().Coverage), any(string(hygiene.CodeDead))); got != c.dead {
			t.Errorf("%s: dead %v, want %v", c.name, got, c.dead)
		}
	}
}

func TestWarnings(t *testing.T) {
	c := hygiene.Correlations{Flagged: stats.Quantities{{Name: "reply_length", Value: stats.Of(0.512)}, {Name: "tool_calls", Value: stats.Of(-0.4)}}}
	l := hygiene.Lengths{Rows: 9, Truncated: 2, GroupsMulti: 3, GroupsWide: 1, MaxSpread: 4}
	d := hygiene.Duplicates{Dropped: 5, Conflicting: 1, NearPairs: 2, NearPrompts: 3}
	var texts []string
	for _, f := range hygiene.Warnings(d, l, c, []stats.Finding{{Text: "of the scan"}}) {
		texts = append(texts, f.Text)
	}
	want := []string{
		"5 rows repeat another and were dropped; 1 of them with another reward for the same behaviour",
		"3 prompts are nearly the same as another, in 2 pairs",
		"2 of 9 replies are cut",
		"in 1 of 3 tasks the longest reply is more than 4 times the median",
		"the reward pays for reply length (+0.51 over all rows)",
		"the reward punishes tool calls (-0.40 over all rows)",
		"of the scan",
	}
	if d := cmp.Diff(want, texts); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if clean := hygiene.Warnings(hygiene.Duplicates{}, hygiene.Lengths{}, hygiene.Correlations{}, nil); len(clean) != 0 {
		t.Errorf("%+v", clean)
	}
}
