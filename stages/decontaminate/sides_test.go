package decontaminate

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rollmill/rollmill/formats/rollout"
)

func rowOf(t *testing.T, record string) *rollout.Row {
	t.Helper()
	var row rollout.Row
	if err := rollout.NewDecoder(AllParts.Fields()).Decode([]byte(record), &row); err != nil {
		t.Fatal(err)
	}
	return &row
}

// A leak is found wherever the record of a trainer has it.
func TestLeaksInRecordsOfTrainers(t *testing.T) {
	const leak = "A ferry carries 48 passengers and 12 cars on each of its 5 trips a day. How many passengers does it carry in a week?"
	x := build(t, Config{N: []int{4}, Words: Unicode}, textSet("e", leak))
	c := x.NewChecker(AllParts, Windowed{})
	for record, want := range map[string]string{
		`{"prompt":[{"role":"user","content":"LEAK"}],"completion":[{"role":"assistant","content":"a"}]}`:                             "prompt",
		`{"prompt":[{"role":"system","content":"LEAK"},{"role":"user","content":"q"}]}`:                                               "messages.0 (system)",
		`{"prompt":"q","completion":"LEAK"}`:                                                                                          "final_text",
		`{"prompt":"q","chosen":"LEAK","rejected":"b"}`:                                                                               "final_text",
		`{"prompt":"q","chosen":"a","rejected":"LEAK"}`:                                                                               "rejected.0 (assistant)",
		`{"chosen":[{"role":"user","content":"q"}],"rejected":[{"role":"user","content":"q"},{"role":"assistant","content":"LEAK"}]}`: "rejected.1 (assistant)",
		`{"chosen":[{"role":"user","content":"LEAK"}],"rejected":[{"role":"user","content":"LEAK"}]}`:                                 "prompt",
		`{"prompt":"q","rejected":[{"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":"LEAK"}}]}]}`:                "rejected.0.tool_calls.0",
		`{"conversations":[{"from":"human","value":"LEAK"}]}`:                                                                         "prompt",
		`{"conversations":[{"from":"human","value":"q"},{"from":"gpt","value":"a"},{"from":"human","value":"LEAK"}]}`:                 "messages.2 (user)",
		`{"conversations":[{"from":"human","value":"q"}],"rejected":{"from":"gpt","value":"LEAK"}}`:                                   "rejected.0 (assistant)",
		`{"prompt":"q","final_text":"f","completion":"LEAK"}`:                                                                         "completion.0 (assistant)",
		`{"messages":[{"role":"user","content":"q"}],"conversations":[{"from":"gpt","value":"LEAK"}]}`:                                "conversations.0 (assistant)",
		`{"prompt":"q","chosen":"a","rejected":"b"}`:                                                                                  "",
	} {
		row := rowOf(t, strings.ReplaceAll(record, "LEAK", leak))
		found := c.Row(row)
		got := ""
		if len(found) > 0 {
			got = found[0].Place.String()
			if text := found[0].Place.textOf(row); !strings.Contains(text, leak) {
				t.Errorf("%s: the text at %s is %q", record, got, text)
			}
		}
		if got != want || len(found) > 1 {
			t.Errorf("%s: %d matches, first in %q, want %q", record, len(found), got, want)
		}
	}
}

// What no part compares is counted and said.
func TestWhatIsNotComparedIsSaid(t *testing.T) {
	x := build(t, Config{N: []int{4}, Words: Unicode}, textSet("e", "one two three four five six seven eight"))
	o := Options{Rules: []Rule{Windowed{}}, Parts: AllParts}
	rows := []string{
		`{"input":"these are words that nobody compares","n":5}`,
		`{"prompt":"Some question or other?","output":"these are words that nobody compares","id":"a b"}`,
		`{"prompt":"Some question or other?","turns":[{"who":"me","what":"these are words that nobody compares"}]}`,
		`{"question":"Some question or other?","choices":["a","b","c d"]}`,
		`{"prompt":"q","chosen":"these are words that are compared","rejected":"these are words that are, too"}`,
		`{"prompt":"q","final_text":"a","steps":[{"text":"these are words that are compared"}]}`,
		`{"prompt":[{"role":"user","content":"these are words that are compared"}]}`,
		`{}`,
	}
	report := func(rows []string, parts int) *Report {
		tally := NewTally(x, o)
		for p := range parts {
			part, c := NewTally(x, o), o.settle().Checker(x)
			for i := p; i < len(rows); i += parts {
				row := rowOf(t, rows[i])
				part.Add(row, c, c.Row(row))
			}
			tally.Merge(part)
		}
		return tally.Report()
	}
	for parts := 1; parts <= 3; parts++ {
		r := report(rows, parts)
		want := []NameCount{{"input", 1}, {"output", 1}, {"turns", 1}}
		if r.Blank != 2 || !slices.Equal(r.Beside, want) {
			t.Errorf("%d rows without text, not compared %v, want 2, %v", r.Blank, r.Beside, want)
		}
	}
	var notes []string
	for _, n := range report(rows, 1).Notes {
		notes = append(notes, n.Code+": "+n.Text)
	}
	for _, want := range []string{
		"rows_without_text: 2 of 8 rows have no text that was compared: they are not cleared (say with --map where their texts stand)",
		`members_not_compared: texts of other members were not compared: "input" in 1 rows, "output" in 1 rows, "turns" in 1 rows`,
	} {
		if !slices.Contains(notes, want) {
			t.Errorf("no note %q among\n%s", want, strings.Join(notes, "\n"))
		}
	}
	if r := report(rows[4:7], 1); r.Blank != 0 || len(r.Beside) != 0 {
		t.Errorf("%d rows without text, not compared %v", r.Blank, r.Beside)
	}
	// However many names there are, those that are kept are counted whole.
	many := make([]string, 0, 400)
	for i := range 400 {
		many = append(many, fmt.Sprintf(`{"m%03d":"these are words that nobody compares"}`, (i*7)%200))
	}
	for parts := 1; parts <= 3; parts++ {
		r := report(many, parts)
		if len(r.Beside) != maxBeside || r.Beside[0] != (NameCount{"m000", 2}) || r.Beside[maxBeside-1] != (NameCount{"m063", 2}) {
			t.Errorf("%d members, from %v on", len(r.Beside), r.Beside[0])
		}
	}
}
