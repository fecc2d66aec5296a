package grid_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/rollmill/rollmill/stages/simulate/grid"
)

func TestRisk(t *testing.T) {
	for _, c := range []struct {
		tool, stance, condition string
		want                    float64
	}{
		{"get_order", "adversarial", "timeout", 0.1},
		{grid.Unrelated, "ordinary", grid.Success, 0.1},
		{"issue_refund", "ordinary", grid.Success, 0.3},
		{"issue_refund", "boundary", grid.Success, 1},
		{"cancel_order", "ordinary", "timeout", 1},
		{"create_order", "adversarial", "timeout", 0.2},
	} {
		cell := grid.Cell{grid.Tool: c.tool, grid.Stance: c.stance, grid.Condition: c.condition}
		if got := grid.Risk(cell); got != c.want {
			t.Errorf("%s, %s, %s: %v, want %v", c.tool, c.stance, c.condition, got, c.want)
		}
	}
}

func TestWeight(t *testing.T) {
	cell := grid.Cell{grid.Tool: "get_order", grid.Condition: grid.Success}
	for _, c := range []struct {
		v      grid.Value
		reward bool
		want   float64
	}{
		{grid.Unmeasured, false, 0.35 + 0.035 + 0.1 + 0.05},
		{grid.Unmeasured, true, 0.25 + 0.025 + 0.075 + 0.175},
		{grid.Value{Count: 1, Behavior: 1}, true, 0.0625 + 0.025 + 0.35},
	} {
		if got := grid.Weight(cell, c.v, c.reward); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%+v: %v, want %v", c.v, got, c.want)
		}
	}
}

// A cell of three times the weight comes first three times as often.
func TestRankFollowsWeights(t *testing.T) {
	ids, weights := []string{"a", "b"}, []float64{3, 1}
	first := 0
	for round := range 4000 {
		if (grid.Draw{Seed: 7, Round: round}).Rank(ids, weights)[0] == 0 {
			first++
		}
	}
	if first < 2900 || first > 3100 { // 3.6 standard deviations
		t.Errorf("%d of 4000 times first, want about 3000", first)
	}
}

func TestMix(t *testing.T) {
	stances := []string{"ordinary", "unsure", "boundary", "adversarial", "hurried", "conflicting"}
	rapid.Check(t, func(t *rapid.T) {
		var cells []grid.Cell
		for _, s := range rapid.SliceOfN(rapid.SampledFrom(stances), 1, 60).Draw(t, "stances") {
			cells = append(cells, grid.Cell{grid.Stance: s})
		}
		ranked := rapid.Permutation(indices(len(cells))).Draw(t, "ranked")
		n := rapid.IntRange(1, 70).Draw(t, "n")
		share := rapid.Float64Range(0, 1).Draw(t, "share")
		got := grid.Mix(cells, ranked, n, share)
		if len(got) != min(n, len(cells)) {
			t.Fatalf("%d picked of %d, want %d", len(got), len(cells), n)
		}
		sorted := slices.Sorted(slices.Values(got))
		if len(slices.Compact(sorted)) != len(got) {
			t.Fatalf("a cell was picked twice: %v", got)
		}
		ordinary, hard := 0, 0
		for _, c := range cells {
			if c.Tier() == grid.Ordinary {
				ordinary++
			} else {
				hard++
			}
		}
		picked := 0
		for _, i := range got {
			if cells[i].Tier() != grid.Ordinary {
				picked++
			}
		}
		want := min(int(math.RoundToEven(float64(len(got))*share)), len(got)-1) // the first is ordinary
		if ordinary >= len(got) && hard >= len(got) && (picked < want || picked > max(want, 3)) {
			t.Fatalf("%d hard ones of %d, want %d", picked, len(got), want)
		}
	})
}

func indices(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}
