package curate

import (
	"fmt"

	"github.com/rollmill/rollmill/formats/report"
	"github.com/rollmill/rollmill/stages/decontaminate"
	"github.com/rollmill/rollmill/stages/selection"
)

// reasons say why a gate drops a row.
var reasons = map[string]string{
	decontaminate.GateName:                "it holds an item of an evaluation set",
	ShapeGate:                             "it does not fit the shape of the training file",
	selection.GateHoldout.String():        "its task is set aside for evaluation",
	selection.GateSolved.String():         "its task passed too often in an earlier round",
	selection.GateUnsolved.String():       "its task passed too rarely in an earlier round",
	selection.GateLeak.String():           "it says what only the grader may know",
	selection.GateNotPassing.String():     "its reward is below the least",
	selection.GateIncompleteJunk.String(): "no reply, half a reply, or a fault of the harness",
	selection.GateDoNothing.String():      "no tool call where the situation wants one",
	selection.GateUnusableLabel.String():  "it has no verdict of 0 or 1",
	selection.GateDuplicate.String():      "it repeats another row",
	selection.GateTruncated.String():      "its reply was cut off",
	selection.GateUnanimous.String():      "all verdicts of its task are equal",
	selection.GateCollapsed.String():      "what is left of its task has one verdict",
	selection.GateOverlong.String():       "only overlong replies are left of its task",
	selection.GateTooEasy.String():        "its task passes more often than the band allows",
	selection.GateTooHard.String():        "its task passes more rarely than the band allows",
	selection.GateJudgeFailed.String():    "the judge came to no verdict",
	selection.GateNoScore.String():        "its reward is no number from 0 to 1",
	selection.GateNoPrompt.String():       "it has no prompt",
	selection.GateOutranked.String():      "the rule took another row of its prompt",
	selection.GateUnpaired.String():       "no partner with enough margin is left",
	selection.GateTarget.String():         "enough rows were kept",
}

// section is the funnel.
func (c *Counts) section() report.Section {
	f := report.Funnel{{Label: "records in", Count: c.In}}
	if c.LeftOut > 0 {
		f = append(f, report.Step{Label: "left out", Count: c.LeftOut, Out: true, Reason: "it is not in the sample that was read"})
	}
	if c.Quarantined > 0 {
		f = append(f, report.Step{Label: "quarantine", Count: c.Quarantined, Out: true, Reason: "it cannot be read as a row"})
	}
	for _, g := range c.Gates {
		f = append(f, report.Step{Label: g.Gate, Count: g.Rows, Out: true, Reason: reasons[g.Gate]})
	}
	f = append(f, report.Step{Label: "kept", Count: c.Kept})
	return report.Section{ID: "funnel", Title: "From records to training rows", Items: []report.Item{f}}
}

// gradingSection is what graders made of the rows.
func (r *Result) gradingSection() report.Section {
	s := report.Section{ID: "grading", Title: "Grading"}
	if len(r.Graders) == 0 {
		return s
	}
	t := report.Table{Columns: []report.Column{{Name: "grader"}, {Name: "gives"}, {Name: "passed", Number: true}, {Name: "failed", Number: true}, {Name: "partial", Number: true}, {Name: "unscored", Number: true}}}
	for i := range r.Graders {
		g := &r.Graders[i]
		gives := "reward"
		if g.Marker != "" {
			gives = "marker " + g.Marker
		}
		t.Rows = append(t.Rows, []report.Cell{text(g.Name), text(gives), integer(g.Passed), integer(g.Failed), integer(g.Partial), integer(g.Rows - g.Scored())})
		for _, u := range g.Unscored {
			s.Notes = append(s.Notes, fmt.Sprintf("unscored by %s: %s rows, %s: %s", g.Name, report.Grouped(u.Rows), u.Word, u.Reason))
		}
	}
	s.Items = append(s.Items, t)
	return s
}
