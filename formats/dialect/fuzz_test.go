package dialect_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/rollmill/rollmill/formats/dialect"
	"github.com/rollmill/rollmill/formats/internal/jsonscan"
	"github.com/rollmill/rollmill/formats/rollout"
)

func addFixtures(f *testing.F, add func(data []byte)) {
	f.Helper()
	files, err := filepath.Glob("testdata/*.*")
	if err != nil || len(files) == 0 {
		f.Fatal("no fixtures", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		add(data)
	}
}

// checkedRecord returns text as a reader would hand it on, or false.
func checkedRecord(text []byte) ([]byte, bool) {
	s := jsonscan.Scanner{Buf: text}
	return text, s.Valid() && len(s.NonFinite) == 0
}

func checkRows(t *testing.T, rec dialect.Record, rows []rollout.Row, err error) {
	t.Helper()
	var e *dialect.Error
	switch {
	case err != nil && !errors.As(err, &e):
		t.Fatalf("%v is no *Error", err)
	case err != nil && len(rows) > 0, err == nil && len(rows) == 0:
		t.Fatalf("%d rows and error %v", len(rows), err)
	}
	for i := range rows {
		if rows[i].Pos.Record != rec.Pos.Record || rows[i].Pos.Part != uint32(i) {
			t.Fatalf("row %d has position %v", i, rows[i].Pos)
		}
		writeAndRead(t, &rows[i]) // a record of another dialect may say more than its row
	}
}

func FuzzRecognise(f *testing.F) {
	addFixtures(f, func(data []byte) { f.Add("x.json", data, true) })
	f.Add("x.jsonl.gz", []byte("{\"a\":NaN}\n{\"tra"), false)
	f.Add("x.eval", []byte("PK\x03\x04"), false)
	f.Fuzz(func(t *testing.T, name string, head []byte, whole bool) {
		g, err := dialect.Recognise(name, head, whole)
		var e *dialect.Error
		if err != nil && (!errors.As(err, &e) || g != dialect.Guess{}) {
			t.Fatalf("%v beside %v", err, g)
		}
		if err != nil && len(e.Detail) > 200 {
			t.Fatalf("the error shows too much: %q", e.Detail)
		}
	})
}

// FuzzDialects gives any JSON to every dialect.
func FuzzDialects(f *testing.F) {
	addFixtures(f, func(data []byte) { f.Add(data, "", []byte(nil)) })
	for _, layout := range []dialect.Layout{dialect.Array, dialect.Keyed} {
		addFixtures(f, func(data []byte) {
			for i, rec := range records(&testing.T{}, layout, data) {
				if i < 3 {
					f.Add(rec.JSON, rec.Key, []byte(`{"status":"success","eval":{"task":"t"}}`))
				}
			}
		})
	}
	f.Fuzz(func(t *testing.T, record []byte, key string, header []byte) {
		json, ok := checkedRecord(record)
		if !ok {
			t.Skip()
		}
		for _, name := range dialect.Names() {
			d, err := dialect.Named(name)
			if err != nil {
				t.Fatal(err)
			}
			rec := dialect.Record{JSON: json, Key: key, Header: header, Pos: rollout.Pos{Record: 3}}
			rows, err := d.Rows(nil, rec)
			checkRows(t, rec, rows, err)
		}
	})
}

func FuzzMapping(f *testing.F) {
	for _, seed := range []struct{ rules, each, record string }{
		{"prompt=question,reward=.ok", "a,b", `{"question":"q","a":{"ok":true},"b":{"ok":0.5,"x":[]}}`},
		{"messages=m,markers.a=.0,privileged.reference=g", "xs", `{"m":[{"role":"user","content":null}],"xs":[[1],2,null],"g":{}}`},
		{"prompt=p,final_text=c", "", `{"p":[{"role":"user","content":"q"}],"c":[],"prompt":1,"source.prompt":2}`},
		{`scenario_id=@key,extra.reward=a\.b`, "", `{"a.b":1,"reward":2,"steps":[{"tool":"f"}],"schema_version":"9"}`},
		{"privileged=p,markers=m,tools=t,judge_status=s", "o.x", `{"p":{"a":1},"m":{"b":true},"t":[],"s":"ok","o":{"x":{"y":{},"":1}}}`},
	} {
		f.Add(seed.rules, seed.each, []byte(seed.record), "key")
	}
	f.Fuzz(func(t *testing.T, rules, each string, record []byte, key string) {
		m, err := dialect.ParseMap([]string{rules}, each)
		if err != nil {
			t.Skip()
		}
		json, ok := checkedRecord(record)
		if !ok {
			t.Skip()
		}
		rec := dialect.Record{JSON: json, Key: key, Pos: rollout.Pos{Record: 3}}
		rows, err := m.Rows(nil, rec)
		checkRows(t, rec, rows, err)
	})
}
