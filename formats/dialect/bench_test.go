package dialect_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rollmill/rollmill/formats/dialect"
	"github.com/rollmill/rollmill/formats/rollout"
)

func benchmarkRows(b *testing.B, d dialect.Dialect, recs []dialect.Record) {
	bytes, n := 0, 0
	for _, rec := range recs {
		bytes += len(rec.JSON)
	}
	var rows []rollout.Row
	b.SetBytes(int64(bytes))
	b.ReportAllocs()
	for b.Loop() {
		rows = rows[:0]
		for _, rec := range recs {
			var err error
			if rows, err = d.Rows(rows, rec); err != nil {
				b.Fatal(err)
			}
		}
		n += len(rows)
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "rows/s")
}

func BenchmarkTauBench(b *testing.B) {
	data, err := os.ReadFile(filepath.Join("testdata", "taubench.json"))
	if err != nil {
		b.Fatal(err)
	}
	d, err := dialect.Named("tau-bench")
	if err != nil {
		b.Fatal(err)
	}
	benchmarkRows(b, d, records(&testing.T{}, dialect.Array, data))
}

func BenchmarkMapping(b *testing.B) {
	m, err := dialect.ParseMap([]string{"prompt=question,privileged.reference=gold,final_text=.solution,reward=.is_correct"}, "a,b,c,d")
	if err != nil {
		b.Fatal(err)
	}
	const part = `{"is_correct": false, "solution": "A crate holds 12 jars and three crates stand there, so there are 12 * 3 = 36 jars. Five are empty, which leaves 36 - 5 = 31.\nA: 31"}`
	record := []byte(`{"question": "Three crates of 12 jars each, five jars empty. How many are full?", "gold": "12 * 3 - 5 = 31\nA: 31", ` +
		`"a": ` + part + `, "b": ` + part + `, "c": ` + part + `, "d": ` + part + `}`)
	benchmarkRows(b, m, []dialect.Record{{JSON: record}})
}
