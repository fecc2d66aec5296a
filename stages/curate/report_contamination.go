package curate

import (
	"fmt"

	"github.com/rollmill/rollmill/formats/report"
	"github.com/rollmill/rollmill/stages/decontaminate"
)

// matchesShown is how many matches a report shows, each of another item.
const matchesShown = 10

// contaminationSection is what leaked from evaluation sets, with the best matches
// side by side.
func (r *Result) contaminationSection(rows bool) report.Section {
	s := report.Section{ID: "contamination", Title: "Evaluation items in the rows"}
	c := r.Contamination
	if c == nil {
		s.Notes = append(s.Notes, "Nothing was compared: no evaluation set was given.")
		return s
	}
	s.Items = append(s.Items, report.Figures{{Name: "rows that hold an item", Value: report.Grouped(c.Flagged), Number: c.Flagged,
		Detail: fmt.Sprintf("of %s, %s", report.Grouped(c.Rows), report.Share(c.Flagged, c.Rows))}})
	t := report.Table{Columns: []report.Column{{Name: "set"}, {Name: "rule"}, {Name: "items", Number: true}, {Name: "items found", Number: true}, {Name: "rows", Number: true}}}
	for _, set := range c.Sets {
		for _, by := range set.ByRule {
			t.Rows = append(t.Rows, []report.Cell{text(set.Name), text(by.Rule), integer(int64(set.Items)), integer(int64(by.ItemsHit)), integer(by.Rows)})
		}
	}
	s.Items = append(s.Items, t)
	if rows && len(c.Top) > 0 {
		e := report.Excerpts{Title: "The best matches: the row, and the item"}
		seen := map[decontaminate.Location]bool{}
		for _, x := range c.Top {
			if seen[x.Item] || len(e.List) == matchesShown {
				continue
			}
			seen[x.Item] = true
			e.List = append(e.List, report.Excerpt{
				Label: fmt.Sprintf("%s, %s", r.place(x.Row), x.Place), Left: x.Text, Right: x.ItemText,
				Caption: fmt.Sprintf("%s %.3f: %d of %d words of item %s of %s", x.Rule, x.Score, x.Words, x.Of, x.Item.Item, x.Item.Set),
			})
		}
		s.Items = append(s.Items, e)
	}
	var notes report.Findings
	for _, n := range c.Notes {
		notes = append(notes, report.Finding{Level: report.Note, Code: n.Code, Text: n.Text})
	}
	if len(notes) > 0 {
		s.Items = append(s.Items, notes)
	}
	return s
}
