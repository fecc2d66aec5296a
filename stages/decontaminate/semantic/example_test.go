package semantic_test

import (
	"context"
	"fmt"
	"hash/fnv"
	"strings"
	"unicode"

	"github.com/rollmill/rollmill/stages/decontaminate/semantic"
)

// buckets embeds without a model: it counts the words of a text, and their
// neighbours, in 256 buckets by their hashes; numbers are all alike. It knows no
// synonyms, but word order and small changes disturb it little.
func buckets(_ context.Context, texts []string) ([][]float64, error) {
	vectors := make([][]float64, len(texts))
	for i, text := range texts {
		vectors[i] = make([]float64, 256)
		count := func(s string) {
			h := fnv.New64a()
			h.Write([]byte(s))
			vectors[i][h.Sum64()%256]++
		}
		last := ""
		for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			if strings.IndexFunc(word, unicode.IsLetter) < 0 {
				word = "<number>"
			}
			count("w:" + word)
			if last != "" {
				count("b:" + last + " " + word)
			}
			last = word
		}
	}
	return vectors, nil
}

func Example() {
	ctx := context.Background()
	prompts := []semantic.Prompt{
		{Text: "A baker fills 12 trays with 9 rolls each. How many rolls are there?", Task: "exam-1"},
		{Text: "Name the river that runs through the old capital.", Task: "exam-2"},
	}
	ref, err := semantic.New(ctx, semantic.EmbedderFunc(buckets), prompts, semantic.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	flags, err := ref.Flags(ctx, []semantic.Candidate{
		{Row: 0, Field: "prompt", Prompt: semantic.Prompt{Text: "Sort a list of names by their length."}},
		{Row: 1, Field: "prompt", Prompt: semantic.Prompt{Text: "A baker fills 30 trays with 8 rolls each. How many rolls are there now?"}},
	}, semantic.Similarity)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range flags {
		fmt.Printf("row %d, %s: %.2f to %s\n", f.Row, f.Field, f.Similarity, ref.Prompt(f.Prompt).Task)
	}
	// Output:
	// row 1, prompt: 0.98 to exam-1
}
