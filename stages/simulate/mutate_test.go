package simulate

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestSentences(t *testing.T) {
	for text, want := range map[string][]string{
		"Hi. Cancel order A1, please! Now?": {"Hi.", "Cancel order A1, please!", "Now?"},
		"it costs 3.50 euros":               {"it costs 3.50 euros"},
		"It costs 3.50. Really":             {"It costs 3.50.", "Really"},
		"What...? Yes.":                     {"What...?", "Yes."},
		"":                                  nil,
	} {
		if got := sentencesOf(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// A message that is told otherwise is another one, and none that is known.
func TestMutated(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		prompt := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"Hi.", "Cancel order A1002.", "My list no longer shows it.", "Thanks!", "why?"}), 1, 6).Draw(t, "sentences"), " ")
		known := map[string]bool{}
		for round := range 20 {
			told, ok := mutated(prompt, round, func(p string) bool { return known[p] })
			if !ok {
				break
			}
			if told == prompt || known[told] || len(told) < shortestMutation {
				t.Fatalf("%q became %q", prompt, told)
			}
			known[told] = true
		}
		if len(known) < 3 {
			t.Fatalf("%q was told in %d ways", prompt, len(known))
		}
	})
}

func TestIsMarkup(t *testing.T) {
	for text, want := range map[string]bool{
		"It is done.":                                    false,
		"Use a < b and c > d.":                           false,
		"<tool_call>{}</tool_call>":                      true,
		"so: <function=get_order>":                       true,
		`{"name":"a","description":"b","parameters":{}}`: true,
		`"name" ` + strings.Repeat("x", 600) + ` "description" "parameters"`: false,
	} {
		if isMarkup(text) != want {
			t.Errorf("%.60q: %v", text, !want)
		}
	}
}

func TestIsPreamble(t *testing.T) {
	for text, want := range map[string]bool{
		"Sure, let me look.": true, "OK": true, "Let me check that for you.": true, "I'll look it up now.": true,
		"Okra is a vegetable.": false, "Sure, but which order do you mean?": false, "The order was shipped.": false,
		"Sure, " + strings.Repeat("word ", 30): false,
	} {
		if isPreamble(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}

func TestHazard(t *testing.T) {
	h := hazard{probe: 2}
	if h.goesOn(2) {
		t.Error("nothing is known, and a fresh group splits in a quarter of its rollouts")
	}
	h.probed, h.mixed = 20, 0 // fresh groups give nothing
	if !h.goesOn(2) {
		t.Error("a group that agrees is left for fresh ones, none of which differ")
	}
	for range 10 {
		h.note(2, false)
	}
	if h.goesOn(2) { // 0.25 of 11, against 1 of 22, halved
		t.Error("ten groups that agreed went on agreeing")
	}
	for range 5 {
		h.note(2, true)
	}
	if !h.goesOn(2) {
		t.Error("a third of the groups that agreed split at the next rollout")
	}
}
