package jsonl_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/klauspost/compress/zstd"
	"github.com/rollmill/rollmill/formats/files"
	"github.com/rollmill/rollmill/formats/jsonl"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

// ioCase is one input that broke tools of this kind in practice.
type ioCase struct {
	ID    string `json:"id"`
	Input struct {
		Text  string `json:"text"`
		Bytes string `json:"bytes_b64"`
		Name  string `json:"name"`
		Row   string `json:"row"`
	} `json:"input"`
}

func (c *ioCase) file(t *testing.T) string {
	t.Helper()
	data := []byte(c.Input.Text)
	if c.Input.Bytes != "" {
		var err error
		if data, err = base64.StdEncoding.DecodeString(c.Input.Bytes); err != nil {
			t.Fatal(err)
		}
	}
	name := c.Input.Name
	if name == "" {
		name = "x.jsonl"
	}
	return write(t, name, data)
}

// needColumns are the cases that a columnar format decides.
var needColumns = map[string]bool{"io-05": true, "io-18": true, "io-19": true, "io-20": true, "io-22": true, "io-25": true, "io-26": true}

func TestCasesFromPractice(t *testing.T) {
	data, err := os.ReadFile("testdata/cases-io.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(data) {
		var c ioCase
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		check, ok := caseChecks[c.ID]
		if !ok && !needColumns[c.ID] {
			t.Errorf("no check for case %s", c.ID)
		}
		if ok {
			t.Run(c.ID, func(t *testing.T) { check(t, &c) })
		}
	}
}

var caseChecks = map[string]func(t *testing.T, c *ioCase){
	"io-01": func(t *testing.T, c *ioCase) { // half of a surrogate pair
		path := c.file(t)
		a := readAll(t, []string{path})
		if len(a.rows) != 2 || a.reader.Notes().LoneSurrogates != 1 {
			t.Fatalf("%d rows, %+v", len(a.rows), a.reader.Notes())
		}
		out, _ := convert(t, path, path+".out.jsonl", nil)
		if !utf8.Valid(out) || !bytes.Contains(out, []byte(`half \ud835 letter`)) {
			t.Errorf("written: %q", out)
		}
	},
	"io-02": func(t *testing.T, c *ioCase) { // a whole pair is one character
		a := readAll(t, []string{c.file(t)}, jsonl.Dialect(mustMap(t, "final_text=t")))
		if len(a.rows) != 1 || a.rows[0].FinalText != "\U0001F378" {
			t.Fatalf("%+v", a.rows)
		}
	},
	"io-03": func(t *testing.T, c *ioCase) { // a line over 64 KiB
		long := `{"id":1,"t":"` + strings.Repeat("x", 70000) + `"}`
		path := write(t, "x.jsonl", []byte("{\"id\":0}\n"+long+"\n{\"id\":2}\n"))
		for _, block := range []int{1 << 20, 100, 7} {
			a := readAll(t, []string{path}, jsonl.BlockSize(block))
			if len(a.rows) != 3 || member(&a.rows[1], "id") != "1" || len(a.rows[1].Source()) != len(long) {
				t.Fatalf("block %d: %d rows", block, len(a.rows))
			}
		}
	},
	"io-07": func(t *testing.T, c *ioCase) { // bare NaN and Infinity
		path := c.file(t)
		a := readAll(t, []string{path})
		if len(a.rows) != 4 || a.rows[3].Reward.Num != 0.5 || a.reader.Notes().NonFinite != 3 {
			t.Fatalf("%d rows, %+v", len(a.rows), a.reader.Notes())
		}
		for _, r := range a.rows[:3] {
			if r.State() != rollout.Unscored || r.Reward.Text != "null" {
				t.Errorf("reward %q is %v", r.Reward.Text, r.State())
			}
		}
		out, _ := convert(t, path, path+".out.jsonl", nil)
		if want := "{\"id\":1,\"reward\":null}\n"; !strings.HasPrefix(string(out), want) || bytes.Contains(out, []byte("NaN")) || bytes.Contains(out, []byte("Inf")) {
			t.Errorf("written: %q", out)
		}
	},
	"io-09": func(t *testing.T, c *ioCase) { // U+2028 and U+0085 end no record
		if a := readAll(t, []string{c.file(t)}); len(a.rows) != 2 {
			t.Errorf("%d rows", len(a.rows))
		}
	},
	"io-10": func(t *testing.T, c *ioCase) { // gzip of several members
		a := readAll(t, []string{c.file(t)})
		var ids []string
		for i := range a.rows {
			ids = append(ids, member(&a.rows[i], "id"))
		}
		if fmt.Sprint(ids) != "[1 2 3]" {
			t.Errorf("ids %v", ids)
		}
	},
	"io-12": func(t *testing.T, c *ioCase) { // 2,000 files leave no goroutine behind
		dir := t.TempDir()
		enc, err := zstd.NewWriter(nil)
		if err != nil {
			t.Fatal(err)
		}
		packed := enc.EncodeAll([]byte("{\"id\":1}\n"), nil)
		enc.Close()
		var paths []string
		for i := range 2000 {
			path := filepath.Join(dir, fmt.Sprintf("%04d.jsonl.zst", i))
			if err := os.WriteFile(path, packed, 0o666); err != nil {
				t.Fatal(err)
			}
			paths = append(paths, path)
		}
		before := runtime.NumGoroutine()
		most := 0
		for row, err := range stream.From(jsonl.OpenAll(paths)).All(context.Background()) {
			if err != nil {
				t.Fatal(err)
			}
			if row.Pos.Input%500 == 0 {
				most = max(most, runtime.NumGoroutine())
			}
		}
		if most > before+20 {
			t.Errorf("%d goroutines while reading, %d before", most, before)
		}
	},
	"io-13": func(t *testing.T, c *ioCase) { // byte order mark
		a := readAll(t, []string{c.file(t)})
		if len(a.rows) != 2 || member(&a.rows[0], "id") != "1" || member(&a.rows[0], "a") != `{"x":1}` || a.rows[0].Pos.Offset != 3 {
			t.Errorf("%+v", a.rows)
		}
	},
	"io-14": func(t *testing.T, c *ioCase) { // Windows line ends, a blank line, no newline at the end
		path := c.file(t)
		a := readAll(t, []string{path})
		if len(a.rows) != 2 || member(&a.rows[0], "t") != `"x"` || member(&a.rows[1], "t") != `"y"` || a.rows[1].Pos.Record != 3 {
			t.Errorf("%+v", a.rows)
		}
		out, _ := convert(t, path, path+".out.jsonl", nil)
		if want := "{\"id\":1,\"t\":\"x\"}\n{\"id\":2,\"t\":\"y\"}\n"; string(out) != want {
			t.Errorf("written %q, want %q", out, want)
		}
	},
	"io-15": func(t *testing.T, c *ioCase) { // a torn last line; nothing is ever appended to
		torn := []byte("{\"id\":\"a\"}\n{\"id\":\"b\",\"x\":\"cut of")
		path := write(t, "x.jsonl", torn)
		a := readAll(t, []string{path})
		if len(a.rows) != 1 || len(a.rejects) != 1 || a.rejects[0].Pos.Record != 2 || a.rejects[0].Code != rollout.CodeBadJSON {
			t.Fatalf("%d rows, %+v", len(a.rows), a.rejects)
		}
		other := write(t, "c.jsonl", []byte("{\"id\":\"c\"}\n"))
		_, err := stream.Run(context.Background(), stream.To(stream.From(jsonl.Open(other)), jsonl.Create(path)))
		if !errors.Is(err, files.ErrExists) || !strings.Contains(err.Error(), path) {
			t.Errorf("writing over it: %v", err)
		}
		if now, _ := os.ReadFile(path); !bytes.Equal(now, torn) {
			t.Errorf("it was changed to %q", now)
		}
	},
	"io-17": func(t *testing.T, c *ioCase) { // integers of 64 bits keep their digits
		path := write(t, "x.jsonl", []byte(c.Input.Row+"\n"))
		a := readAll(t, []string{path})
		if got := string(a.rows[0].AppendJSON(nil)); !strings.Contains(got, `"id":9007199254740993,"seed":-9223372036854775808`) {
			t.Errorf("v1: %s", got)
		}
		if out, _ := convert(t, path, path+".out.jsonl", nil); string(out) != c.Input.Row+"\n" {
			t.Errorf("written: %s", out)
		}
	},
	"io-27": func(t *testing.T, c *ioCase) { // no score is not the score 0
		a := readAll(t, []string{write(t, "x.jsonl", []byte("{\"id\":\"a\"}\n{\"id\":\"b\",\"reward\":null}\n{\"id\":\"c\",\"reward\":0}\n{\"id\":\"d\",\"reward\":\"0.5\"}\n"))})
		var got []string
		for i := range a.rows {
			f, _ := a.rows[i].Reward.Float()
			got = append(got, fmt.Sprintf("%v %v", a.rows[i].State(), f))
		}
		if want := "unscored 0, unscored 0, scored 0, scored 0.5"; strings.Join(got, ", ") != want {
			t.Errorf("got %s, want %s", strings.Join(got, ", "), want)
		}
	},
}
