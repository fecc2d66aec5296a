// Package report holds what a run has to tell as plain values, and writes it as
// text for a terminal, as one self-contained HTML page and as JSON. It knows
// nothing of what the figures mean.
//
//	r := report.Report{Title: "Curation", Sections: []report.Section{{
//		ID: "funnel", Title: "From rows to training rows",
//		Items: []report.Item{report.Funnel{{Label: "rows in", Count: 1000}, {Label: "kept", Count: 120}}},
//	}}}
//	err := report.WriteText(os.Stdout, &r)
package report
