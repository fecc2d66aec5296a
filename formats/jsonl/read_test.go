package jsonl_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rollmill/rollmill/formats/dialect"
	"github.com/rollmill/rollmill/formats/files"
	"github.com/rollmill/rollmill/formats/jsonl"
	"github.com/rollmill/rollmill/stream"
	"pgregory.net/rapid"
)

func mustMap(t testing.TB, rules string) dialect.Dialect {
	t.Helper()
	m, err := dialect.ParseMap([]string{rules}, "")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestLayouts(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string // scenario_id of each row
	}{
		{"lines", "{\"scenario_id\":\"a\"}\n\n{\"scenario_id\":\"b\"}", []string{"a", "b"}},
		{"array", "\ufeff [ {\"scenario_id\":\n \"a]\"} ,{\"scenario_id\":\"b\\\"[\"}\n] \n", []string{"a]", "b\"["}},
	} {
		for _, block := range []int{1, 3, 1 << 20} {
			t.Run(fmt.Sprintf("%s block %d", c.name, block), func(t *testing.T) {
				a := readAll(t, []string{write(t, "x.json", []byte(c.text))}, jsonl.BlockSize(block))
				var got []string
				for i := range a.rows {
					got = append(got, a.rows[i].TaskID)
					if strings.ContainsAny(a.rows[i].Source(), "\n ") {
						t.Errorf("source %q spans lines", a.rows[i].Source())
					}
				}
				if fmt.Sprint(got) != fmt.Sprint(c.want) || len(a.rejects) > 0 {
					t.Errorf("got %q and %d rejects, want %q", got, len(a.rejects), c.want)
				}
			})
		}
	}
}

// The key of a row in a keyed object stays with the row.
func TestKeyedObjectsKeepTheirKeys(t *testing.T) {
	path := write(t, "x.json", []byte("{\"first\": {\"prompt\": \"a\"},\n \"se\\u0063ond\": {\"prompt\": \"b\"}}\n"))
	out, _ := convert(t, path, filepath.Join(t.TempDir(), "out.jsonl"), nil)
	want := `{"prompt":"a","record_key":"first"}` + "\n" + `{"prompt":"b","record_key":"second"}` + "\n"
	if string(out) != want {
		t.Errorf("got %s, want %s", out, want)
	}
}

func TestDamagedListsSayWhere(t *testing.T) {
	const many = 9_000 // more than is looked at to recognise the file
	head := "[" + strings.Repeat(`{"prompt":"a question and more"},`+"\n", many)
	for _, c := range []struct{ text, want string }{
		{head + `{"prompt":"a"} {"prompt":"b"}]`, `:9002: bad_list: byte 306016: found '{', want ',' or the end of the list`},
		{head, `:9001: bad_list: byte 306001: found the end of the file, want an element`},
		{head + `{"prompt":"a"}`, `:9002: bad_list: byte 306015: found the end of the file, want ',' or the end of the list`},
		{head + `{"prompt":"a"}] x`, `:9002: bad_list: byte 306017: found 'x', want nothing behind the end of the list`},
		{head + `{"prompt":"b`, `:9001: bad_list: byte 306013: found the end of the file, want the rest of an element`},
	} {
		path := write(t, "x.json", []byte(c.text))
		_, err := tryReadAll([]string{path})
		var re *jsonl.RecordError
		if !errors.As(err, &re) || re.Error() != path+c.want {
			t.Errorf("...%s: %v, want %s", c.text[len(c.text)-20:], err, c.want)
		}
	}
}

func TestRecordsOverTheLimit(t *testing.T) {
	long := `{"t":"` + strings.Repeat("x", 5000) + `"}`
	for _, end := range []string{"\n", ""} {
		path := write(t, "x.jsonl", []byte("{\"scenario_id\":\"a\"}\n"+long+"\n{\"scenario_id\":\"b\"}\n"+long+end))
		for _, block := range []int{50, 1000, 4096, 1 << 20} {
			a := readAll(t, []string{path}, jsonl.BlockSize(block), jsonl.MaxRecord(1000))
			if len(a.rows) != 2 || a.rows[1].TaskID != "b" || a.rows[1].Pos.Record != 3 || a.rows[1].Pos.Offset != int64(21+len(long)) {
				t.Errorf("block %d: rows %+v", block, a.rows)
			}
			if len(a.rejects) != 2 || a.rejects[0].Code != jsonl.CodeTooLong || a.rejects[0].Pos.Record != 2 ||
				!strings.Contains(a.rejects[0].Detail, "a record of 5008 bytes at byte 20, want at most 1000") || len(a.rejects[0].Raw) != 80 {
				t.Errorf("block %d: rejects %+v", block, a.rejects)
			}
		}
	}
}

func TestStrictNamesTheRecord(t *testing.T) {
	path := write(t, "x.jsonl", []byte("{\"prompt\":\"a\"}\n{\"prompt\":}\n"))
	_, err := tryReadAll([]string{path}, jsonl.Strict())
	var re *jsonl.RecordError
	if !errors.As(err, &re) {
		t.Fatal(err)
	}
	if want := path + `:2: bad_json: byte 10: found '}', want a value`; re.Error() != want {
		t.Errorf("got %q, want %q", re.Error(), want)
	}
}

func TestWhatIsNoRollouts(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       error
	}{
		{"x.jsonl.gz", "{\"a\":1}\n", files.ErrNotAsNamed},
		{"x.jsonl.zst", "\x1f\x8b\x08\x00\x00", files.ErrNotAsNamed},
		{"x.jsonl", "\x89PNG\r\n\x1a\n\x00\x00", nil},
		{"x.jsonl", "", files.ErrEmpty},
		{"x.jsonl", "<!DOCTYPE html>\n<html>", nil},
		{"x.jsonl", "PAR1\x15\x04", nil},
	} {
		path := write(t, c.name, []byte(c.text))
		_, err := tryReadAll([]string{path})
		var ie *files.InputError
		if !errors.As(err, &ie) || ie.Path != path || c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%s %q: %v", c.name, c.text, err)
		}
	}
	for _, text := range []string{"", "[]", " [\n] "} {
		if _, err := tryReadAll([]string{write(t, "x.json", []byte(text))}); !errors.Is(err, files.ErrEmpty) {
			t.Errorf("%q: %v", text, err)
		}
	}
	_, err := tryReadAll([]string{"no-such.jsonl"})
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
}

// Rows, rejects and places do not depend on workers, batches or blocks, and
// every line is accounted for.
func TestPropertyReading(t *testing.T) {
	line := rapid.SampledFrom([]string{
		`{"scenario_id":"a","reward":1}`, ` {"prompt":"é\n"} ` + "\r", ``, `  `, `{"prompt":}`, `[]`, "{\"p\":\"\xff\"}",
		`{"x":"` + strings.Repeat("y", 300) + `"}`, `{"reward":NaN}`,
	})
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(line, 1, 40).Draw(t, "lines")
		if lines[0] != `{"scenario_id":"a","reward":1}` {
			lines[0] = `{"scenario_id":"a","reward":1}` // something by which to recognise rollouts
		}
		text := strings.Join(lines, "\n") + rapid.SampledFrom([]string{"", "\n"}).Draw(t, "end")
		dir, err := os.MkdirTemp("", "read")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		path := dir + "/x.jsonl"
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		want, err := tryReadAll([]string{path}, jsonl.Workers(1))
		if err != nil {
			t.Fatal(err)
		}
		got, err := tryReadAll([]string{path, path},
			jsonl.Workers(rapid.IntRange(1, 4).Draw(t, "workers")),
			jsonl.BatchRows(rapid.IntRange(1, 10).Draw(t, "batch")),
			jsonl.BlockSize(rapid.IntRange(1, 500).Draw(t, "block")))
		if err != nil {
			t.Fatal(err)
		}
		blank := 0
		for _, l := range lines {
			if strings.TrimSpace(l) == "" {
				blank++
			}
		}
		if n := len(want.rows) + len(want.rejects) + blank; n != len(lines) {
			t.Fatalf("%d rows, %d rejects and %d blank lines of %d lines", len(want.rows), len(want.rejects), blank, len(lines))
		}
		if len(got.rows) != 2*len(want.rows) || len(got.rejects) != 2*len(want.rejects) {
			t.Fatalf("%d rows and %d rejects, want twice %d and %d", len(got.rows), len(got.rejects), len(want.rows), len(want.rejects))
		}
		for i := range got.rows {
			w, g := want.rows[i%len(want.rows)], &got.rows[i]
			w.Pos.Input = uint32(i / len(want.rows))
			if g.Pos != w.Pos || g.Source() != w.Source() {
				t.Fatalf("row %d: %v %q, want %v %q", i, g.Pos, g.Source(), w.Pos, w.Source())
			}
			if int(g.Pos.Offset) > len(text) || !strings.HasPrefix(text[g.Pos.Offset:], lines[g.Pos.Record-1]) {
				t.Fatalf("row %d does not stand at %v", i, g.Pos)
			}
		}
		for i := range got.rejects {
			w, g := want.rejects[i%len(want.rejects)], got.rejects[i]
			w.Pos.Input = uint32(i / len(want.rejects))
			if g.Pos != w.Pos || string(g.Raw) != string(w.Raw) || g.Detail != w.Detail {
				t.Fatalf("reject %+v, want %+v", g, w)
			}
		}
		checkMarks(t, got.marks, int64(len(text)))
	})
}

func checkMarks(t *rapid.T, marks []stream.Mark, size int64) {
	for i, m := range marks {
		if len(m) == 0 {
			t.Fatalf("batch %d has no mark", i)
		}
		if i == 0 {
			continue
		}
		before, last := marks[i-1], m[len(m)-1]
		if len(m) < len(before) || len(m) == len(before) && (last.Offset < before[len(before)-1].Offset || last.Record < before[len(before)-1].Record) {
			t.Fatalf("mark %v after %v", m, before)
		}
	}
	end := marks[len(marks)-1]
	for _, m := range end {
		if !m.Done || m.Offset != size {
			t.Fatalf("last mark %v, want both inputs done at %d", end, size)
		}
	}
}

// A million sketches of rows pin no block.
func TestSketchesPinNoBlock(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 10^6 rows")
	}
	var text strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&text, `{"scenario_id":"task-%d","reward":%d,"prompt":"%s"}`+"\n", i/8, i%2, strings.Repeat("word ", 100))
	}
	path := write(t, "x.jsonl", []byte(text.String()))
	paths := make([]string, 1000)
	for i := range paths {
		paths[i] = path
	}
	type sketch struct {
		task   string
		reward float32
	}
	sketches := make([]sketch, 0, 1_000_000)
	tasks := map[string]string{}
	before := heapInUse()
	for row, err := range stream.From(jsonl.OpenAll(paths)).All(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		task, ok := tasks[row.TaskID]
		if !ok {
			task = strings.Clone(row.TaskID)
			tasks[task] = task
		}
		sketches = append(sketches, sketch{task, float32(row.Reward.Num)})
	}
	after := heapInUse()
	if len(sketches) != 1_000_000 {
		t.Fatalf("%d sketches", len(sketches))
	}
	if grown := after - before; grown > 8<<20 {
		t.Errorf("the heap grew by %d bytes beside the sketches", grown)
	}
}

func BenchmarkRead(b *testing.B) {
	var lines, array strings.Builder
	array.WriteByte('[')
	for i := range 5000 {
		row := fmt.Sprintf(`{"rollout_id":"r%d","scenario_id":"t%d","reward":%d,"prompt":"%s","messages":[{"role":"user","content":"%s"},{"role":"assistant","content":"%s\nThe answer is \"%d\"."}]}`,
			i, i/8, i%2, strings.Repeat("ask ", 50), strings.Repeat("ask ", 50), strings.Repeat("a long answer, ", 150), i)
		lines.WriteString(row + "\n")
		if i > 0 {
			array.WriteByte(',')
		}
		array.WriteString(row)
	}
	array.WriteByte(']')
	for _, c := range []struct{ name, text string }{{"lines", lines.String()}, {"array", array.String()}} {
		path := write(b, c.name+".json", []byte(c.text))
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.text)))
			b.ReportAllocs()
			rows := 0
			for b.Loop() {
				rows += len(readAll(b, []string{path}).rows)
			}
			b.ReportMetric(float64(rows)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}

func BenchmarkConvert(b *testing.B) {
	data := numbered(20_000)
	in := write(b, "in.jsonl", data)
	for _, ending := range []string{".jsonl", ".jsonl.zst", ".jsonl.gz"} {
		b.Run(ending, func(b *testing.B) {
			out := filepath.Join(b.TempDir(), "out"+ending)
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				convert(b, in, out, []jsonl.Option{jsonl.Fields(0)}, jsonl.Replace())
			}
		})
	}
}

// A packed file that is cut off is damaged, and not a shorter file.
func TestPackedInputsThatAreCutOff(t *testing.T) {
	for _, packed := range []files.Compression{files.Gzip, files.Zstd} {
		for _, text := range [][]byte{numbered(20_000), []byte("[" + strings.TrimSuffix(strings.Repeat(`{"prompt":"one of a list"},`, 50_000), ",") + "]")} {
			whole := packed.AppendFrame(nil, text)
			for _, keep := range []int{len(whole) / 3, len(whole) - 5} {
				path := write(t, "x", whole[:keep])
				_, err := tryReadAll([]string{path})
				var ie *files.InputError
				if !errors.As(err, &ie) || ie.Path != path {
					t.Errorf("%v, %d of %d bytes: %v", packed, keep, len(whole), err)
				}
			}
		}
	}
}
