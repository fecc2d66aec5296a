package parquet_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	pq "github.com/parquet-go/parquet-go"
	"github.com/rollmill/rollmill/formats/dialect"
	"github.com/rollmill/rollmill/formats/parquet"
)

// foreignColumns reads a file as another program would.
func foreignColumns[T any](t failer, path string) []T {
	t.Helper()
	rows, err := pq.ReadFile[T](path)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// foreignFile writes a file of another schema.
func foreignFile[T any](t *testing.T, rows []T, opts ...pq.WriterOption) string {
	t.Helper()
	var b bytes.Buffer
	if err := pq.Write(&b, rows, opts...); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "theirs.parquet")
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

type turn struct {
	Role    string  `parquet:"role"`
	Content *string `parquet:"content,optional"`
}

func text(s string) *string { return &s }

func TestForeignRecords(t *testing.T) {
	type theirs struct {
		ID      int32             `parquet:"id"`
		Turns   []turn            `parquet:"messages,list"`
		Nested  [][]int64         `parquet:"nested,list" parquet-element:",list"`
		Bare    []string          `parquet:"bare"`
		Tags    map[string]string `parquet:"tags"`
		At      time.Time         `parquet:"at,timestamp(microsecond)"`
		Day     int32             `parquet:"day,date"`
		Price   int64             `parquet:"price,decimal(2:10)"`
		Blob    []byte            `parquet:"blob"`
		Score   *float32          `parquet:"score,optional"`
		Ok      bool              `parquet:"ok"`
		Info    *turn             `parquet:"info,optional"`
		Big     uint64            `parquet:"big"`
		JSON    string            `parquet:"json,json"`
		Missing []turn            `parquet:"missing,optional,list"`
	}
	third := float32(0.1)
	path := foreignFile(t, []theirs{
		{ID: 7, Turns: []turn{{"user", text("a")}, {"assistant", nil}}, Nested: [][]int64{{1, 2}, {}, {3}}, Bare: []string{"x", "y"},
			Tags: map[string]string{"k": "v"}, At: time.Date(2026, 1, 2, 3, 4, 5, 6000, time.UTC), Day: 1, Price: -5, Blob: []byte{0xff}, Score: &third,
			Ok: true, Info: &turn{Role: "r"}, Big: 1<<64 - 1, JSON: `{"a":[1,2.0]}`},
		{Turns: []turn{}, Nested: [][]int64{}, Missing: []turn{{"tool", text("z")}}, JSON: "no"},
	})
	a := read(t, path)
	want := []string{
		`{"id":7,"messages":[{"role":"user","content":"a"},{"role":"assistant"}],"nested":[[1,2],[],[3]],"bare":["x","y"],"tags":{"k":"v"},"at":"2026-01-02T03:04:05.000006Z","day":"1970-01-02","price":"-0.05","blob":"/w==","score":0.1,"ok":true,"info":{"role":"r"},"big":18446744073709551615,"json":{"a":[1,2.0]}}`,
		`{"id":0,"messages":[],"nested":[],"bare":[],"tags":{},"at":"0001-01-01T00:00:00Z","day":"1970-01-01","price":"0.00","blob":"","ok":false,"big":0,"json":"no","missing":[{"role":"tool","content":"z"}]}`,
	}
	for i, r := range decode(t, want...) {
		if !a.rows[i].Equal(&r) {
			t.Errorf("row %d is\n%s\nwant\n%s", i, a.rows[i].Canonical(), r.Canonical())
		}
	}
	if in := a.reader.Inputs()[0]; !in.Foreign || in.Rows != 2 || in.Records != 2 {
		t.Errorf("%+v", in)
	}
}

func TestFlatTableThroughAMapping(t *testing.T) {
	type flat struct {
		Question string  `parquet:"question"`
		Response string  `parquet:"response"`
		Score    float64 `parquet:"score"`
	}
	rows := make([]flat, 5000)
	for i := range rows {
		rows[i] = flat{"q", "r", float64(i)}
	}
	m, err := dialect.ParseMap([]string{"prompt=question,final_text=response,reward=score"}, "")
	if err != nil {
		t.Fatal(err)
	}
	a := read(t, foreignFile(t, rows, pq.MaxRowsPerRowGroup(2048)), parquet.Dialect(m), parquet.Workers(2), parquet.BatchRows(300))
	if len(a.rows) != 5000 {
		t.Fatalf("%d rows", len(a.rows))
	}
	for i, r := range a.rows {
		if r.Prompt != "q" || r.FinalText != "r" || r.Reward.Num != float64(i) || r.Pos.Record != int64(i)+1 {
			t.Fatalf("row %d: %s at %v", i, r.Canonical(), r.Pos)
		}
	}
}

func TestVerlColumns(t *testing.T) {
	type verl struct {
		Source string `parquet:"data_source"`
		Prompt []turn `parquet:"prompt,list"`
		Model  struct {
			Style string `parquet:"style"`
			Truth string `parquet:"ground_truth"`
		} `parquet:"reward_model"`
		Extra *struct {
			Split string `parquet:"split"`
			Index int64  `parquet:"index"`
		} `parquet:"extra_info,optional"`
	}
	row := verl{Source: "gsm8k", Prompt: []turn{{"user", text("2+2?")}}}
	row.Model.Style, row.Model.Truth = "rule", "4"
	a := read(t, foreignFile(t, []verl{row}))
	want := decode(t, `{"data_source":"gsm8k","prompt":[{"role":"user","content":"2+2?"}],"reward_model":{"style":"rule","ground_truth":"4"}}`)
	if !a.rows[0].Equal(&want[0]) {
		t.Errorf("%s", a.rows[0].Canonical())
	}
	m, err := dialect.ParseMap([]string{"prompt=prompt,scenario_id=extra_info.index,privileged.truth=reward_model.ground_truth"}, "")
	if err != nil {
		t.Fatal(err)
	}
	a = read(t, foreignFile(t, []verl{row}), parquet.Dialect(m))
	if r := a.rows[0]; r.Prompt != "2+2?" || r.Privileged != `{"truth":"4"}` {
		t.Errorf("%s", r.Canonical())
	}
}
