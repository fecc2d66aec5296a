package neardup_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/rollmill/rollmill/stages/neardup"
)

// BenchmarkReport finds the pairs of prompts of about 40 words on one core.
func BenchmarkReport(b *testing.B) {
	for _, n := range []int{10_000, 100_000, 1_000_000} {
		if testing.Short() && n > 100_000 {
			continue
		}
		a := gathered(newPrompts(1, n))
		for _, m := range []neardup.Method{neardup.Exact, neardup.MinHash} {
			b.Run(fmt.Sprintf("%s/%d", m, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					r, err := a.Report(context.Background(), neardup.Options{Method: m})
					if err != nil {
						b.Fatal(err)
					}
					b.ReportMetric(float64(r.Pairs), "pairs")
				}
				b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "prompts/s")
			})
		}
	}
}

// BenchmarkFewWords finds the pairs among prompts that are all made of the same
// few words: there are no rare ones to list them under.
func BenchmarkFewWords(b *testing.B) {
	const n = 100_000
	for _, words := range []int{300, 1000, 3000} {
		a := gathered(promptsOf(1, n, words))
		for _, m := range []neardup.Method{neardup.Exact, neardup.MinHash} {
			b.Run(fmt.Sprintf("%s/%d", m, words), func(b *testing.B) {
				for b.Loop() {
					if _, err := a.Report(context.Background(), neardup.Options{Method: m}); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(n*float64(b.N)/b.Elapsed().Seconds(), "prompts/s")
			})
		}
	}
}

// BenchmarkAdd gathers prompts of about 40 words.
func BenchmarkAdd(b *testing.B) {
	texts := newPrompts(1, 10_000)
	size := 0
	for _, s := range texts {
		size += len(s)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		gathered(texts)
	}
	b.ReportMetric(float64(len(texts))*float64(b.N)/b.Elapsed().Seconds(), "prompts/s")
}
