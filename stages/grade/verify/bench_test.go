package verify_test

import (
	"fmt"
	"testing"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/grade"
	"github.com/rollmill/rollmill/stages/grade/verify"
)

// solved makes rows as those of GSM8K, a third of them right.
func solved(b testing.TB, n int) []rollout.Row {
	rows := make([]rollout.Row, n)
	for i := range rows {
		rows[i] = *row(b, fmt.Sprintf("Janet eats %d of the eggs and sells the rest, so she has 16 - 3 = <<16-3=13>>13 eggs left.\n"+
			"She sells %d of them each day, so she makes 13 * 2 = $<<13*2=26>>26 in all, which the friends of hers share.\nA: %d", i%7, i%5, i%3),
			`"Janet sells 16 - 3 - 4 = <<16-3-4=9>>9 duck eggs a day.\nShe makes 9 * 2 = $<<9*2=18>>18 every day at the farmer's market.\nA: 2"`)
	}
	return rows
}

func benchmark(b *testing.B, g grade.Grader, rows []rollout.Row) {
	b.Helper()
	size := 0
	for i := range rows {
		size += len(rows[i].FinalText)
	}
	b.SetBytes(int64(size / len(rows)))
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if _, err := g.Grade(b.Context(), &rows[i%len(rows)]); err != nil {
			b.Fatal(err)
		}
		i++
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}

func BenchmarkNumeric(b *testing.B) {
	benchmark(b, verify.Numeric(verify.NumericOptions{}), solved(b, 1024))
}

// BenchmarkNumber is the scan alone, of one text.
func BenchmarkNumber(b *testing.B) {
	text := solved(b, 1)[0].FinalText
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := verify.Number(text); !ok {
			b.Fatal("no number")
		}
	}
}

func BenchmarkExact(b *testing.B) {
	benchmark(b, verify.Exact(verify.ExactOptions{}), solved(b, 1024))
}

func BenchmarkContains(b *testing.B) {
	benchmark(b, verify.Contains(verify.ContainsOptions{}), solved(b, 1024))
}

// TestNoAllocations has the simple verifiers allocate nothing, whether the
// answer is right or wrong.
func TestNoAllocations(t *testing.T) {
	rows := solved(t, 6)
	for name, g := range map[string]grade.Grader{
		"numeric":  verify.Numeric(verify.NumericOptions{}),
		"exact":    verify.Exact(verify.ExactOptions{}),
		"contains": verify.Contains(verify.ContainsOptions{}),
		"choice":   verify.Choice(verify.Options{}),
	} {
		for i := range rows {
			rows[i].Privileged = `{"reference":"A: 2"}`
		}
		allocs := testing.AllocsPerRun(10, func() {
			for i := range rows {
				if _, err := g.Grade(t.Context(), &rows[i]); err != nil {
					t.Fatal(err)
				}
			}
		})
		if allocs != 0 {
			t.Errorf("%s: %v allocations in 6 rows", name, allocs)
		}
	}
}
