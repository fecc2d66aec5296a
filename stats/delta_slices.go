package stats

import (
	"cmp"
	"math"
	"slices"
)

// weakSliceScore is the rate under which a slice is still low.
const weakSliceScore = 0.5

// GroupDelta is the headline metric on one slice of the tasks.
type GroupDelta struct {
	Name string `json:"name"`
	MetricDelta
	RowsBefore int      `json:"n_rows_before"`
	RowsAfter  int      `json:"n_rows_after"`
	LowN       bool     `json:"low_n"`        // too few pairs for any verdict at this level
	Weak       []string `json:"weak_reasons"` // low, no_gain
}

// SliceMinTasks is the fewest pairs that can reach significance at alpha by
// signs alone: max(2, ceil(log2(2/alpha))).
func SliceMinTasks(alpha float64) int {
	return max(2, int(math.Ceil(math.Log2(2/alpha))))
}

// slice compares the headline metric within each slice that both sides have.
func (d *delta) slice() {
	r := d.r
	r.SliceMinTasks = SliceMinTasks(d.o.Alpha)
	before, after, source := d.slicing()
	if source == "" {
		return
	}
	r.By, r.BySource = Of(before.Field), Of(source)
	for i, name := range commonLabels(before.Parts, after.Parts) {
		a := find(partOf(before.Parts, name), d.headline.Metric)
		b := find(partOf(after.Parts, name), d.headline.Metric)
		g := GroupDelta{Name: name, RowsBefore: a.Rows, RowsAfter: b.Rows, Weak: []string{}}
		g.Comparison = d.compare(a, b, d.o.Seed+100+int64(i))
		g.LowerIsBetter = d.headline.LowerIsBetter
		g.GainVerdict = g.Verdict
		if g.LowerIsBetter {
			switch g.Verdict {
			case BBetter:
				g.GainVerdict = ABetter
			case ABetter:
				g.GainVerdict = BBetter
			}
		}
		g.LowN = g.NPaired < r.SliceMinTasks
		g.judge()
		r.Groups = append(r.Groups, g)
	}
	slices.SortStableFunc(r.Groups, compareGroups)
	for _, g := range r.Groups {
		if g.GainVerdict == ABetter {
			r.GroupsDown = append(r.GroupsDown, g.Name)
		}
		if len(g.Weak) > 0 {
			r.GroupsWeak = append(r.GroupsWeak, g.Name)
		}
	}
}

// judge says why a slice is weak.
func (g *GroupDelta) judge() {
	isRate := !g.LowerIsBetter && g.MeanA.Valid && g.MeanB.Valid &&
		min(g.MeanA.V, g.MeanB.V) >= 0 && max(g.MeanA.V, g.MeanB.V) <= 1
	if isRate && g.MeanB.V < weakSliceScore {
		g.Weak = append(g.Weak, "low")
	}
	if g.GainVerdict != BBetter && !(g.MeanB.Valid && g.MeanB.V >= DefaultCeiling) && !g.LowN {
		g.Weak = append(g.Weak, "no_gain")
	}
}

// compareGroups orders weak slices first, then by what they reached, what they
// gained, and name; those without a delta come last.
func compareGroups(x, y GroupDelta) int {
	rank := func(g GroupDelta) int {
		switch {
		case !g.Delta.Valid:
			return 2
		case len(g.Weak) > 0:
			return 0
		}
		return 1
	}
	reached := func(g GroupDelta) float64 {
		if g.LowerIsBetter {
			return -g.MeanB.V
		}
		return g.MeanB.V
	}
	return cmp.Or(
		cmp.Compare(rank(x), rank(y)),
		cmp.Compare(reached(x), reached(y)),
		cmp.Compare(x.gain().V, y.gain().V),
		cmp.Compare(x.Name, y.Name),
	)
}

// slicing picks the field to slice by: the one asked for, else the first of
// category and slice of which two values are on both sides.
func (d *delta) slicing() (before, after Slicing, source string) {
	if d.o.NoSlice {
		return before, after, ""
	}
	fields, source, need := []string{d.o.By}, "given", 1
	if d.o.By == "" {
		fields, source, need = []string{"category", "slice"}, "auto", 2
	}
	for _, field := range fields {
		isField := func(s Slicing) bool { return s.Field == field }
		i, j := slices.IndexFunc(d.before.Slices, isField), slices.IndexFunc(d.after.Slices, isField)
		if i < 0 || j < 0 {
			continue
		}
		before, after = d.before.Slices[i], d.after.Slices[j]
		if len(commonLabels(before.Parts, after.Parts)) >= need {
			return before, after, source
		}
	}
	return before, after, ""
}

func commonLabels(a, b []Part) []string {
	var out []string
	for _, p := range a {
		if slices.ContainsFunc(b, func(q Part) bool { return q.Label == p.Label }) {
			out = append(out, p.Label)
		}
	}
	slices.Sort(out)
	return out
}

func partOf(parts []Part, label string) []Metric {
	for _, p := range parts {
		if p.Label == label {
			return p.Metrics
		}
	}
	return nil
}
