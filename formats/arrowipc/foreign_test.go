package arrowipc_test

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/rollmill/rollmill/formats/arrowipc"
	"github.com/rollmill/rollmill/formats/dialect"
	"github.com/rollmill/rollmill/formats/files"
	"github.com/rollmill/rollmill/formats/rollout"
)

func fields(namesAndTypes ...any) []arrow.Field {
	var fs []arrow.Field
	for i := 0; i < len(namesAndTypes); i += 2 {
		fs = append(fs, arrow.Field{Name: namesAndTypes[i].(string), Type: namesAndTypes[i+1].(arrow.DataType), Nullable: true})
	}
	return fs
}

// theirRecord makes a record batch of any schema from JSON, a list of objects.
func theirRecord(t testing.TB, fs []arrow.Field, json string) arrow.RecordBatch {
	t.Helper()
	rec, _, err := array.RecordFromJSON(memory.DefaultAllocator, arrow.NewSchema(fs, nil), strings.NewReader(json))
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// theirFile writes record batches with arrow-go's own writers.
func theirFile(t testing.TB, name string, recs []arrow.RecordBatch, opts ...ipc.Option) string {
	t.Helper()
	var b bytes.Buffer
	opts = append(opts, ipc.WithSchema(recs[0].Schema()))
	var w interface {
		Write(arrow.RecordBatch) error
		Close() error
	} = ipc.NewWriter(&b, opts...)
	if filepath.Ext(name) == ".arrow" {
		fw, err := ipc.NewFileWriter(&b, opts...)
		if err != nil {
			t.Fatal(err)
		}
		w = fw
	}
	for _, r := range recs {
		if err := w.Write(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return write(t, name, b.Bytes())
}

var (
	str     = arrow.BinaryTypes.String
	largeS  = arrow.BinaryTypes.LargeString
	viewS   = arrow.BinaryTypes.StringView
	dictS   = &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int32, ValueType: str}
	i32     = arrow.PrimitiveTypes.Int32
	f32     = arrow.PrimitiveTypes.Float32
	boolean = arrow.FixedWidthTypes.Boolean
)

func TestColumnsOfOthers(t *testing.T) {
	function := arrow.StructOf(fields("name", str, "arguments", str)...)
	calls := arrow.ListOf(arrow.StructOf(fields("id", str, "function", function)...))
	chat := arrow.ListOf(arrow.StructOf(fields("role", str, "content", largeS, "tool_calls", calls)...))
	for _, c := range []struct {
		name   string
		fields []arrow.Field
		json   string
		want   []string // rows of v1
	}{
		{"texts of all kinds", fields("rollout_id", largeS, "scenario_id", dictS, "prompt", viewS, "final_text", str),
			`[{"rollout_id":"r1","scenario_id":"t","prompt":"a prompt of more than twelve bytes","final_text":""},{"scenario_id":"t","final_text":null}]`,
			[]string{`{"rollout_id":"r1","scenario_id":"t","prompt":"a prompt of more than twelve bytes","final_text":""}`, `{"scenario_id":"t"}`}},
		{"numbers of all kinds", fields("rollout_index", i32, "n_tokens", arrow.PrimitiveTypes.Uint64, "reward", boolean, "logprob", f32, "qwen_reward", arrow.PrimitiveTypes.Float64),
			`[{"rollout_index":3,"n_tokens":18446744073709551615,"reward":true,"logprob":-0.1,"qwen_reward":1},{"reward":false,"logprob":1}]`,
			[]string{`{"rollout_index":3,"n_tokens":18446744073709551615,"reward":1,"logprob":-0.1,"qwen_reward":1}`, `{"reward":0,"logprob":1}`}},
		{"messages", fields("messages", chat),
			`[{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":null,"tool_calls":[{"id":"c","function":{"name":"f","arguments":"{}"}}]}]},{"messages":null}]`,
			[]string{`{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":null,"tool_calls":[{"id":"c","function":{"name":"f","arguments":"{}"}}]}],"prompt":"q"}`, `{}`}},
		{"JSON as text", fields("messages", str, "markers", largeS, "tools", dictS, "privileged", str),
			`[{"messages":"[{\"role\":\"user\",\"content\":\"q\"}]","markers":"{\"a\":1.50}","tools":"[ ]","privileged":"{\"reference\":7}"}]`,
			[]string{`{"messages":[{"role":"user","content":"q"}],"markers":{"a":1.50},"tools":[],"privileged":{"reference":7},"prompt":"q"}`}},
		{"columns that are no fields", fields("reward", f32, "score", i32, "tags", arrow.ListOf(str), "meta", arrow.StructOf(fields("a", str, "b", i32)...),
			"counts", arrow.MapOf(str, i32), "pair", arrow.FixedSizeListOf(2, i32), "day", arrow.FixedWidthTypes.Date32, "raw", arrow.BinaryTypes.Binary, "none", arrow.Null),
			`[{"reward":0.5,"score":-2,"tags":["x",null],"meta":{"a":"1"},"counts":[{"key":"k","value":1}],"pair":[1,2],"day":"2025-08-01","raw":"AQI=","none":null},{"meta":null}]`,
			[]string{`{"reward":0.5,"score":-2,"tags":["x",null],"meta":{"a":"1"},"counts":{"k":1},"pair":[1,2],"day":"2025-08-01","raw":"AQI="}`, `{}`}},
		{"markers as they please", fields("markers", arrow.StructOf(fields("a", f32, "b", f32)...)),
			`[{"markers":{"a":0.25,"b":null}}]`, []string{`{"markers":{"a":0.25}}`}},
		{"task as a number", fields("task_id", i32, "reward", i32), `[{"task_id":0,"reward":1},{"task_id":12,"reward":0}]`,
			[]string{`{"task_id":0,"reward":1}`, `{"scenario_id":12,"reward":0}`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			rec := theirRecord(t, c.fields, c.json)
			want := rowsOf(t, c.want...)
			for _, o := range [][]ipc.Option{nil, {ipc.WithLZ4()}, {ipc.WithZstd()}} {
				for _, name := range []string{"x.arrow", "x.arrows"} {
					a := readAll(t, []string{theirFile(t, name, []arrow.RecordBatch{rec, rec}, o...)})
					if len(a.rejects) > 0 {
						t.Fatal(a.rejects)
					}
					sameRows(t, a.rows, append(want, want...))
					for i := range a.rows {
						if a.rows[i].Source() != "" {
							t.Errorf("has a source: %s", a.rows[i].Source())
						}
					}
				}
			}
			back, _, err := arrowipc.Decode(rec, rollout.AllFields)
			if err != nil {
				t.Fatal(err)
			}
			sameRows(t, back, want)
		})
	}
}

func TestColumnsThatCannotBeRead(t *testing.T) {
	for _, c := range []struct {
		fields []arrow.Field
		json   string
		want   string
	}{
		{fields("prompt", i32), `[{"prompt":1}]`, `column "prompt" is int32; want utf8 (large_utf8, utf8_view and dictionaries of them will do)`},
		{fields("reward", arrow.ListOf(i32)), `[{"reward":[1]}]`, `column "reward" is list<item: int32, nullable>; want a number (int, float or bool)`},
		{fields("messages", arrow.ListOf(str)), `[{"messages":["x"]}]`, `column "messages" is list<item: utf8, nullable>; want a list of structs, or JSON as utf8`},
	} {
		path := theirFile(t, "x.arrow", []arrow.RecordBatch{theirRecord(t, c.fields, c.json)})
		_, err := tryReadAll([]string{path})
		ie, se := (*files.InputError)(nil), (*arrowipc.SchemaError)(nil)
		if !errors.As(err, &ie) || !errors.As(err, &se) || !strings.HasPrefix(ie.Error(), path+": "+c.want+" (") {
			t.Errorf("%v\nwant %s: %s", err, path, c.want)
		}
	}
	run := fields("x", arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int32, str))
	path := theirFile(t, "x.arrow", []arrow.RecordBatch{theirRecord(t, run, `[{"x":"a"}]`)})
	_, err := tryReadAll([]string{path})
	if err == nil || !strings.Contains(err.Error(), `record batch 1, column "x": is run_end_encoded`) {
		t.Errorf("%v", err)
	}
}

func TestDialectsOfOthers(t *testing.T) {
	rec := theirRecord(t, fields("q", str, "a", str, "ok", boolean), `[{"q":"2+2?","a":"4","ok":true}]`)
	path := theirFile(t, "x.arrow", []arrow.RecordBatch{rec})
	m, err := dialect.ParseMap([]string{"prompt=q,final_text=a,reward=ok"}, "")
	if err != nil {
		t.Fatal(err)
	}
	a := readAll(t, []string{path}, arrowipc.Dialect(m))
	sameRows(t, a.rows, rowsOf(t, `{"prompt":"2+2?","final_text":"4","reward":1}`))
	if in := a.reader.Inputs()[0]; in.Dialect != m.Name() || in.Records != 1 || fmt.Sprint(in.Columns) != "[q a ok]" {
		t.Errorf("%+v", in)
	}
}

// Others may change the types of our columns, add some and leave some out.
func TestOursChangedByOthers(t *testing.T) {
	rows := rowsOf(t, `{"rollout_id":"a","reward":1.0,"x":[1],"messages":[{"role":"user"}],"markers":{"m":0.5,"n":true},"tools":[{"type":"function"}]}`,
		`{"rollout_id":"b","judge_status":"ok"}`)
	rec, err := arrowipc.Encode(rows)
	if err != nil {
		t.Fatal(err)
	}
	split, _, err := array.FromJSON(memory.DefaultAllocator, str, strings.NewReader(`["train","test"]`))
	if err != nil {
		t.Fatal(err)
	}
	large, _, err := array.FromJSON(memory.DefaultAllocator, largeS, strings.NewReader(`["a","b"]`))
	if err != nil {
		t.Fatal(err)
	}
	meta := rec.Schema().Metadata()
	want := rowsOf(t, `{"rollout_id":"a","reward":1.0,"x":[1],"messages":[{"role":"user"}],"markers":{"m":0.5,"n":true},"tools":[{"type":"function"}],"split":"train"}`,
		`{"rollout_id":"b","judge_status":"ok","split":"test"}`)

	fs := append(append([]arrow.Field(nil), rec.Schema().Fields()...), arrow.Field{Name: "split", Type: str, Nullable: true})
	added := array.NewRecordBatch(arrow.NewSchema(fs, &meta), append(append([]arrow.Array(nil), rec.Columns()...), split), 2)
	sameRows(t, readAll(t, []string{theirFile(t, "x.arrow", []arrow.RecordBatch{added})}).rows, want)

	fs[0].Type = largeS
	changed := array.NewRecordBatch(arrow.NewSchema(fs, &meta), append([]arrow.Array{large}, added.Columns()[1:]...), 2)
	sameRows(t, readAll(t, []string{theirFile(t, "x.arrow", []arrow.RecordBatch{changed})}).rows, want)

	bare := array.NewRecordBatch(arrow.NewSchema(fs, nil), changed.Columns(), 2)
	sameRows(t, readAll(t, []string{theirFile(t, "x.arrow", []arrow.RecordBatch{bare})}).rows, want)

	newer := arrow.NewMetadata([]string{arrowipc.SchemaKey}, []string{"2"})
	path := theirFile(t, "x.arrow", []arrow.RecordBatch{array.NewRecordBatch(arrow.NewSchema(rec.Schema().Fields(), &newer), rec.Columns(), 2)})
	if _, err := tryReadAll([]string{path}); !errors.Is(err, arrowipc.ErrVersion) {
		t.Errorf("%v", err)
	}
}

// Rows that cannot be are rejects, and the others are read.
func TestRowsThatCannotBe(t *testing.T) {
	rows := rowsOf(t, `{"rollout_id":"a","privileged":{}}`, `{"rollout_id":"b","privileged":{}}`, `{"rollout_id":"c","x":1}`, `{"rollout_id":"d"}`)
	rec, err := arrowipc.Encode(rows)
	if err != nil {
		t.Fatal(err)
	}
	replaced := func(name, json string) arrow.RecordBatch {
		a, _, err := array.FromJSON(memory.DefaultAllocator, str, strings.NewReader(json))
		if err != nil {
			t.Fatal(err)
		}
		columns := append([]arrow.Array(nil), rec.Columns()...)
		columns[rec.Schema().FieldIndices(name)[0]] = a
		return array.NewRecordBatch(rec.Schema(), columns, 4)
	}
	raw := array.NewStringBuilder(memory.DefaultAllocator)
	raw.AppendValues([]string{"x", "y\xff", "\xc3", "\xa9"}, nil)
	columns := append([]arrow.Array(nil), rec.Columns()...)
	columns[4] = raw.NewStringArray()
	for _, c := range []struct {
		rec  arrow.RecordBatch
		rows string
		want []string
	}{
		{replaced("privileged", `["{}","{",null,"[]"]`), "a c", []string{
			`2 bad_json column "privileged": byte 1: found the end of the record, want a name in quotes`, `4 bad_json column "privileged": found other JSON, want an object`}},
		{replaced("extra", `[null,null,"{\"x\":}","[1]"]`), "a b", []string{
			`3 bad_json column "extra": byte 5: found '}', want a value`, `4 not_an_object column "extra": found an array, want an object`}},
		{array.NewRecordBatch(rec.Schema(), columns, 4), "a", []string{
			`2 bad_utf8 column "prompt": found a text that is not UTF-8`, `3 bad_utf8 column "prompt": found a text that is not UTF-8`, `4 bad_utf8 column "prompt": found a text that is not UTF-8`}},
	} {
		a := readAll(t, []string{theirFile(t, "x.arrows", []arrow.RecordBatch{c.rec})})
		var ids, rejects []string
		for i := range a.rows {
			ids = append(ids, a.rows[i].ID)
		}
		for _, r := range a.rejects {
			rejects = append(rejects, fmt.Sprintf("%d %s %s", r.Pos.Record, r.Code, r.Detail))
		}
		if strings.Join(ids, " ") != c.rows || strings.Join(rejects, "; ") != strings.Join(c.want, "; ") {
			t.Errorf("rows %v, rejects %q\nwant %s, %q", ids, rejects, c.rows, c.want)
		}
	}
}

// Dictionaries that grow or change between the batches of a stream are those of
// their batches.
func TestDictionariesThatChange(t *testing.T) {
	fs := fields("scenario_id", dictS)
	recs := []arrow.RecordBatch{
		theirRecord(t, fs, `[{"scenario_id":"a"},{"scenario_id":"b"}]`),
		theirRecord(t, fs, `[{"scenario_id":"a"},{"scenario_id":"b"},{"scenario_id":"c"}]`),
		theirRecord(t, fs, `[{"scenario_id":"z"}]`),
	}
	for _, o := range [][]ipc.Option{nil, {ipc.WithDictionaryDeltas(true)}} {
		a := readAll(t, []string{theirFile(t, "x.arrows", recs, o...)}, arrowipc.Workers(3), arrowipc.BatchRows(1))
		got := ""
		for i := range a.rows {
			got += a.rows[i].TaskID
		}
		if got != "ababcz" {
			t.Errorf("tasks %s", got)
		}
	}
}

// A stream within gzip or zstd is read from front to end.
func TestPackedFiles(t *testing.T) {
	rows := sample(t, 40)
	for _, name := range []string{"x.arrow", "x.arrows"} {
		data, _ := save(t, filepath.Join(t.TempDir(), name), rows, arrowipc.RecordRows(9))
		packed := files.Zstd.AppendFrame(nil, data)
		a := readAll(t, []string{write(t, name+".zst", packed)}, arrowipc.BatchRows(4))
		sameRows(t, a.rows, rows)
		a = readAll(t, []string{write(t, name+".zst", packed)}, arrowipc.Fields(two))
		if len(a.rows) != 40 || a.rows[0].TaskID != "t0" {
			t.Errorf("two columns: %d rows", len(a.rows))
		}
		for _, n := range []int{1, 9, 100, len(data) / 2} {
			if _, err := tryReadAll([]string{write(t, name+".zst", files.Zstd.AppendFrame(nil, data[:len(data)-n]))}); err == nil {
				t.Errorf("%s: read without its last %d bytes", name, n)
			}
		}
	}
}
