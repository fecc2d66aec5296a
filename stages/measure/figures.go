package measure

import (
	"cmp"
	"maps"
	"slices"

	"github.com/rollmill/rollmill/stats"
)

// Result is what an [Accumulator] has counted: the figures of all rows, and of
// their slices.
type Result struct {
	Figures                  // of all rows
	Config   stats.RunConfig // what all rows agree on
	Slices   []Slices        // by each field of Options.By, in its order
	RunField string          // the name of Options.Run, "" for none
	Runs     []stats.Part    // by it, as first seen
	NoRun    int             // rows that name no run

	crowdedRuns bool
}

// Slices are the figures by the values of a field.
type Slices struct {
	Field   string
	Parts   []Figures // as first seen
	Unsaid  int       // rows without the field, which are in none
	Crowded bool      // there are more than MaxParts values, and no parts
}

// Result returns the figures of what was counted so far. They read the
// accumulator and are good until it counts more.
func (a *Accumulator) Result() *Result {
	r := &Result{Figures: Figures{counts: a.all}, Config: a.config.result()}
	for _, p := range a.by {
		if len(p.byLabel) > 0 || p.crowded || !p.field.maybe {
			r.Slices = append(r.Slices, p.slices())
		}
	}
	if a.runs != nil {
		r.RunField, r.NoRun = a.runs.field.Name(), a.runs.unsaid
		runs := a.runs.slices()
		for i := range runs.Parts {
			r.Runs = append(r.Runs, runs.Parts[i].Part())
		}
		r.crowdedRuns = runs.Crowded
	}
	return r
}

func (p *parts) slices() Slices {
	s := Slices{Field: p.field.Name(), Unsaid: p.unsaid, Crowded: p.crowded}
	for _, label := range p.labels() {
		s.Parts = append(s.Parts, Figures{Label: label, counts: p.byLabel[label].counts})
	}
	return s
}

// Figures are what was counted of a set of rows, ready for package stats.
type Figures struct {
	Label  string // of a slice or a run
	counts *counts
}

// Rows is the number of rows.
func (f *Figures) Rows() int { return f.counts.rows }

// Tasks are the tasks as pass@k reads them: those with a verdict in the order in
// which it was first seen, then the others. Keys are empty unless Options.Keys.
// A verdict that a judge overwrote with none counts here (reader B of the spec
// of statistics, section 1.2).
func (f *Figures) Tasks() []stats.Task {
	c := f.counts
	rates := make([]rate, c.tasks.hashes.n)
	for i := range rates {
		rates[i] = *c.rates.at(uint32(i))
		if i < c.priors.n {
			rates[i].add(c.priors.at(uint32(i)))
		}
	}
	tasks := make([]stats.Task, 0, len(rates))
	for _, i := range c.order(len(rates), func(i uint32) (bool, position) { return rates[i].n > 0, rates[i].first }) {
		r := &rates[i]
		tasks = append(tasks, stats.Task{
			Key: c.tasks.key(i), Passes: int(r.passes), N: int(r.n), Unscored: int(r.unscored), Invalid: int(r.invalid),
		})
	}
	return tasks
}

// Rate is the pass rate as a metric: of the rewards themselves (reader A), over
// the tasks that have one, in the order in which it was first seen.
func (f *Figures) Rate() stats.Metric {
	c := f.counts
	m := stats.Metric{Name: stats.MetricPassAt1}
	for _, i := range c.order(c.rates.n, func(i uint32) (bool, position) { return c.rates.at(i).n > 0, c.rates.at(i).first }) {
		r := c.rates.at(i)
		if r.n == 0 {
			break // those with none come last
		}
		m.Tasks = append(m.Tasks, stats.TaskMean{Key: c.tasks.key(i), Mean: float64(r.passes) / float64(r.n), N: int(r.n)})
		m.Rows += int(r.n)
		m.AtOne += int(r.passes)
	}
	m.AtZero = m.Rows - m.AtOne
	m.Constant = m.Rows > 0 && (m.AtOne == 0 || m.AtZero == 0)
	return m
}

// Markers are the side measurements as metrics, named marker:NAME and sorted by
// name. There are none when rows carry more than [MaxMarkers] names.
func (f *Figures) Markers() []stats.Metric {
	if f.counts.crowded {
		return nil
	}
	var all []stats.Metric
	for _, name := range slices.Sorted(maps.Keys(f.counts.markers)) {
		all = append(all, f.counts.metric(name))
	}
	return all
}

func (c *counts) metric(name string) stats.Metric {
	k := c.markers[name]
	m := stats.Metric{Name: markerName(name), Rows: k.rows, AtOne: k.atOne, AtZero: k.atZero, Constant: k.rows > 0 && !k.varies}
	for _, i := range c.order(k.sums.n, func(i uint32) (bool, position) { return k.sums.at(i).n > 0, k.sums.at(i).first }) {
		s := k.sums.at(i)
		if s.n == 0 {
			break
		}
		m.Tasks = append(m.Tasks, stats.TaskMean{Key: c.tasks.key(i), Mean: k.mean(i), N: int(s.n)})
	}
	return m
}

// markerName is the name of a marker as a metric.
func markerName(name string) string { return "marker:" + name }

// Metrics are the pass rate and the markers.
func (f *Figures) Metrics() []stats.Metric {
	return append([]stats.Metric{f.Rate()}, f.Markers()...)
}

// Part is the metrics under the label.
func (f *Figures) Part() stats.Part { return stats.Part{Label: f.Label, Metrics: f.Metrics()} }

// order lists the numbers of tasks: those in first, by where they were first
// seen. Tasks of the same place, which only rows made by hand have, are told
// apart by their hashes.
func (c *counts) order(n int, of func(uint32) (in bool, first position)) []uint32 {
	list := make([]uint32, n)
	for i := range list {
		list[i] = uint32(i)
	}
	compare := func(a, b uint32) int {
		inA, firstA := of(a)
		inB, firstB := of(b)
		if inA != inB {
			if inA {
				return -1
			}
			return 1
		}
		if order := firstA.compare(firstB); order != 0 {
			return order
		}
		x, y := c.tasks.hashes.at(a), c.tasks.hashes.at(b)
		return cmp.Or(cmp.Compare(x.Hi, y.Hi), cmp.Compare(x.Lo, y.Lo))
	}
	if !slices.IsSortedFunc(list, compare) {
		slices.SortFunc(list, compare)
	}
	return list
}
