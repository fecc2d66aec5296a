package writer

import (
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"

	"github.com/rollmill/rollmill/stages/simulate/draw"
	"github.com/rollmill/rollmill/stages/simulate/grid"
	"github.com/rollmill/rollmill/stages/simulate/tools"
	"github.com/rollmill/rollmill/stages/simulate/world"
)

// Writer is the template writer. It is safe for concurrent use.
type Writer struct {
	tools []tools.Tool
	seed  int64
	ids   map[string][]string // of a tool: how messages name its entity
}

// Templates returns a writer for tools.
func Templates(list []tools.Tool, seed int64) *Writer {
	w := &Writer{tools: list, seed: seed, ids: map[string][]string{}}
	for i := range list {
		w.ids[list[i].Name] = idsOf(&list[i])
	}
	return w
}

// Generic reports whether messages about the tools name no entity, since no
// description shows how the ids look. A run says so: its asks are generic.
func (w *Writer) Generic() bool {
	for i := range w.tools {
		if len(w.ids[w.tools[i].Name]) > 1 {
			return false
		}
	}
	return true
}

var shape = regexp.MustCompile(`\b([A-Z]{1,4}[-_]?)([0-9]{3,6})\b`)

// idsPerTool is how many ids of a shape messages choose from.
const idsPerTool = 97

// idsOf returns ids shaped like those that a tool's descriptions show, and
// those themselves first; one that is empty where they show none, since an
// invented id would be a case nobody has.
func idsOf(t *tools.Tool) []string {
	texts := []string{t.Description}
	for _, p := range t.Params() {
		texts = append(texts, p.Description)
		texts = append(texts, p.Enum...)
	}
	var ids []string
	for _, text := range texts {
		if m := shape.FindStringSubmatch(text); m != nil {
			ids = append(ids, m[0])
			least := pow10(len(m[2]) - 1)
			for i := range idsPerTool {
				n := least + int(draw.Hex(m[0]+":"+strconv.Itoa(i), 8))%(9*least)
				ids = append(ids, m[1]+strconv.Itoa(n))
			}
			return unique(ids)
		}
	}
	return []string{""}
}

func pow10(n int) int {
	p := 1
	for range n {
		p *= 10
	}
	return p
}

func unique(list []string) []string {
	seen := map[string]bool{}
	out := list[:0]
	for _, s := range list {
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}

// subject returns the tools that a cell's messages are about.
func (w *Writer) subject(c grid.Cell) (first, other *tools.Tool) {
	if len(w.tools) == 0 {
		return &tools.Tool{}, &tools.Tool{}
	}
	start := int(draw.Hex(c.ID(), 8) % uint64(len(w.tools)))
	first, other = &w.tools[start], &w.tools[(start+1)%len(w.tools)]
	for i := range w.tools {
		if w.tools[i].Name == c[grid.Tool] {
			first = &w.tools[i]
		}
	}
	return first, other
}

func (w *Writer) idsFor(t *tools.Tool) []string {
	if ids := w.ids[t.Name]; ids != nil {
		return ids
	}
	return []string{""}
}

// Messages are the messages for one cell.
type Messages struct {
	cell      grid.Cell
	id        string
	family    string
	slots     []slot
	walk      walk
	do, other intent
	faults    world.Plan
}

// For returns the messages for a cell.
func (w *Writer) For(c grid.Cell) *Messages {
	first, other := w.subject(c)
	m := &Messages{
		cell: c, id: c.ID(), family: family(c), slots: slotsOf(c, w.idsFor(first)),
		do: intentOf(first.Name), other: intentOf(other.Name),
	}
	m.walk = newWalk(size(m.slots), rand.New(rand.NewPCG(draw.Hex(m.id, 16), uint64(w.seed))).Uint64())
	if mode, failing := world.ModeOf(c[grid.Condition]); failing {
		m.faults = world.Plan{{Tool: world.AnyTool, Mode: mode, Rate: 1}}
	}
	return m
}

// Distinct returns how many messages there are, no two of them alike.
func (m *Messages) Distinct() uint64 { return m.walk.n }

// Write returns the i-th message, from 0; ok is false when there are no more.
func (m *Messages) Write(i int) (s Situation, ok bool) {
	if uint64(i) >= m.walk.n {
		return Situation{}, false
	}
	at := m.walk.at(uint64(i))
	d := draft{rule: m.cell[grid.Rule], do: m.do, other: m.other, texture: textureOf(at, m.walk.n)}
	for _, slot := range m.slots {
		d.take(slot, slot.bank[at%uint64(len(slot.bank))])
		at /= uint64(len(slot.bank))
	}
	s = Situation{ID: numbered(m.id, i), Arm: Structured, Family: m.family, Cell: m.cell, Variant: i, Faults: m.faults}
	s.Prompt, s.Labels = d.finish()
	return s, true
}

func family(c grid.Cell) string {
	switch c[grid.Tool] {
	case grid.Unrelated, grid.MultiTool:
		return c[grid.Tool]
	}
	return "tool"
}

// draft is a message that is being put together.
type draft struct {
	parts     []string
	rule      string
	do, other intent
	id        string
	texture   texture
	greeting  string
	closer    string
}

// take puts a choice in its place.
func (d *draft) take(s slot, choice string) {
	switch s.axis {
	case "id":
		d.id = choice
		return
	case "greeting":
		d.greeting = choice
	case "closer":
		d.closer = choice
	}
	if choice != "" {
		d.parts = append(d.parts, choice)
	}
}

// finish returns the message and what it carries beside the cell.
func (d *draft) finish() (string, []Label) {
	text := strings.NewReplacer(
		"{do}", d.do.phrase(d.id), "{other}", d.other.phrase(""), "{rule}", d.rule,
	).Replace(strings.Join(d.parts, " "))
	var labels []Label
	if d.greeting != "" {
		labels = append(labels, Label{"greeting", "true"})
	}
	if strings.Contains(strings.ToLower(d.closer), "thank") {
		labels = append(labels, Label{"tone", "polite"})
	}
	switch d.texture {
	case lowercase:
		if lower := lowered(text, d.id); lower != text {
			text = lower
			labels = append(labels, Label{"texture", string(lowercase)})
		}
	case bareEnd:
		if bare := strings.TrimRight(text, ".?!"); bare != text {
			text = bare
			labels = append(labels, Label{"texture", string(bareEnd)})
		}
	}
	return text, labels
}

// lowered writes all but the id in lower case: a person may be careless with
// words and is not with a number that was copied.
func lowered(text, id string) string {
	if id == "" {
		return strings.ToLower(text)
	}
	parts := strings.Split(text, id)
	for i := range parts {
		parts[i] = strings.ToLower(parts[i])
	}
	return strings.Join(parts, id)
}
