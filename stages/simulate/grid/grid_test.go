package grid_test

import (
	"fmt"
	"maps"
	"testing"

	"pgregory.net/rapid"

	"github.com/rollmill/rollmill/stages/simulate/grid"
)

func axes(tools, rules int) grid.Axes {
	names := make([]string, tools)
	for i := range names {
		names[i] = fmt.Sprintf("tool_%d", i)
	}
	a := grid.AxesOf(names, "", true)
	if rules > 0 {
		a[grid.Rule] = nil
	}
	for i := range rules {
		a[grid.Rule] = append(a[grid.Rule], fmt.Sprintf("rule number %d", i))
	}
	return a
}

// The sizes of the spec of simulation, section 7.3.
func TestCoverSizes(t *testing.T) {
	for _, c := range []struct{ tools, rules, want int }{
		{1, 0, 62}, {1, 1, 72}, {1, 4, 102}, {1, 16, 222},
		{3, 0, 64}, {3, 4, 104}, {3, 16, 224},
		{10, 0, 120}, {10, 4, 168}, {10, 16, 312},
	} {
		if got := len(grid.Cover(axes(c.tools, c.rules))); got != c.want {
			t.Errorf("%d tools, %d rules: %d cells, want %d", c.tools, c.rules, got, c.want)
		}
	}
}

// The documented example: one tool and a policy of one clause.
func example() []grid.Cell {
	return grid.Cover(grid.AxesOf([]string{"get_order"}, "Help customers with orders.", true))
}

func TestCoverExample(t *testing.T) {
	cells := example()
	if len(cells) != 72 || grid.Planned(cells) != 381 {
		t.Errorf("%d cells and %d pairs, want 72 and 381", len(cells), grid.Planned(cells))
	}
	want := grid.Cell{
		grid.Tool: "get_order", grid.Rule: "unspecified", grid.Stance: "adversarial",
		grid.World: "entity exists", grid.Condition: "success", grid.History: "contradicts_earlier",
	}
	if cells[0] != want || cells[0].ID() != "sc-896494de2f" {
		t.Errorf("the first cell is %v, %s", cells[0], cells[0].ID())
	}
	conditions := func(cells []grid.Cell) map[string]int {
		n := map[string]int{}
		for _, c := range cells {
			n[c[grid.Condition]]++
		}
		return n
	}
	before := map[string]int{}
	for _, n := range conditions(cells) {
		before[fmt.Sprint(n)]++
	}
	if !maps.Equal(before, map[string]int{"19": 1, "14": 2, "13": 1, "12": 1}) {
		t.Errorf("conditions %v", conditions(cells))
	}
	flipped := grid.Flip(cells)
	after := map[string]int{"success": 68, "timeout": 1, "malformed_result": 1, "stale_result": 1, "permission_denied": 1}
	if !maps.Equal(conditions(flipped), after) || grid.Planned(flipped) != 297 {
		t.Errorf("flipped: %v, %d pairs", conditions(flipped), grid.Planned(flipped))
	}
}

func TestPropertyCoverHoldsEveryPair(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var a grid.Axes
		for i := range a {
			for j := range rapid.IntRange(1, 5).Draw(t, "size") {
				a[i] = append(a[i], fmt.Sprintf("%c%d", 'a'+i, j))
			}
		}
		want := 0
		for i := range a {
			for j := range i {
				want += len(a[i]) * len(a[j])
			}
		}
		cells := grid.Cover(a)
		var c grid.Coverage
		ruled := 0
		for _, cell := range cells {
			if cell[grid.Rule] != grid.Unspecified {
				ruled++
			}
			c.Add(cell)
		}
		// The rule-free block adds the pairs of each value with no rule.
		for i := range a {
			if grid.Axis(i) != grid.Rule {
				want += len(a[i])
			}
		}
		if c.Pairs() != want {
			t.Fatalf("%d pairs, want %d", c.Pairs(), want)
		}
	})
}

func TestPropertyARuleChangesItsBlockAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := axes(rapid.IntRange(1, 4).Draw(t, "tools"), rapid.IntRange(2, 6).Draw(t, "rules"))
		before := grid.Cover(a)
		edited := rapid.IntRange(0, len(a[grid.Rule])-1).Draw(t, "edited")
		old := a[grid.Rule][edited]
		a[grid.Rule] = append([]string{}, a[grid.Rule]...)
		a[grid.Rule][edited] = "another rule"
		after := grid.Cover(a)
		if len(before) != len(after) {
			t.Fatalf("%d cells became %d", len(before), len(after))
		}
		for i := range before {
			if before[i][grid.Rule] != old && before[i] != after[i] {
				t.Fatalf("cell %d of another rule changed: %v, %v", i, before[i], after[i])
			}
		}
	})
}

func TestClauses(t *testing.T) {
	for _, c := range []struct {
		name, policy string
		want         []string
	}{
		{"empty", "", nil},
		{"one sentence", "Help customers with orders.", []string{"Help customers with orders."}},
		{"an identity is no rule", "You are a clerk. Refund only with a receipt.", []string{"Refund only with a receipt."}},
		{"an identity alone", "You are a clerk of a small shop.", nil},
		{"sentences", "Confirm first. Then refund the order. Never share data.",
			[]string{"Confirm first.", "Then refund the order.", "Never share data."}},
		{"a short sentence keeps its neighbour", "Be kind. Refund only with a receipt. No.",
			[]string{"Be kind. Refund only with a receipt. No."}},
		{"items", "Rules:\n1. Confirm before refunding\n2. Never share data\n- Escalate complaints",
			[]string{"Confirm before refunding", "Never share data", "Escalate complaints"}},
		{"semicolons", "Confirm before refunding; never share data", []string{"Confirm before refunding", "never share data"}},
		{"blank lines", "Confirm before\nrefunding\n\nNever share data", []string{"Confirm before refunding", "Never share data"}},
		{"repetition", "Never share data\n\nnever share DATA", []string{"Never share data"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := grid.Clauses(c.policy); fmt.Sprintf("%q", got) != fmt.Sprintf("%q", c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
