package world

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rollmill/rollmill/stages/simulate/tools"
)

// Options say how a world behaves. The zero value of each field but Seed stands
// for the default, which is a convention of the reference implementation.
type Options struct {
	Seed        int64
	ExistsShare float64 // share of unknown ids that exist; 0.7
	StaleAsOf   string  // how old a stale answer says it is; "3 days ago"
	Hits        int     // how many results a search returns at most; 6
}

func (o Options) withDefaults() Options {
	if o.ExistsShare == 0 {
		o.ExistsShare = 0.7
	}
	if o.StaleAsOf == "" {
		o.StaleAsOf = "3 days ago"
	}
	if o.Hits == 0 {
		o.Hits = 6
	}
	return o
}

// entry is what a world knows of a tool.
type entry struct {
	tool       *tools.Tool
	kind       kind
	verb       verb
	several    bool
	calculates bool
	stem       string   // of the ids of what it creates
	hints      []string // fields of its records, beyond those that all have
}

// Catalog is what all worlds of a simulation share: the tools and how results
// look. It is safe for concurrent use.
type Catalog struct {
	options Options
	entries []entry
	exists  string // head of the text that decides whether an id exists
}

// NewCatalog returns a catalog of tools.
func NewCatalog(list []tools.Tool, o Options) *Catalog {
	c := &Catalog{options: o.withDefaults()}
	c.exists = "exists:" + strconv.FormatInt(o.Seed, 10) + ":"
	for i := range list {
		t := &list[i]
		words := Words(t.Name)
		e := entry{tool: t, kind: kindOf(t), verb: verbOf(t.Name), several: several(t.Name), stem: "item"}
		if len(words) > 0 {
			e.stem = strings.TrimSuffix(words[len(words)-1], "s")
			e.calculates = slices.ContainsFunc([]string{"calc", "comput", "eval", "math"}, func(p string) bool { return strings.HasPrefix(words[0], p) })
		}
		e.hints = hintsOf(t)
		c.entries = append(c.entries, e)
	}
	return c
}

func (c *Catalog) find(tool string) *entry {
	for i := range c.entries {
		if c.entries[i].tool.Name == tool {
			return &c.entries[i]
		}
	}
	return nil
}

// hintsOf returns the fields that a tool's name and parameters suggest for its
// records.
func hintsOf(t *tools.Tool) []string {
	words := Words(t.Name)
	for _, p := range t.Params() {
		words = append(words, Words(p.Name)...)
	}
	var out []string
	for _, h := range []struct {
		field string
		words []string
	}{
		{"quantity", []string{"quantity", "count", "stock", "inventory", "items"}},
		{"amount", []string{"amount", "price", "order", "orders", "invoice", "payment", "refund", "total"}},
		{"date", []string{"date", "day", "booking", "event", "schedule", "delivery", "calendar"}},
		{"owner", []string{"owner", "user", "customer", "account", "assignee", "ticket"}},
	} {
		if slices.ContainsFunc(words, func(w string) bool { return slices.Contains(h.words, w) }) {
			out = append(out, h.field)
		}
	}
	return out
}
