package curate

import (
	"fmt"

	"github.com/rollmill/rollmill/formats/report"
	"github.com/rollmill/rollmill/stages/selection"
)

// selectionSection is what the selection found.
func (r *Result) selectionSection() report.Section {
	s := report.Section{ID: "selection", Title: "Selection for " + string(r.Selection.Mode)}
	switch {
	case r.Selection.RL != nil:
		rl := r.Selection.RL
		if rl.Before != (selection.Histogram{}) {
			s.Items = append(s.Items, passRates("Tasks by pass rate, as they came in", &rl.Before, rl.Band))
		}
		if rl.Selected > 0 {
			s.Items = append(s.Items, passRates("Tasks by pass rate, selected", &rl.After, rl.Band), report.Figures{
				{Name: "rows", Value: report.Grouped(int64(rl.Selected)), Number: rl.Selected, Detail: fmt.Sprintf("of %s tasks", report.Grouped(int64(rl.Tasks)))},
				{Name: "tasks with both verdicts", Value: report.Grouped(int64(rl.Signal.Mixed)), Number: rl.Signal.Mixed, Detail: fmt.Sprintf("of %s selected ones", report.Grouped(int64(rl.Signal.Tasks)))},
			})
		}
		if f := findings(rl.Findings, r.Selection.Findings); len(f) > 0 {
			s.Items = append(s.Items, f)
		}
	case r.Selection.SFT != nil:
		sft := r.Selection.SFT
		s.Items = append(s.Items, report.Figures{
			{Name: "rows", Value: report.Grouped(int64(sft.Selected)), Number: sft.Selected, Detail: fmt.Sprintf("by %s of %s that are eligible", sft.Rule, report.Grouped(int64(sft.Eligible)))},
			{Name: "behaviours", Value: report.Grouped(int64(sft.BehaviorsCovered)), Number: sft.BehaviorsCovered, Detail: fmt.Sprintf("of %s", report.Grouped(int64(sft.UniqueBehaviors)))},
		})
		if f := findings(sft.Findings, r.Selection.Findings); len(f) > 0 {
			s.Items = append(s.Items, f)
		}
	case r.Selection.Pairs != nil:
		s.Items = append(s.Items, report.Figures{{Name: "pairs", Value: report.Grouped(r.Counts.Kept / 2), Number: r.Counts.Kept / 2}})
		if f := findings(r.Selection.Findings); len(f) > 0 {
			s.Items = append(s.Items, f)
		}
	}
	return s
}

// passRates is a histogram of tasks, with the bins marked that lie in the band.
func passRates(title string, h *selection.Histogram, band selection.Band) report.Histogram {
	out := report.Histogram{Title: title, Unit: "tasks"}
	for i, n := range h {
		low, high := float64(i-1)/10, float64(i)/10
		switch i {
		case 0:
			low, high = 0, 0
		case len(h) - 1:
			low, high = 1, 1
		}
		const slack = 1e-9 // tenths are not exact
		out.Bars = append(out.Bars, report.Bar{Label: h.Bin(i), Count: int64(n), Band: low >= band.Low-slack && high <= band.High+slack})
	}
	return out
}

// sampleSection shows the first rows of each gate.
func (r *Result) sampleSection() report.Section {
	s := report.Section{ID: "samples", Title: "Rows of each gate"}
	show := func(gate, title string) {
		x := report.Excerpts{Title: title}
		for _, one := range r.samples.byGate[gate] {
			caption := one.found
			if one.reward != "" {
				caption = "reward " + one.reward + "; " + caption
			}
			x.List = append(x.List, report.Excerpt{Label: r.place(one.at), Left: one.prompt, Right: one.reply, Caption: caption})
		}
		if len(x.List) > 0 {
			s.Items = append(s.Items, x)
		}
	}
	show("", "kept: prompt and reply")
	for _, g := range r.Counts.Gates {
		show(g.Gate, g.Gate+": prompt and reply")
	}
	return s
}
