package measure_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/measure"
)

// Rows of the tests are JSON text that the decoder of package rollout reads, as
// it would from a file.

type record = map[string]any

// parse reads JSON and keeps numbers as they are written.
func parse(t testing.TB, raw []byte) any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

// records expands {groups, const, markers}, {concat: [...]} and lists of either,
// as testdata/vectors.json writes rows.
func records(v any) []record {
	var out []record
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			if r, ok := x.(record); ok && r["groups"] == nil && r["concat"] == nil {
				out = append(out, r)
				continue
			}
			out = append(out, records(x)...)
		}
	case record:
		if c, ok := v["concat"]; ok {
			return records(c)
		}
		markers, _ := v["markers"].(record)
		for _, g := range v["groups"].([]any) {
			g := g.([]any)
			for _, reward := range g[1].([]any) {
				r := record{"task_id": g[0], "reward": reward}
				maps.Copy(r, v["const"].(record))
				if len(markers) > 0 {
					m := record{}
					for name, values := range markers {
						m[name] = values.([]any)[len(out)]
					}
					r["markers"] = m
				}
				out = append(out, r)
			}
		}
	}
	return out
}

// decode makes rows of records, each a record of input 0.
func decode(t testing.TB, want rollout.Fields, list []record) []rollout.Row {
	t.Helper()
	lines := make([]string, len(list))
	for i, r := range list {
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		lines[i] = string(text)
	}
	return decodeLines(t, want, lines...)
}

func decodeLines(t testing.TB, want rollout.Fields, lines ...string) []rollout.Row {
	t.Helper()
	d := rollout.NewDecoder(want)
	rows := make([]rollout.Row, len(lines))
	for i, line := range lines {
		if err := d.Decode([]byte(line), &rows[i]); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		rows[i].Pos = rollout.Pos{Record: int64(i + 1)}
	}
	return rows
}

// accumulator is what Accumulator, Twins and Labels have in common.
type accumulator[A any] interface {
	Add([]rollout.Row)
	Merge(A)
}

// scattered counts rows in shuffled pieces over several accumulators, which it
// merges in some order: what it counts must not show that.
func scattered[A accumulator[A]](rows []rollout.Row, seed uint64, fresh func() A) A {
	rng := rand.New(rand.NewPCG(seed, 1))
	parts := make([]A, 1+rng.IntN(4))
	for i := range parts {
		parts[i] = fresh()
	}
	for _, i := range rng.Perm(len(rows)) {
		parts[rng.IntN(len(parts))].Add(rows[i : i+1 : i+1])
	}
	for len(parts) > 1 {
		i := rng.IntN(len(parts) - 1)
		parts[i].Merge(parts[i+1])
		parts = slices.Delete(parts, i+1, i+2)
	}
	return parts[0]
}

// count counts records by way of their text, scattered.
func count(t testing.TB, o measure.Options, list []record) *measure.Result {
	t.Helper()
	return scattered(decode(t, o.Fields(), list), uint64(len(list)), func() *measure.Accumulator { return measure.New(o) }).Result()
}

func field(t testing.TB, name string) measure.Field {
	t.Helper()
	f, err := measure.ParseField(name)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func must[T any](t testing.TB) func(v T, err error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// reply is a reply of so many characters.
func reply(n int) string { return strings.Repeat("é", n) }

func task(i int) string { return fmt.Sprintf("t%02d", i) }
