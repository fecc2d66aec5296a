package curate

import (
	"bytes"
	"fmt"
	"io"
	"strconv"

	"github.com/rollmill/rollmill/formats/report"
	"github.com/rollmill/rollmill/stats"
)

// writeReports writes the report as a page and for programs, and what depends on
// the machine beside it.
func (l *line) writeReports() error {
	r, facts := l.result, l.facts()
	for i := range l.graded {
		info := l.Grade[i].Grader.Info()
		r.Graders = append(r.Graders, GraderResult{info.Name, info.Version, l.Grade[i].Marker, l.graded[i].Counts()})
	}
	if l.refused > 0 {
		r.parts = append(r.parts, Part{Kind: "quarantine", Path: quarantineFile, Rows: l.refused})
	}
	r.place = l.place
	whole := r.report(true)
	whole.Foot = []string{fmt.Sprintf("%s, %s, %d workers", facts.Host, facts.System, facts.Workers)}
	if facts.Started != "" {
		whole.Foot = append(whole.Foot, fmt.Sprintf("%s, %.1f s, %s rows/s", facts.Started, facts.Seconds, report.Grouped(int64(facts.Rows))))
	}
	if l.Version != "" {
		whole.Foot = append(whole.Foot, l.Version)
	}
	for _, f := range []struct {
		name  string
		write func(io.Writer, *report.Report) error
	}{{reportFile, report.WriteJSON}, {pageFile, report.WriteHTML}} {
		var text bytes.Buffer
		if err := f.write(&text, whole); err != nil {
			return fmt.Errorf("curate: %s: %w", f.name, err)
		}
		if err := writeFile(l.folder.file(f.name), text.Bytes()); err != nil {
			return err
		}
	}
	r.parts = append(r.parts, Part{Kind: "report", Path: reportFile})
	return facts.write(l.folder.file(runFile))
}

// WriteText writes what was found for a terminal: what report.html has, without
// rows. Of a run that had ended earlier it writes the counts.
func (r *Result) WriteText(w io.Writer) error {
	if r.Earlier {
		return report.WriteText(w, &report.Report{Title: "Curation", Lead: r.Counts.String(), Sections: []report.Section{r.Counts.section()}})
	}
	return report.WriteText(w, r.report(false))
}

// report is all that was found; rows are shown where they are asked for.
func (r *Result) report(rows bool) *report.Report {
	whole := &report.Report{Title: "Curation", Lead: r.Counts.String()}
	add := func(s report.Section) {
		if len(s.Items) > 0 || len(s.Notes) > 0 {
			whole.Sections = append(whole.Sections, s)
		}
	}
	add(r.Counts.section())
	add(r.gradingSection())
	add(r.passSection())
	add(r.contaminationSection(rows))
	add(r.scanSection(rows))
	add(r.selectionSection())
	if rows {
		add(r.sampleSection())
	}
	return whole
}

// number is a number as people read it.
func number(x float64) string { return strconv.FormatFloat(stats.Round(x, 4), 'g', -1, 64) }

// cells of tables.
func text(s string) report.Cell { return report.Cell{Text: s} }
func integer(n int64) report.Cell {
	return report.Cell{Text: report.Grouped(n), Number: n}
}
func decimal(x float64) report.Cell {
	return report.Cell{Text: strconv.FormatFloat(x, 'f', 3, 64), Number: x}
}

// estimate is a figure with its interval.
func estimate(x stats.Null[float64], iv stats.Null[stats.Interval]) report.Cell {
	switch {
	case !x.Valid:
		return report.Cell{Text: "n/a"}
	case !iv.Valid:
		return report.Cell{Text: fmt.Sprintf("%.3f (no interval)", x.V), Number: []float64{x.V}}
	}
	return report.Cell{Text: fmt.Sprintf("%.3f [%.3f..%.3f]", x.V, iv.V.Low, iv.V.High), Number: []float64{x.V, iv.V.Low, iv.V.High}}
}

// findings are those of the statistics, each sentence once.
func findings(list ...[]stats.Finding) (out report.Findings) {
	said := map[string]bool{}
	for _, some := range list {
		for _, f := range some {
			if said[f.Text] {
				continue
			}
			said[f.Text] = true
			level := report.Note
			switch f.Level {
			case stats.Warning:
				level = report.Warning
			case stats.Blocking:
				level = report.Alarm
			}
			out = append(out, report.Finding{Level: level, Code: string(f.Code), Text: f.Text})
		}
	}
	return out
}
