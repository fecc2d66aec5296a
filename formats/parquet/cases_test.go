package parquet_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rollmill/rollmill/formats/files"
	"github.com/rollmill/rollmill/formats/parquet"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

// Records that columns of fixed types would change.
func TestCases(t *testing.T) {
	for _, c := range []struct {
		name    string
		records []string
	}{
		{"io-17 integers of 64 bits", []string{
			`{"id":9007199254740993,"seed":-9223372036854775808,"rollout_index":9007199254740993,"n_tokens":-9223372036854775808}`,
		}},
		{"io-27 scores that are there and not", []string{
			`{"rollout_id":"a"}`, `{"rollout_id":"b","reward":null}`, `{"rollout_id":"c","reward":0}`, `{"rollout_id":"d","reward":"0.5"}`,
		}},
		{"export-06 arguments that are no JSON", []string{
			`{"messages":[{"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":"{\"path\": \"C:\\temp\\d\"}"}},{"function":{"name":"f","arguments":"{\"cmd\": \"ls"}}]}]}`,
		}},
		{"io-18 arguments of different names", []string{
			`{"messages":[{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"weather","arguments":"{\"city\":\"Paris\"}"}}]}]}`,
			`{"messages":[{"role":"assistant","content":null,"tool_calls":[{"name":"chmod","arguments":{"path":"/tmp/x","mode":7}}]}]}`,
		}},
		{"io-19 arguments of different types", []string{
			`{"arguments":{"time":"2025-08-01"}}`, `{"arguments":{"time":1690876800}}`,
		}},
		{"io-20 content that is a list", []string{
			`{"messages":[{"role":"system","content":"be brief"},{"role":"user","content":[{"type":"text","text":"hi"},{"type":"image_url","image_url":{"url":"a.png"}}]}]}`,
		}},
		{"io-22 null, empty and full lists", []string{
			`{"tool_calls":null,"messages":null,"markers":null}`, `{"tool_calls":[],"messages":[],"markers":{}}`, `{"tool_calls":["x"],"messages":[{"role":"user","content":"x"}],"markers":{"a":1}}`, `{}`,
		}},
		{"io-26 names that are data", []string{
			`{"id":0,"index":{"0":[0,10]}}`, `{"id":1,"index":{"-1":[0,10]}}`, `{"id":2,"index":{"-2":[0,10]}}`,
		}},
		{"export-10 messages stay objects", []string{
			`{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":null,"tool_calls":[]},{"role":"tool","tool_call_id":"c","content":"r"}]}`,
		}},
		{"numbers as they were written", []string{
			`{"reward":1.0,"rollout_index":1e0,"n_tokens":9007199254740993,"logprob":-0.10,"qwen_reward":"0.5"}`,
			`{"reward":null,"rollout_index":true,"n_tokens":1.5,"logprob":1e999,"qwen_reward":{}}`,
			`{"reward":-0,"rollout_index":-0,"n_tokens":99999999999999999999,"logprob":-0.5,"qwen_reward":1}`,
			`{"markers":{"a":1.0,"b":null,"c":0.25,"d":"x"}}`,
		}},
		{"gates", []string{
			`{"rollmill_gate":"dedup","rollmill_gates":[{"gate":"dedup","code":"near","detail":"r1"},{},{"code":"c"}]}`, `{"rollmill_gates":[]}`,
		}},
		{"other names and versions", []string{
			`{"schema_version":"2","task_id":7,"scenario_id":"","grader_reason":"x","reason":"y","judge_status":"late","tools":null,"privileged":{"a":1}}`,
		}},
	} {
		t.Run(c.name, func(t *testing.T) { throughFile(t, t.TempDir(), decode(t, c.records...)) })
	}
}

func TestListContentIsReadableText(t *testing.T) {
	rows := decode(t, `{"messages":[{"role":"user","content":[{"type":"text","text":"hi"},{"type":"image_url","image_url":{"url":"a.png"}}]}]}`)
	path := filepath.Join(t.TempDir(), "x.parquet")
	write(t, path, rows, 1)
	got := foreignColumns[struct {
		Messages []struct {
			Content string `parquet:"content"`
		} `parquet:"messages,list"`
	}](t, path)
	if got[0].Messages[0].Content != "hi" {
		t.Errorf("%+v", got)
	}
}

func TestManyDistinctNames(t *testing.T) { // io-25
	var records []string
	for i := range 3000 {
		records = append(records, fmt.Sprintf(`{"rollout_id":"%d"}`, i))
	}
	var text strings.Builder
	text.WriteString(`{"rollout_id":"wide"`)
	for i := range 2500 {
		fmt.Fprintf(&text, `,"key%d":%d.0`, i, i)
	}
	records[2500] = text.String() + "}"
	back := throughFile(t, t.TempDir(), decode(t, records...))
	if len(back[2500].Extra) != 2500 || back[2500].Extra[7].JSON != "7.0" {
		t.Errorf("%d members", len(back[2500].Extra))
	}
}

func TestPartsAndGates(t *testing.T) {
	rows := many(t, 25)
	for i := range rows[:5] {
		rows[i].EndAt("length")
	}
	dir := t.TempDir()
	s := write(t, filepath.Join(dir, "out.parquet"), rows, 7, parquet.RowsPerFile(10), parquet.KeptOnly())
	if s.Rows != 20 || s.Dropped["length"] != 5 || len(s.Parts) != 2 || filepath.Base(s.Parts[1].Path) != "out-00001.parquet" {
		t.Errorf("%+v", s)
	}
	a, err := tryRead([]string{s.Parts[0].Path, s.Parts[1].Path}, parquet.FirstInput(3))
	if err != nil || len(a.rows) != 20 || !a.rows[10].Equal(&rows[15]) || a.rows[10].Pos != (stream.Pos{Input: 4, Record: 1}) || a.reader.InputName(4) != s.Parts[1].Path {
		t.Errorf("%d rows, %v", len(a.rows), err)
	}
}

func TestEmpty(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "none.parquet")
	if s := write(t, path, nil, 1, parquet.NoEmpty()); len(s.Parts) != 0 {
		t.Errorf("%+v", s)
	}
	write(t, path, nil, 1)
	if _, err := tryRead([]string{path}); !errors.Is(err, files.ErrEmpty) {
		t.Errorf("%v", err)
	}
}

func TestRejectsAreHandedOn(t *testing.T) {
	var seen []stream.Reject
	w := parquet.Create(filepath.Join(t.TempDir(), "x.parquet"), parquet.Rejects(func(r []stream.Reject) error { seen = append(seen, r...); return nil }))
	src := stream.SourceFunc[rollout.Row](func(ctx context.Context, out chan<- stream.Batch[rollout.Row]) error {
		return stream.Send(ctx, out, stream.Batch[rollout.Row]{Rejects: []stream.Reject{{Code: "bad_json"}}})
	})
	if _, err := stream.Run(t.Context(), stream.To(stream.From(src), w)); err != nil || len(seen) != 1 || w.Summary().Rejected != 1 {
		t.Errorf("%v %v", seen, err)
	}
}

func TestFilesThatAreNone(t *testing.T) {
	for name, text := range map[string]string{"jsonl": `{"a":1}`, "torn": "PAR1 and no more", "nothing": ""} {
		path := filepath.Join(t.TempDir(), "x.parquet")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := tryRead([]string{path})
		if ie, ok := errors.AsType[*files.InputError](err); !ok || ie.Path != path {
			t.Errorf("%s: %v", name, err)
		}
	}
}
