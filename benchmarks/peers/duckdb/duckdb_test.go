//go:build cgo

package duckdb

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/duckdb/duckdb-go/v2"
	"github.com/rollmill/rollmill/formats/jsonl"
	"github.com/rollmill/rollmill/formats/parquet"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

const n = 20_000 // rows, in two row groups

// rows writes rollouts as JSONL. Every third reward is missing and every fifth
// row calls a tool.
func rows(t *testing.T) (path string) {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"rollout_id":"r%d","scenario_id":"task-%d","rollout_index":%d,"messages":[{"role":"user","content":"q%d"}`, i, i/8, i%8, i)
		if i%5 == 0 {
			b.WriteString(`,{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{\"a\":1}"}}]},{"role":"tool","tool_call_id":"c1","content":"1"}`)
		}
		b.WriteString(`,{"role":"assistant","content":"done"}]`)
		if i%3 > 0 {
			fmt.Fprintf(&b, `,"reward":%g`, float64(i%4)/4)
		}
		fmt.Fprintf(&b, `,"markers":{"polite":%g},"seed":%d}`+"\n", float64(i%2)/2, i)
	}
	path = filepath.Join(t.TempDir(), "rows.jsonl")
	if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func open(t *testing.T) *sql.DB {
	db, err := sql.Open("duckdb", "?threads=2")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func TestDuckDBReadsOurs(t *testing.T) {
	db, dir := open(t), t.TempDir()
	sum, high := 0.0, 0
	for i := range n {
		if i%3 > 0 {
			sum += float64(i%4) / 4
			if i%4 == 3 && i%8 == 3 {
				high++
			}
		}
	}
	for name, codec := range map[string]parquet.Codec{"zstd": parquet.Zstd, "snappy": parquet.Snappy, "none": parquet.None} {
		path := filepath.Join(dir, name+".parquet")
		if _, err := stream.Run(context.Background(), stream.To(stream.From(jsonl.Open(rows(t))), parquet.Create(path, parquet.Compression(codec)))); err != nil {
			t.Fatal(err)
		}
		for query, want := range map[string]string{
			`count(*), count(reward), sum(reward), min(rollout_index), max(rollout_id)`:                       fmt.Sprintf("20000 13333 %g 0 r9999", sum),
			`sum(len(messages)), sum(len(list_filter(messages, m -> m.role = 'tool')))`:                       "48000 4000",
			`count(distinct scenario_id), count(*) filter (scenario_id = 'task-7'), sum(len(extra))`:          "2500 8 268890",
			`sum(markers[1].value), min(markers[1].name)`:                                                     "5000 polite",
			`count(*) filter (messages[2].tool_calls[1].function.arguments = '{"a":1}')`:                      "4000",
			`count(*) filter (messages[1].tool_calls is null), count(*) filter (messages[2].content is null)`: "20000 4000",
			`count(*) filter (rollmill_gates is null and prompt = messages[1].content)`:                       "20000",
		} {
			if got := one(t, db, query, path); got != want {
				t.Errorf("%s: %s = %s, want %s", name, query, got, want)
			}
		}
		if got := one(t, db, `count(*) filter (reward > 0.5 and rollout_index = 3)`, path); got != fmt.Sprint(high) {
			t.Errorf("filter: %s, want %d", got, high)
		}
	}
}

// one gives the first row of a query over a file.
func one(t *testing.T, db *sql.DB, columns, path string) string {
	t.Helper()
	res, err := db.Query("select " + columns + " from read_parquet('" + path + "')")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Close()
	names, _ := res.Columns()
	values, places := make([]any, len(names)), make([]any, len(names))
	for i := range values {
		places[i] = &values[i]
	}
	if !res.Next() {
		t.Fatal(res.Err())
	}
	if err := res.Scan(places...); err != nil {
		t.Fatal(err)
	}
	return strings.Trim(fmt.Sprint(values), "[]")
}

func TestWeReadDuckDBs(t *testing.T) {
	db, from := open(t), rows(t)
	for _, codec := range []string{"zstd", "snappy", "uncompressed"} {
		for _, version := range []string{"v1", "v2"} {
			to := filepath.Join(t.TempDir(), "theirs.parquet")
			if _, err := db.Exec(fmt.Sprintf("copy (select * from read_json('%s', format='newline_delimited')) to '%s' (format parquet, compression %s, parquet_version %s)", from, to, codec, version)); err != nil {
				t.Fatal(err)
			}
			want, got := all(t, jsonl.Open(from)), all(t, parquet.Open(to, parquet.Workers(2)))
			if len(got) != n {
				t.Fatalf("%s %s: %d rows", codec, version, len(got))
			}
			for i := range want {
				w, g := &want[i], &got[i]
				if w.ID != g.ID || w.TaskID != g.TaskID || w.Index.Num != g.Index.Num || w.Reward.Num != g.Reward.Num || len(w.Messages) != len(g.Messages) || len(g.Markers) != 1 {
					t.Fatalf("%s %s: row %d is\n%s\nwant\n%s", codec, version, i, g.Canonical(), w.Canonical())
				}
				for j := range w.Messages {
					a, b := w.Messages[j], g.Messages[j]
					if a.Role != b.Role || a.Content != b.Content || a.ToolCallID != b.ToolCallID || fmt.Sprint(a.ToolCalls) != fmt.Sprint(b.ToolCalls) {
						t.Fatalf("row %d, message %d: %+v, want %+v", i, j, b, a)
					}
				}
			}
		}
	}
}

func all(t *testing.T, src stream.Source[rollout.Row]) (rows []rollout.Row) {
	t.Helper()
	for row, err := range stream.From(src).All(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	return rows
}
