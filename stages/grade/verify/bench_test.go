package verify_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/grade"
	"github.com/rollmill/rollmill/stages/grade/verify"
	"github.com/rollmill/rollmill/stream"
)

// solved makes rows as those of GSM8K, a third of them right. The reference is
// a number, or a whole solution.
func solved(b testing.TB, n int, reference string) []rollout.Row {
	rows := make([]rollout.Row, n)
	for i := range rows {
		rows[i] = *row(b, fmt.Sprintf("Janet eats %d of the eggs and sells the rest, so she has 16 - 3 = <<16-3=13>>13 eggs left.\n"+
			"She sells %d of them each day, so she makes 13 * 2 = $<<13*2=26>>26 in all, which the friends of hers share.\nA: %d", i%7, i%5, i%3), reference)
	}
	return rows
}

const (
	aNumber   = `"2"`
	aSolution = `"Janet sells 16 - 3 - 4 = <<16-3-4=9>>9 duck eggs a day.\nShe makes 9 * 2 = $<<9*2=18>>18 every day at the farmer's market.\nA: 2"`
)

func benchmark(b *testing.B, g grade.Grader, reference string) {
	b.Helper()
	rows := solved(b, 256, reference)
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
	benchmark(b, verify.Numeric(verify.NumericOptions{}), aNumber)
}

func BenchmarkNumericOfSolutions(b *testing.B) {
	benchmark(b, verify.Numeric(verify.NumericOptions{}), aSolution)
}

func BenchmarkExact(b *testing.B) { benchmark(b, verify.Exact(verify.ExactOptions{}), aNumber) }

func BenchmarkContains(b *testing.B) {
	benchmark(b, verify.Contains(verify.ContainsOptions{}), aNumber)
}

func BenchmarkMath(b *testing.B) { benchmark(b, verify.MathEqual(verify.MathOptions{}), aNumber) }

func BenchmarkMathOfSolutions(b *testing.B) {
	benchmark(b, verify.MathEqual(verify.MathOptions{}), aSolution)
}

// BenchmarkNumber is the scan alone, of one text.
func BenchmarkNumber(b *testing.B) {
	text := solved(b, 1, aNumber)[0].FinalText
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := verify.Number(text); !ok {
			b.Fatal("no number")
		}
	}
}

// BenchmarkStage is a verifier with all that a stage does to a row: counting,
// and writing the verdict and where it came from.
func BenchmarkStage(b *testing.B) {
	rows := solved(b, 1024, aNumber)
	b.ReportAllocs()
	for left := b.N; left > 0; left -= len(rows) {
		batches := stream.FromSlice(slices.Clone(rows[:min(left, len(rows))]))
		if _, _, err := stream.Collect(b.Context(), stream.Through(batches, grade.Stage(verify.Numeric(verify.NumericOptions{})))); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}

// TestNoAllocations has the simple verifiers allocate nothing, whether the
// answer is right or wrong.
func TestNoAllocations(t *testing.T) {
	rows := solved(t, 6, aNumber)
	for name, g := range map[string]grade.Grader{
		"numeric":  verify.Numeric(verify.NumericOptions{}),
		"exact":    verify.Exact(verify.ExactOptions{}),
		"contains": verify.Contains(verify.ContainsOptions{}),
		"choice":   verify.Choice(verify.Options{}),
	} {
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
