package neardup_test

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/formats/rollout/text"
	"github.com/rollmill/rollmill/stages/neardup"
)

// plain is the rule as one writes it down: all pairs of the distinct prompts.
func plain(prompts []string, threshold float64, examples int) neardup.Report {
	r := neardup.Report{Threshold: threshold, Method: neardup.Exact, Recall: 1}
	seen := map[string]bool{}
	var heads []string
	var sets []map[string]bool
	for _, p := range prompts {
		if seen[p] {
			continue
		}
		seen[p] = true
		set := map[string]bool{}
		for w := range text.Words(p) {
			set[w] = true
		}
		heads, sets = append(heads, string([]rune(p)[:min(80, len([]rune(p)))])), append(sets, set)
	}
	r.Prompts = len(sets)
	involved := map[int]bool{}
	for i, a := range sets {
		for j := i + 1; j < len(sets); j++ {
			b := sets[j]
			shared := 0
			for w := range a {
				if b[w] {
					shared++
				}
			}
			if len(a) == 0 || len(b) == 0 {
				continue
			}
			if x := float64(shared) / float64(len(a)+len(b)-shared); x >= threshold {
				r.Pairs++
				involved[i], involved[j] = true, true
				if len(r.Examples) < examples {
					r.Examples = append(r.Examples, neardup.Pair{A: heads[i], B: heads[j], Jaccard: x})
				}
			}
		}
	}
	r.Involved = len(involved)
	return r
}

// prompts draws texts of few words, so that near ones are many, now and then one
// text with a word more or less.
func prompts(t *rapid.T) []string {
	word := rapid.SampledFrom(strings.Fields("a b c d e f g h i j k l m n o p Q r s t 1 22 é 日"))
	var all []string
	for range rapid.IntRange(0, 60).Draw(t, "n") {
		if len(all) > 0 && rapid.Bool().Draw(t, "again") {
			s := all[rapid.IntRange(0, len(all)-1).Draw(t, "of")]
			all = append(all, s+rapid.SampledFrom([]string{"", "!", " x", " y z", " v"}).Draw(t, "more"))
			continue
		}
		all = append(all, strings.Join(rapid.SliceOfN(word, 0, 25).Draw(t, "words"), " "))
	}
	return all
}

func TestIndexAgreesWithAllPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := prompts(t)
		threshold := rapid.SampledFrom([]float64{0.01, 0.3, 0.5, 2.0 / 3, 0.7, 0.75, 0.8, 0.9, 1}).Draw(t, "threshold")
		examples := rapid.IntRange(1, 8).Draw(t, "examples")
		workers := rapid.IntRange(1, 4).Draw(t, "workers")
		parts := rapid.IntRange(1, 3).Draw(t, "parts")
		accumulators := make([]*neardup.Accumulator, parts)
		for i := range accumulators {
			accumulators[i] = neardup.New()
		}
		order := rapid.Permutation(numbers(len(all))).Draw(t, "order")
		for _, i := range order {
			accumulators[i%parts].Add([]rollout.Row{{Pos: rollout.Pos{Record: int64(i + 1)}, Prompt: all[i]}})
		}
		for _, a := range accumulators[1:] {
			accumulators[0].Merge(a)
		}
		o := neardup.Options{Threshold: threshold, Examples: examples, Workers: workers}
		got, err := accumulators[0].Report(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		want := plain(all, threshold, examples)
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%+v\nwant %+v", got, want)
		}

		// Minwise hashing may miss pairs and reports no wrong one; identical sets it never misses.
		o.Method, o.Seed = neardup.MinHash, rapid.Uint64().Draw(t, "seed")
		near, err := accumulators[0].Report(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		if near.Pairs > want.Pairs || near.Involved > want.Involved || near.Prompts != want.Prompts {
			t.Fatalf("minhash found %+v of %+v", near, want)
		}
		if same := plain(all, 1, examples); near.Pairs < same.Pairs {
			t.Fatalf("minhash found %d pairs of %d equal sets", near.Pairs, same.Pairs)
		}
		o.Workers = 1
		if again, err := accumulators[0].Report(context.Background(), o); err != nil || !reflect.DeepEqual(again, near) {
			t.Fatalf("%d workers %+v, one %+v (%v)", workers, near, again, err)
		}
	})
}

func numbers(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}
