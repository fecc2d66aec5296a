package decontaminate

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

// A tally that is saved and restored goes on as if nothing had been: parts that are
// restored and merged give the report of the whole.
func TestSavedTally(t *testing.T) {
	sets := sampleSets(300)
	x := build(t, Config{N: []int{4, 8}, Words: Unicode}, sets...)
	o := Options{Rules: []Rule{Windowed{}, Any(8)}, Boilerplate: x.Boilerplate(30)}
	rows := func() []rollout.Row {
		list := streamRows(sets[1], 120)
		list[7].Extra = append(list[7].Extra, rollout.Member{Name: "story", JSON: `"` + benchText(40, 1) + `"`})
		list[50] = rollout.Row{Pos: list[50].Pos} // without a text
		return list
	}
	whole := NewTally(x, o)
	parts := []*Tally{NewTally(x, o), NewTally(x, o), NewTally(x, o)}
	for _, stage := range []stream.Stage[rollout.Row, rollout.Row]{
		Stage(x, o, 2, whole),
		StageEach(x, o, 2, func(seq uint64) *Tally { return parts[seq/4] }),
	} {
		if _, _, err := stream.Collect(context.Background(), stream.Through(stream.FromSlice(rows(), stream.Items(10)), stage)); err != nil {
			t.Fatal(err)
		}
	}
	merged := NewTally(x, o)
	for _, p := range parts {
		if p.rows != 40 {
			t.Fatalf("a part has %d rows, want 40", p.rows)
		}
		text, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		again := NewTally(x, o)
		again.Add(&streamRows(sets[1], 1)[0], o.Checker(x), nil) // is forgotten
		if err := json.Unmarshal(text, again); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(p.Report(), again.Report()); diff != "" {
			t.Errorf("saved and restored: %s", diff)
		}
		merged.Merge(again)
	}
	if diff := cmp.Diff(whole.Report(), merged.Report()); diff != "" || whole.flagged == 0 {
		t.Errorf("%d flagged, merged: %s", whole.flagged, diff)
	}

	text, err := json.Marshal(whole)
	if err != nil {
		t.Fatal(err)
	}
	other := NewTally(build(t, Config{N: []int{4, 8}, Words: Unicode}, sets[1]), o)
	if err := json.Unmarshal(text, other); !errors.Is(err, ErrSaved) {
		t.Errorf("of another index: %v", err)
	}
}
