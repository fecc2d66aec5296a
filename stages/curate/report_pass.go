package curate

import (
	"fmt"

	"github.com/rollmill/rollmill/formats/report"
	"github.com/rollmill/rollmill/stages/measure"
	"github.com/rollmill/rollmill/stats"
)

// passSection is pass@k of all rows.
func (r *Result) passSection() report.Section {
	s := report.Section{ID: "pass", Title: "How often rollouts pass"}
	if len(r.Pass) == 0 {
		return s
	}
	first := r.Pass[0]
	c := first.Coverage
	t := report.Table{Columns: []report.Column{{Name: "figure"}, {Name: "value", Number: true}, {Name: "tasks", Number: true}}}
	add := func(name string, x stats.Null[float64], iv, bound stats.Null[stats.Interval], tasks int) {
		if bound.Valid {
			iv = bound // all tasks alike, where a bootstrap sees no spread: Wilson
		}
		t.Rows = append(t.Rows, []report.Cell{text(name), estimate(x, iv), integer(int64(tasks))})
	}
	add("pass@1", first.PassAt1, first.CI95, measure.BoundsOf(first).PassAt1, first.Groups)
	for _, p := range r.Pass {
		if p.K == 1 {
			continue
		}
		at := measure.BoundsOf(p)
		add(fmt.Sprintf("pass^%d", p.K), p.PassPowK, p.PassPowKCI95, at.PassPowK, p.GroupsAtK)
		add(fmt.Sprintf("pass@%d", p.K), p.PassAtK, p.PassAtKCI95, at.PassAtK, p.GroupsAtK)
		if p.Headroom.Valid {
			t.Rows = append(t.Rows, []report.Cell{text(fmt.Sprintf("headroom at %d", p.K)), {Text: fmt.Sprintf("%+.3f", p.Headroom.V), Number: p.Headroom.V}, integer(int64(p.GroupsAtK))})
		}
	}
	s.Items = append(s.Items, t)
	s.Notes = append(s.Notes, fmt.Sprintf("%s rollouts of %s tasks: scored %s, unscored %s, invalid %s. Rows that nobody scored are in no figure.",
		report.Grouped(int64(c.Scored+c.Unscored+c.Invalid)), report.Grouped(int64(c.Tasks)), report.Grouped(int64(c.Scored)), report.Grouped(int64(c.Unscored)), report.Grouped(int64(c.Invalid))),
		fmt.Sprintf("%g %% intervals over tasks: bootstrap of %s draws, seed %d; where all tasks are alike, Wilson.",
			100*first.Resampling.Level, report.Grouped(int64(first.Resampling.Draws)), first.Resampling.Seed))
	all := [][]stats.Finding{r.Measured}
	for _, p := range r.Pass {
		all = append(all, p.Findings)
	}
	if f := findings(all...); len(f) > 0 {
		s.Items = append(s.Items, f)
	}
	return s
}
