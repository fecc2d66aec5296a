package decontaminate

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rollmill/rollmill/formats/rollout"
)

// What a checker remembers of earlier rows does not show in what it finds.
func TestSharedTextsAreFoundAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		items := append(rapid.SliceOfN(smallText(9), 1, 5).Draw(t, "items"), "z")
		x, err := Build(t.Context(), []Set{textSet("e", items...)}, Config{N: []int{2}}, 1)
		if err != nil {
			t.Fatal(err)
		}
		texts := rapid.SliceOfN(smallText(30), 1, 4).Draw(t, "texts")
		draw := rapid.SampledFrom(texts)
		rules := []Rule{Any(2), Windowed{Grams: 2, MinWords: 1, MinWeight: 0.01}}
		c := x.NewChecker(AllParts, rules...)
		for range 12 {
			row := rollout.Row{Prompt: draw.Draw(t, "prompt"), FinalText: draw.Draw(t, "final")}
			for _, role := range []string{rollout.RoleSystem, rollout.RoleUser, rollout.RoleAssistant} {
				row.Messages = append(row.Messages, rollout.Message{Role: role, Content: draw.Draw(t, role)})
			}
			row.Touch(rollout.FieldPrompt | rollout.FieldFinalText | rollout.FieldMessages)
			fresh := x.NewChecker(AllParts, rules...)
			want, got := fresh.Row(&row), c.Row(&row)
			if d := cmp.Diff(append([]Found{}, want...), append([]Found{}, got...)); d != "" {
				t.Fatalf("found otherwise (-want +got):\n%s", d)
			}
			if c.Texts() != fresh.Texts() || c.Prompt() != fresh.Prompt() || c.Discounted() != fresh.Discounted() {
				t.Fatalf("%d texts, prompt %v, %d discounted; want %d, %v, %d", c.Texts(), c.Prompt(), c.Discounted(), fresh.Texts(), fresh.Prompt(), fresh.Discounted())
			}
		}
	})
}

// A prompt that all rows of a task have is scanned once.
func BenchmarkSharedPrompt(b *testing.B) {
	x := benchIndex(b, 100_000, 4)
	row := rollout.Row{Prompt: benchText(300, 7)}
	b.Run("shared", func(b *testing.B) {
		c := x.NewChecker(Prompt, Windowed{})
		b.SetBytes(int64(len(row.Prompt)))
		b.ReportAllocs()
		for b.Loop() {
			c.Row(&row)
		}
	})
	b.Run("new", func(b *testing.B) {
		c := x.NewChecker(Prompt, Windowed{})
		other := rollout.Row{Prompt: strings.ToUpper(row.Prompt)}
		b.SetBytes(int64(len(row.Prompt)))
		b.ReportAllocs()
		for b.Loop() {
			c.shared = shared{}
			c.Row(&other)
		}
	})
}
