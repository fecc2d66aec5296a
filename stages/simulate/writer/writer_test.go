package writer_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rollmill/rollmill/stages/simulate/grid"
	"github.com/rollmill/rollmill/stages/simulate/tools"
	"github.com/rollmill/rollmill/stages/simulate/world"
	"github.com/rollmill/rollmill/stages/simulate/writer"
)

func orders(t testing.TB, description string) []tools.Tool {
	t.Helper()
	list, err := tools.Parse([]byte(`[
		{"name":"get_order","parameters":{"type":"object","properties":{"order_id":{"type":"string","description":"` + description + `"}}}},
		{"name":"issue_refund","parameters":{"type":"object","properties":{"order_id":{"type":"string"}}}},
		{"name":"listInvoices"}]`))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestNoMessageTwice(t *testing.T) {
	list := orders(t, "such as A1002")
	w := writer.Templates(list, 7)
	cells := grid.Cover(grid.AxesOf(tools.Names(list), "Confirm before refunding. Never share data.", true))
	seen := map[string]string{}
	for _, c := range cells {
		m := w.For(c)
		for v := range 2000 {
			s, ok := m.Write(v)
			if !ok {
				t.Fatalf("%v has no more than %d messages", c, v)
			}
			if before, ok := seen[s.Prompt]; ok {
				t.Errorf("%q is written for %s and for %s", s.Prompt, before, s.ID)
			}
			seen[s.Prompt] = s.ID
		}
	}
	ids := map[string]bool{}
	for _, id := range seen {
		ids[id] = true
	}
	if len(ids) != len(seen) {
		t.Errorf("%d messages have %d ids", len(seen), len(ids))
	}
}

// A cell's messages run out after all of them, and not before.
func TestDistinct(t *testing.T) {
	w := writer.Templates(orders(t, ""), 1)
	c := grid.Cell{grid.Tool: "listInvoices", grid.Rule: grid.Unspecified, grid.Stance: "ordinary", grid.World: "unknown", grid.Condition: "success", grid.History: "fresh"}
	m := w.For(c)
	n := int(m.Distinct())
	seen := map[string]int{}
	for v := range n {
		s, ok := m.Write(v)
		if !ok {
			t.Fatalf("only %d of %d", v, n)
		}
		seen[s.Prompt]++
	}
	if _, ok := m.Write(n); ok {
		t.Errorf("more than %d messages", n)
	}
	if len(seen) != n {
		t.Errorf("%d messages are %d different ones", n, len(seen))
	}
}

func TestWrite(t *testing.T) {
	list := orders(t, "such as A1002")
	w := writer.Templates(list, 0)
	c := grid.Cell{grid.Tool: "get_order", grid.Rule: "Never share data.", grid.Stance: "hurried", grid.World: "entity missing", grid.Condition: "timeout", grid.History: "fresh"}
	for v := range 50 {
		s, _ := w.For(c).Write(v)
		if s.Arm != writer.Structured || s.Family != "tool" || !strings.HasPrefix(s.ID, c.ID()) || s.Cell != c {
			t.Errorf("%+v", s)
		}
		if len(s.Faults) != 1 || s.Faults[0] != (world.Fault{Tool: "*", Mode: world.Timeout, Rate: 1}) {
			t.Errorf("faults %+v", s.Faults)
		}
		lower := strings.ToLower(s.Prompt)
		if !strings.Contains(lower, "check order a") || !strings.Contains(lower, "never share data") || strings.Contains(s.Prompt, "{") {
			t.Errorf("%q", s.Prompt)
		}
		for _, l := range s.Labels {
			if l.Name == "texture" && l.Value == "lowercase" && strings.ContainsAny(strings.ReplaceAll(s.Prompt, "A", ""), "BCDEFGHIJKLMNOPQRSTUVWXYZ") {
				t.Errorf("%q is not in lower case", s.Prompt)
			}
		}
	}
}

// Without an id in the descriptions no message names one.
func TestNoInventedIDs(t *testing.T) {
	list := orders(t, "the order")
	w := writer.Templates(list, 0)
	if !w.Generic() || writer.Templates(orders(t, "as A1002"), 0).Generic() {
		t.Error("generic and not are told apart wrongly")
	}
	for _, c := range grid.Cover(grid.AxesOf(tools.Names(list), "", true)) {
		for v := range 20 {
			if s, _ := w.For(c).Write(v); strings.ContainsAny(s.Prompt, "0123456789") {
				t.Errorf("%q", s.Prompt)
			}
		}
	}
}

func TestPropertyTheSameSeedWritesTheSame(t *testing.T) {
	list := orders(t, "such as A1002")
	cells := grid.Cover(grid.AxesOf(tools.Names(list), "Confirm before refunding.", true))
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Int64().Draw(t, "seed")
		c := rapid.SampledFrom(cells).Draw(t, "cell")
		v := rapid.IntRange(0, 1_000_000).Draw(t, "variant")
		a, oka := writer.Templates(list, seed).For(c).Write(v)
		b, okb := writer.Templates(list, seed).For(c).Write(v)
		if a.Prompt != b.Prompt || a.ID != b.ID || oka != okb {
			t.Fatalf("%+v and %+v", a, b)
		}
	})
}

func TestProbes(t *testing.T) {
	w := writer.Templates(nil, 0)
	families, seen := map[string]bool{}, map[string]bool{}
	n := 0
	for i := range writer.Probes() + 2000 {
		s, ok := w.Probe(i)
		if !ok {
			continue
		}
		n++
		families[s.Family] = true
		seen[s.Prompt] = true
	}
	if len(families) != 11 || n != writer.Probes() || len(seen) != n {
		t.Errorf("%d families, %d probes of %d, %d different", len(families), n, writer.Probes(), len(seen))
	}
}

func BenchmarkWrite(b *testing.B) {
	list := orders(b, "such as A1002")
	w := writer.Templates(list, 0)
	cells := grid.Cover(grid.AxesOf(tools.Names(list), "Confirm before refunding.", true))
	var messages []*writer.Messages
	for _, c := range cells {
		messages = append(messages, w.For(c))
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		messages[i%len(cells)].Write(i / len(cells))
	}
}
