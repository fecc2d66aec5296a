package semantic_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rollmill/rollmill/stages/decontaminate/semantic"
)

func TestErrorsCanBeMatched(t *testing.T) {
	down := errors.New("the model is down")
	give := func(vectors ...[]float64) semantic.EmbedderFunc {
		return func(context.Context, []string) ([][]float64, error) { return vectors, nil }
	}
	two := []semantic.Prompt{{Text: "one"}, {Text: "two"}}
	for _, c := range []struct {
		name string
		e    semantic.Embedder
		want error
	}{
		{"no embedder", nil, semantic.ErrNoEmbedder},
		{"too few", give([]float64{1}), semantic.ErrVectorCount},
		{"too many", give([]float64{1}, []float64{1}, []float64{1}), semantic.ErrVectorCount},
		{"none", give(), semantic.ErrVectorCount},
		{"unequal", give([]float64{1}, []float64{1, 2}), semantic.ErrVector},
		{"empty", give([]float64{}, []float64{}), semantic.ErrVector},
		{"not a number", give([]float64{1}, []float64{math.NaN()}), semantic.ErrVector},
		{"infinite", give([]float64{1}, []float64{math.Inf(1)}), semantic.ErrVector},
		{"too long", give([]float64{1}, []float64{1e200}), semantic.ErrVector},
		{"its own", semantic.EmbedderFunc(func(context.Context, []string) ([][]float64, error) { return nil, down }), down},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := semantic.New(context.Background(), c.e, two, semantic.Options{}); !errors.Is(err, c.want) {
				t.Errorf("%v, want %v", err, c.want)
			}
		})
	}
}

func TestSimilarityIsChecked(t *testing.T) {
	ref := reference(t, map[string][]float64{"one": {1}}, []semantic.Prompt{{Text: "one"}})
	for similarity, bad := range map[float64]bool{-0.01: true, 1.01: true, 0: false, 1: false, math.Inf(1): true} {
		_, err := ref.Flags(context.Background(), nil, similarity)
		if errors.Is(err, semantic.ErrSimilarity) != bad {
			t.Errorf("%v: %v", similarity, err)
		}
	}
	if err := semantic.CheckSimilarity(math.NaN()); !errors.Is(err, semantic.ErrSimilarity) {
		t.Errorf("NaN: %v", err)
	}
}

func TestVectorsOfTextsAreCheckedToo(t *testing.T) {
	ref := reference(t, map[string][]float64{"one": {1, 0}, "other": {1}}, []semantic.Prompt{{Text: "one"}})
	if _, err := ref.Best(context.Background(), []semantic.Prompt{{Text: "other"}}); !errors.Is(err, semantic.ErrVector) {
		t.Errorf("%v, want ErrVector", err)
	}
}

// What is distinct is decided without letter case and white space, the first
// stands for all, and blank prompts are none.
func TestDistinctPrompts(t *testing.T) {
	table := map[string][]float64{"Add  two": {1, 0}, "sub": {0, 1}}
	ref := reference(t, table, []semantic.Prompt{{Text: " \n", Task: "z"}, {Text: "Add  two", Task: "a"}, {Text: "add TWO\n", Task: "b"}, {Text: "sub"}})
	if ref.Len() != 2 || ref.Prompt(0) != (semantic.Prompt{Text: "Add  two", Task: "a"}) || ref.Prompt(1).Text != "sub" {
		t.Errorf("%d prompts, first %+v", ref.Len(), ref.Prompt(0))
	}
}

func TestNothingToCompareWith(t *testing.T) {
	silent := semantic.EmbedderFunc(func(context.Context, []string) ([][]float64, error) {
		return nil, errors.New("nobody should ask")
	})
	ref, err := semantic.New(context.Background(), silent, []semantic.Prompt{{Text: " "}}, semantic.Options{})
	if err != nil {
		t.Fatal(err)
	}
	matches, err := ref.Best(context.Background(), []semantic.Prompt{{Text: "x"}})
	if err != nil || !slices.Equal(matches, []semantic.Match{{Prompt: -1, Similarity: -1}}) {
		t.Errorf("%v, %v", matches, err)
	}
	if c, err := ref.Calibrate(context.Background()); err != nil || c.Known {
		t.Errorf("%+v, %v", c, err)
	}
}

// A row is flagged once, under its first field that passes; blank fields are not embedded.
func TestARowIsFlaggedOnce(t *testing.T) {
	table := map[string][]float64{"exam": {1, 0}, "copy": {1, 0.1}, "same": {1, 0}, "far": {0, 1}}
	ref := reference(t, table, []semantic.Prompt{{Text: "exam"}})
	candidate := func(row int, field, text string) semantic.Candidate {
		return semantic.Candidate{Row: row, Field: field, Prompt: semantic.Prompt{Text: text}}
	}
	flags, err := ref.Flags(context.Background(), []semantic.Candidate{
		candidate(3, "prompt", "far"), candidate(3, "system", " \t"), candidate(3, "final_text", "copy"), candidate(3, "tool", "same"),
		candidate(5, "prompt", "same"),
	}, 0.9)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range flags {
		got = append(got, fmt.Sprintf("%d %s %.4f", f.Row, f.Field, f.Similarity))
	}
	if want := []string{"3 final_text 0.9950", "5 prompt 1.0000"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestProgressEndsAtTheTotal(t *testing.T) {
	table := map[string][]float64{}
	var prompts []semantic.Prompt
	for i := range 200 {
		text := strings.Repeat("x", i+1)
		table[text] = []float64{float64(i), 1}
		prompts = append(prompts, semantic.Prompt{Text: text, Task: text})
	}
	var seen []semantic.Progress
	o := semantic.Options{Workers: 2, Progress: func(p semantic.Progress) { seen = append(seen, p) }}
	ref, err := semantic.New(context.Background(), byTable(table), prompts, o)
	if err != nil {
		t.Fatal(err)
	}
	check := func(total int64) {
		t.Helper()
		for i := 1; i < len(seen); i++ {
			if seen[i].Done <= seen[i-1].Done {
				t.Errorf("progress goes back: %v", seen)
			}
		}
		if len(seen) == 0 || seen[len(seen)-1] != (semantic.Progress{Done: total, Total: total}) {
			t.Errorf("%v, want the end at %d", seen, total)
		}
		seen = nil
	}
	if _, err := ref.Best(context.Background(), prompts[:150]); err != nil {
		t.Fatal(err)
	}
	check(150 * 200)
	if _, err := ref.Calibrate(context.Background()); err != nil {
		t.Fatal(err)
	}
	check(200 * 199 / 2)
}

func TestContextIsObeyed(t *testing.T) {
	ref := reference(t, map[string][]float64{"one": {1}, "two": {1}, "six": {1}},
		[]semantic.Prompt{{Text: "one", Task: "a"}, {Text: "two", Task: "b"}, {Text: "six", Task: "c"}})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := ref.Best(ctx, []semantic.Prompt{{Text: "one"}}); !errors.Is(err, context.Canceled) {
		t.Errorf("Best: %v", err)
	}
	if _, err := ref.Calibrate(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Calibrate: %v", err)
	}
}

func TestTooLow(t *testing.T) {
	c := semantic.Calibration{Known: true, P99: 0.9}
	if !c.TooLow(0.9) || c.TooLow(0.91) || (semantic.Calibration{P99: 0.9}).TooLow(0.1) {
		t.Error("a threshold is too low up to the percentile, where it is known")
	}
}
