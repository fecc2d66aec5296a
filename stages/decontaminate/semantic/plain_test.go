package semantic_test

import (
	"context"
	"math"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/rollmill/rollmill/stages/decontaminate/semantic"
)

// unit, cosine, plainBest and plainP99 are the rule as one writes it down, pair
// by pair: what the blocked products are held against.
func unit(v []float64) []float64 {
	length := math.Sqrt(cosine(v, v))
	u := make([]float64, len(v))
	for i, x := range v {
		if length > 0 {
			u[i] = x / length
		}
	}
	return u
}

func cosine(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += float64(a[i] * b[i])
	}
	return sum
}

func plainBest(table map[string][]float64, prompts []semantic.Prompt, text semantic.Prompt) semantic.Match {
	m := semantic.Match{Prompt: -1, Similarity: -1}
	v := unit(table[text.Text])
	for i, p := range prompts {
		if p.Task != "" && p.Task == text.Task {
			continue
		}
		if s := cosine(v, unit(table[p.Text])); s > m.Similarity {
			m = semantic.Match{Prompt: i, Similarity: s}
		}
	}
	return m
}

func plainP99(table map[string][]float64, prompts []semantic.Prompt) (p99 float64, pairs int) {
	var all []float64
	for i, a := range prompts {
		for _, b := range prompts[i+1:] {
			if a.Task != "" && b.Task != "" && a.Task != b.Task {
				all = append(all, cosine(unit(table[a.Text]), unit(table[b.Text])))
			}
		}
	}
	if len(all) < 2 {
		return 0, len(all)
	}
	slices.Sort(all)
	return min(1, all[int(math.RoundToEven(0.99*float64(len(all)-1)))]), len(all)
}

// draw draws prompts with vectors that lie close together and repeat, so that
// ties and near ties are common.
func draw(t *rapid.T, name string, n, dims int, table map[string][]float64) []semantic.Prompt {
	prompts := make([]semantic.Prompt, n)
	number := rapid.SampledFrom([]float64{-1, 0, 0, 1, 1.0000001, 0.3})
	task := rapid.SampledFrom([]string{"", "a", "b", "c"})
	for i := range prompts {
		v := make([]float64, dims)
		for k := range v {
			v[k] = number.Draw(t, "number")
		}
		text := name + strconv.Itoa(i)
		table[text] = v
		prompts[i] = semantic.Prompt{Text: text, Task: task.Draw(t, "task")}
	}
	return prompts
}

func TestBlockedProductsAreThePlainOnes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table := map[string][]float64{}
		dims := rapid.IntRange(1, 9).Draw(t, "dims")
		prompts := draw(t, "eval", rapid.IntRange(0, 150).Draw(t, "prompts"), dims, table)
		texts := draw(t, "train", rapid.IntRange(0, 150).Draw(t, "texts"), dims, table)
		o := semantic.Options{Batch: rapid.IntRange(1, 200).Draw(t, "batch"), Workers: rapid.IntRange(1, 4).Draw(t, "workers")}
		ref, err := semantic.New(context.Background(), byTable(table), prompts, o)
		if err != nil {
			t.Fatal(err)
		}
		matches, err := ref.Best(context.Background(), texts)
		if err != nil {
			t.Fatal(err)
		}
		for i, m := range matches {
			if want := plainBest(table, prompts, texts[i]); m != want {
				t.Fatalf("text %d: %+v, want %+v", i, m, want)
			}
		}
		c, err := ref.Calibrate(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		p99, pairs := plainP99(table, prompts)
		if c.P99 != p99 || c.Pairs != int64(pairs) || c.Known != (pairs >= 2) {
			t.Fatalf("%+v, want %v of %d pairs", c, p99, pairs)
		}
	})
}
