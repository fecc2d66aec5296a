package curate

import (
	"fmt"

	"github.com/rollmill/rollmill/formats/report"
	"github.com/rollmill/rollmill/stages/hackscan"
)

const (
	featuresShown = 10
	evidenceShown = 3 // features, whose pairs are much the same behind the first
	pairsShown    = 2 // of a feature
)

// verdicts say in words what training on the rewards would do.
var verdicts = map[hackscan.Regime]string{
	hackscan.Unknown:       "it cannot be told what the reward pays for",
	hackscan.Degenerate:    "so few different replies that features cannot be told apart",
	hackscan.NoSignal:      "nothing goes with the reward more than chance would",
	hackscan.RewardHack:    "what is paid most is not endorsed, or what is endorsed is punished",
	hackscan.PoolExhausted: "too many tasks are always passed",
	hackscan.Train:         "the reward can be learned",
}

// scanSection is the verdict of the hack scan and the features behind it.
func (r *Result) scanSection(rows bool) report.Section {
	s := report.Section{ID: "scan", Title: "What the reward pays for"}
	c := r.Scan
	if c == nil {
		return s
	}
	figures := report.Figures{{Name: "verdict", Value: string(c.Regime), Number: string(c.Regime), Detail: verdicts[c.Regime]}}
	if c.Tau.Valid {
		figures = append(figures, report.Figure{Name: "floor", Value: fmt.Sprintf("%.3f", c.Tau.V), Number: c.Tau.V,
			Detail: fmt.Sprintf("the correlation that chance reaches, of %d shuffles", c.Shuffles)})
	}
	figures = append(figures, report.Figure{Name: "above the floor", Value: report.Grouped(int64(c.AboveFloor)), Number: c.AboveFloor,
		Detail: fmt.Sprintf("of %s features of %s graded rows of %s %s", report.Grouped(int64(c.FeatureCount)), report.Grouped(int64(c.Graded)), report.Grouped(int64(c.Groups)), r.groups)})
	if c.Integrity.Valid {
		figures = append(figures, report.Figure{Name: "integrity", Value: fmt.Sprintf("%.3f", c.Integrity.V), Number: c.Integrity.V, Detail: "of what is paid, the share that is endorsed"})
	}
	s.Items = append(s.Items, figures)
	t := report.Table{Columns: []report.Column{{Name: "feature"}, {Name: "correlation", Number: true}, {Name: "rows", Number: true}, {Name: ""}}}
	for i, f := range c.Features {
		if i == featuresShown {
			break
		}
		mark := ""
		if f.AboveFloor {
			mark = "above the floor"
		}
		if f.Endorsed {
			mark += " (endorsed)"
		}
		t.Rows = append(t.Rows, []report.Cell{text(f.Name), decimal(f.Rho), integer(int64(f.Obs)), text(mark)})
	}
	if len(t.Rows) > 0 {
		s.Items = append(s.Items, t)
	}
	if rows {
		s.Items = append(s.Items, r.evidence()...)
	}
	if f := findings(c.Warnings); len(f) > 0 {
		s.Items = append(s.Items, f)
	}
	return s
}

// evidence are pairs of rollouts that differ in a feature.
func (r *Result) evidence() (items []report.Item) {
	for i, e := range r.Scan.Evidence {
		if i == evidenceShown {
			break
		}
		if len(e.Pairs) == 0 {
			continue
		}
		x := report.Excerpts{Title: fmt.Sprintf("%s: rollouts of one task with more and with less of it; of %d tasks %d agree, %d do not", e.Feature, e.Tasks, e.Agree, e.Against)}
		for k, p := range e.Pairs {
			if k == pairsShown {
				break
			}
			more, less := r.samples.evidence[placeless(p.More.Pos)], r.samples.evidence[placeless(p.Less.Pos)]
			x.List = append(x.List, report.Excerpt{
				Label: r.place(p.More.Pos) + " and " + r.place(p.Less.Pos), Left: more.reply, Right: less.reply,
				Caption: fmt.Sprintf("%s of it and reward %s; %s of it and reward %s", number(p.More.Value), number(p.More.Reward), number(p.Less.Value), number(p.Less.Reward)),
			})
		}
		items = append(items, x)
	}
	return items
}
