package semantic_test

import (
	"context"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/rollmill/rollmill/stages/decontaminate/semantic"
)

// BenchmarkBest compares 2,048 texts with 10,000 prompts of 384 numbers on one core.
func BenchmarkBest(b *testing.B) {
	const texts, prompts, dims = 2048, 10_000, 384
	ref, some := random(b, texts, prompts, dims)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ref.Best(context.Background(), some); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(texts*prompts), "ns/pair")
}

// BenchmarkCalibrate takes the percentile of 10,000 prompts of 384 numbers on one core.
func BenchmarkCalibrate(b *testing.B) {
	const prompts, dims = 10_000, 384
	ref, _ := random(b, 0, prompts, dims)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ref.Calibrate(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(prompts*(prompts-1)/2), "ns/pair")
}

func random(b *testing.B, texts, prompts, dims int) (*semantic.Reference, []semantic.Prompt) {
	draw := rand.New(rand.NewPCG(1, 1))
	table := map[string][]float64{}
	make := func(n int, name string) (all []semantic.Prompt) {
		for i := range n {
			v := make([]float64, dims)
			for k := range v {
				v[k] = draw.NormFloat64()
			}
			text := name + strconv.Itoa(i)
			table[text] = v
			all = append(all, semantic.Prompt{Text: text, Task: text})
		}
		return all
	}
	ref, err := semantic.New(context.Background(), byTable(table), make(prompts, "e"), semantic.Options{Workers: 1})
	if err != nil {
		b.Fatal(err)
	}
	return ref, make(texts, "t")
}
