package neardup_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/neardup"
	"github.com/rollmill/rollmill/stream"
)

func TestErrorsCanBeMatched(t *testing.T) {
	a := neardup.New()
	for _, c := range []struct {
		o    neardup.Options
		want error
	}{
		{neardup.Options{Threshold: -0.1}, neardup.ErrThreshold},
		{neardup.Options{Threshold: 1.01}, neardup.ErrThreshold},
		{neardup.Options{Threshold: math.NaN()}, neardup.ErrThreshold},
		{neardup.Options{Recall: 1}, neardup.ErrRecall},
		{neardup.Options{Recall: -1}, neardup.ErrRecall},
		{neardup.Options{Method: "guess"}, neardup.ErrMethod},
	} {
		if _, err := a.Report(context.Background(), c.o); !errors.Is(err, c.want) {
			t.Errorf("%+v: %v, want %v", c.o, err, c.want)
		}
	}
}

func TestNoPrompts(t *testing.T) {
	for _, m := range []neardup.Method{neardup.Exact, neardup.MinHash} {
		r, err := neardup.New().Report(context.Background(), neardup.Options{Method: m})
		if err != nil || r.Prompts != 0 || r.Pairs != 0 || r.Involved != 0 {
			t.Errorf("%s: %+v, %v", m, r, err)
		}
	}
}

func TestContextIsObeyed(t *testing.T) {
	a := gathered(newPrompts(1, 100))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, m := range []neardup.Method{neardup.Exact, neardup.MinHash} {
		if _, err := a.Report(ctx, neardup.Options{Method: m}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", m, err)
		}
	}
}

func TestProgressEndsAtTheTotal(t *testing.T) {
	a := gathered(newPrompts(1, 1000))
	for _, m := range []neardup.Method{neardup.Exact, neardup.MinHash} {
		var last neardup.Progress
		calls := 0
		o := neardup.Options{Method: m, Workers: 3, Progress: func(p neardup.Progress) {
			if p.Done <= last.Done || p.Done > p.Total {
				t.Errorf("%s: %+v after %+v", m, p, last)
			}
			last = p
			calls++
		}}
		if _, err := a.Report(context.Background(), o); err != nil {
			t.Fatal(err)
		}
		if calls < 4 || last.Done != last.Total {
			t.Errorf("%s: %d calls, the last %+v", m, calls, last)
		}
	}
}

// A text that differs in nothing but punctuation makes n(n-1)/2 pairs
// without as many comparisons: 100,000 prompts, five billion pairs.
func TestManyAlike(t *testing.T) {
	const n = 100_000
	a := neardup.New()
	for i := range n {
		a.AddPrompt(stream.Pos{Record: int64(i)}, strings.NewReplacer("0", ".", "1", "! ").Replace(fmt.Sprintf("Say it %b", i)))
	}
	for _, m := range []neardup.Method{neardup.Exact, neardup.MinHash} {
		r, err := a.Report(context.Background(), neardup.Options{Method: m})
		if err != nil || r.Pairs != n*(n-1)/2 || r.Involved != n || len(r.Examples) != 5 {
			t.Errorf("%s: %+v, %v", m, r, err)
		}
	}
}

// The flow gives the same report for any workers and batches.
func TestSink(t *testing.T) {
	texts := newPrompts(3, 3000)
	want, err := gathered(texts).Report(context.Background(), neardup.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if want.Pairs == 0 || len(want.Examples) != 5 {
		t.Fatalf("nothing to find: %+v", want)
	}
	for _, workers := range []int{1, 2, 8} {
		for _, items := range []int{1, 7, 5000} {
			var rows []rollout.Row
			for i, s := range texts {
				rows = append(rows, rollout.Row{Pos: rollout.Pos{Record: int64(i + 1)}, Prompt: s})
			}
			flow := stream.From(stream.SourceFunc[rollout.Row](func(ctx context.Context, out chan<- stream.Batch[rollout.Row]) error {
				for seq := uint64(0); len(rows) > 0; seq++ {
					n := min(items, len(rows))
					if err := stream.Send(ctx, out, stream.Batch[rollout.Row]{Seq: seq, Items: rows[:n]}); err != nil {
						return err
					}
					rows = rows[n:]
				}
				return nil
			}))
			a := neardup.New()
			if _, err := stream.Run(context.Background(), stream.To(flow, neardup.Sink(a, workers))); err != nil {
				t.Fatal(err)
			}
			got, err := a.Report(context.Background(), neardup.Options{Workers: workers})
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%d workers, batches of %d: %+v (%v)\nwant %+v", workers, items, got, err, want)
			}
		}
	}
}

// TestRecall measures what minwise hashing finds of the pairs that the index
// finds: at the threshold and above it, over five seeds. The bound is what the
// method promises; the figure of a larger set stands with MinHash.
func TestRecall(t *testing.T) {
	a := gathered(newPrompts(7, 20_000))
	for _, threshold := range []float64{0.7, 0.8, 0.9} {
		all, err := a.Report(context.Background(), neardup.Options{Threshold: threshold})
		if err != nil {
			t.Fatal(err)
		}
		found := int64(0)
		const seeds = 5
		for seed := range uint64(seeds) {
			r, err := a.Report(context.Background(), neardup.Options{Threshold: threshold, Method: neardup.MinHash, Seed: seed})
			if err != nil {
				t.Fatal(err)
			}
			if r.Recall < 0.999 {
				t.Errorf("threshold %v: promises %v", threshold, r.Recall)
			}
			found += r.Pairs
		}
		recall := float64(found) / float64(all.Pairs*seeds)
		t.Logf("threshold %v: %d pairs, recall %.5f", threshold, all.Pairs, recall)
		if all.Pairs < 500 || recall < 0.999 || recall > 1 {
			t.Errorf("threshold %v: recall %v of %d pairs, want 0.999", threshold, recall, all.Pairs)
		}
	}
}

// gathered is an accumulator of texts.
func gathered(texts []string) *neardup.Accumulator {
	a := neardup.New()
	for i, s := range texts {
		a.AddPrompt(stream.Pos{Record: int64(i + 1)}, s)
	}
	return a
}

// newPrompts makes prompts of 20 to 60 words drawn by Zipf's law from 20,000;
// each tenth repeats an earlier one with some of its words changed.
func newPrompts(seed uint64, n int) []string { return promptsOf(seed, n, 20_000) }

// promptsOf makes prompts like those of newPrompts from another number of words.
func promptsOf(seed uint64, n, vocabulary int) []string {
	draw := rand.New(rand.NewPCG(seed, 1))
	zipf := rand.NewZipf(draw, 1.05, 2.7, uint64(vocabulary-1))
	all := make([][]string, n)
	texts := make([]string, n)
	for i := range all {
		if i > 0 && draw.IntN(10) == 0 {
			all[i] = append([]string(nil), all[draw.IntN(i)]...)
			for range draw.IntN(6) {
				all[i][draw.IntN(len(all[i]))] = fmt.Sprintf("w%x", zipf.Uint64())
			}
		} else {
			all[i] = make([]string, 20+draw.IntN(41))
			for k := range all[i] {
				all[i][k] = fmt.Sprintf("w%x", zipf.Uint64())
			}
		}
		texts[i] = strings.Join(all[i], " ")
	}
	return texts
}
