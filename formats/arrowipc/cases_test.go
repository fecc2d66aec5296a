package arrowipc_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rollmill/rollmill/formats/arrowipc"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

// columnCase is a case from practice that columns decide.
type columnCase struct {
	ID    string `json:"id"`
	Input struct {
		Rows   []jsontext.Value `json:"rows"`
		Row    string           `json:"row"`
		Values []string         `json:"values"`
	} `json:"input"`
}

// roundTrip writes the case's rows to a file and reads them again.
func (c *columnCase) roundTrip(t *testing.T) []rollout.Row {
	var records []string
	for _, r := range c.Input.Rows {
		records = append(records, string(r))
	}
	if c.Input.Row != "" {
		records = append(records, c.Input.Row)
	}
	return throughFile(t, rowsOf(t, records...))
}

// throughFile writes rows to a file, reads them again and compares.
func throughFile(t *testing.T, rows []rollout.Row) []rollout.Row {
	path := filepath.Join(t.TempDir(), "x.arrow")
	save(t, path, rows)
	back := readAll(t, []string{path}).rows
	sameRows(t, back, rows)
	return back
}

// memberOf returns the JSON of a member that is no field.
func memberOf(r *rollout.Row, name string) string {
	for _, m := range r.Extra {
		if m.Name == name {
			return m.JSON
		}
	}
	return ""
}

func TestCasesFromPractice(t *testing.T) {
	data, err := os.ReadFile("testdata/cases.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range bytes.Lines(data) {
		var c columnCase
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		check, ok := caseChecks[c.ID]
		if !ok {
			t.Errorf("no check for case %s", c.ID)
			continue
		}
		n++
		t.Run(c.ID, func(t *testing.T) { check(t, &c) })
	}
	if n != len(caseChecks) {
		t.Errorf("%d cases for %d checks", n, len(caseChecks))
	}
}

var caseChecks = map[string]func(t *testing.T, c *columnCase){
	"io-05": func(t *testing.T, _ *columnCase) { // texts beyond what a record batch may hold
		var records []string
		for i := range 3 {
			records = append(records, fmt.Sprintf(`{"prompt":"%d","final_text":"%s"}`, i, strings.Repeat("x", 400<<10)))
		}
		rows := rowsOf(t, records...)
		batches, total := 0, 0
		for rec, err := range arrowipc.Records(stream.FromSlice(rows), arrowipc.RecordBytes(1<<20)).All(context.Background()) {
			if err != nil {
				t.Fatal(err)
			}
			batches++
			back, _, err := arrowipc.Decode(rec, rollout.AllFields)
			if err != nil {
				t.Fatal(err)
			}
			sameRows(t, back, rows[total:total+len(back)])
			total += len(back)
		}
		if batches != 2 || total != 3 {
			t.Errorf("%d record batches, %d rows", batches, total)
		}
	},
	"io-17": func(t *testing.T, c *columnCase) { // integers of 64 bits keep their digits
		rows := c.roundTrip(t)
		if id, seed := memberOf(&rows[0], "id"), memberOf(&rows[0], "seed"); id != "9007199254740993" || seed != "-9223372036854775808" {
			t.Errorf("id %s, seed %s", id, seed)
		}
		rows = throughFile(t, rowsOf(t, `{"rollout_index":9007199254740993,"n_tokens":-9223372036854775808}`))
		if r := rows[0]; r.Index.Text != "9007199254740993" || r.NTokens.Text != "-9223372036854775808" {
			t.Errorf("index %s, tokens %s", r.Index.Text, r.NTokens.Text)
		}
	},
	"io-18": func(t *testing.T, c *columnCase) { // calls with other arguments get no nulls
		rows := c.roundTrip(t)
		for i, want := range []string{`[{"name":"weather","arguments":{"city":"Paris"}}]`, `[{"name":"chmod","arguments":{"path":"/tmp/x","mode":7}}]`} {
			if got := memberOf(&rows[i], "tool_calls"); got != want {
				t.Errorf("row %d: %s", i, got)
			}
		}
	},
	"io-19": func(t *testing.T, c *columnCase) { // arguments keep their types
		rows := c.roundTrip(t)
		for i, want := range []string{`{"time":"2025-08-01"}`, `{"time":1690876800}`} {
			if got := memberOf(&rows[i], "arguments"); got != want {
				t.Errorf("row %d: %s", i, got)
			}
		}
	},
	"io-20": func(t *testing.T, c *columnCase) { // a content that is a list, beside one that is text
		rows := c.roundTrip(t)
		m := rows[0].Messages
		if len(m) != 2 || m[0].Parts != "" || m[0].Text() != "be brief" || !strings.HasPrefix(m[1].Parts, "[") || m[1].Text() != "hi" {
			t.Errorf("%+v", m)
		}
		rec, err := arrowipc.Encode(rows)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(rec.Column(5)); !strings.Contains(got, `["be brief" "hi"]`) {
			t.Errorf("the column of content: %s", got)
		}
	},
	"io-22": func(t *testing.T, c *columnCase) { // null, empty and not
		rows := c.roundTrip(t)
		for i, want := range []string{"null", "[]", `["x"]`} {
			if got := memberOf(&rows[i], "tool_calls"); got != want {
				t.Errorf("row %d: %s", i, got)
			}
		}
	},
	"io-25": func(t *testing.T, _ *columnCase) { // a field that comes late, and many that come once
		var records []string
		for i := range 3000 {
			switch {
			case i == 2500:
				records = append(records, `{"rollout_id":"r","extra_field":"kept"}`)
			default:
				records = append(records, fmt.Sprintf(`{"rollout_id":"r","field_%d":%d}`, i, i))
			}
		}
		rows := rowsOf(t, records...)
		path := filepath.Join(t.TempDir(), "x.arrow")
		save(t, path, rows, arrowipc.RecordRows(700))
		back := readAll(t, []string{path}).rows
		sameRows(t, back, rows)
		if memberOf(&back[2500], "extra_field") != `"kept"` {
			t.Errorf("%+v", back[2500].Extra)
		}
		var wide strings.Builder
		for i := range 2500 {
			fmt.Fprintf(&wide, `,"key%d":%d.0`, i, i)
		}
		back = throughFile(t, rowsOf(t, `{"rollout_id":"wide"`+wide.String()+"}"))
		if len(back[0].Extra) != 2500 || back[0].Extra[7].JSON != "7.0" {
			t.Errorf("%d members", len(back[0].Extra))
		}
	},
	"io-26": func(t *testing.T, c *columnCase) { // objects whose names are data
		rows := c.roundTrip(t)
		for i, want := range []string{`{"0":[0,10]}`, `{"-1":[0,10]}`, `{"-2":[0,10]}`} {
			if got := memberOf(&rows[i], "index"); got != want {
				t.Errorf("row %d: %s", i, got)
			}
		}
	},
	"io-27": func(t *testing.T, c *columnCase) { // missing, null, a number and a text that is one
		rows := c.roundTrip(t)
		for i, want := range []struct {
			state rollout.State
			text  string
		}{{rollout.Unscored, ""}, {rollout.Unscored, "null"}, {rollout.Scored, "0"}, {rollout.Scored, `"0.5"`}} {
			if r := &rows[i]; r.State() != want.state || r.Reward.Text != want.text && memberOf(r, "reward") != want.text {
				t.Errorf("row %d: %v, reward %q", i, r.State(), r.Reward.Text)
			}
		}
	},
	"export-06": func(t *testing.T, c *columnCase) { // arguments that are no JSON are kept as they are
		r := rollout.Row{Messages: []rollout.Message{{Role: rollout.RoleAssistant}}}
		for _, v := range c.Input.Values {
			r.Messages[0].ToolCalls = append(r.Messages[0].ToolCalls, rollout.ToolCall{Name: "f", Arguments: v})
		}
		r.Touch(rollout.FieldMessages)
		back := throughFile(t, []rollout.Row{r})
		for i, v := range c.Input.Values {
			if got := back[0].Messages[0].ToolCalls[i].Arguments; got != v {
				t.Errorf("%s came back as %s", v, got)
			}
		}
	},
	"export-10": func(t *testing.T, c *columnCase) { // messages are objects again, not text
		rows := c.roundTrip(t)
		line := string(rows[0].AppendLine(nil))
		if !strings.Contains(line, `"messages":[{"role":"user","content":"q"},{"role":"assistant","content":null,"tool_calls":[]},`) {
			t.Errorf("written: %s", line)
		}
	},
}
