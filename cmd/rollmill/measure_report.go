package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/rollmill/rollmill/stages/measure"
	"github.com/rollmill/rollmill/stats"
)

// measureReport is what measure reports.
type measureReport struct {
	*gathered  `json:",inline"`
	Threshold  stats.Null[float64] `json:"threshold"` // from where on a reward passes, null for 1 and 0 alone
	rateReport `json:",inline"`
	Clusters   stats.ClusterReport   `json:"clusters"` // the mean over rollouts, and what their dependence does to its error
	Solved     []measure.Solved      `json:"solved_by,omitempty"`
	Markers    []stats.Summary       `json:"markers"`
	Slices     []slicesReport        `json:"slices,omitempty"`
	Runs       *stats.VarianceReport `json:"runs,omitempty"`
	Findings   []stats.Finding       `json:"findings"`
}

// rateReport is the pass rates of all rows or of a slice.
type rateReport struct {
	Label    string              `json:"label,omitempty"`
	Rows     int                 `json:"n_rows"`
	Coverage stats.Coverage      `json:"coverage"`
	Pass     []*stats.PassReport `json:"pass"` // one a k
	AtBounds []measure.AtBounds  `json:"at_bounds,omitempty"`
}

type slicesReport struct {
	Field  string       `json:"field"`
	Unsaid int          `json:"unsaid"` // rows without the field
	Slices []rateReport `json:"slices"`
}

func (r *measureReport) print(w io.Writer) error {
	r.gathered.print(w)
	fmt.Fprintln(w, coverageText(r.Coverage))
	if r.Threshold.Valid {
		fmt.Fprintf(w, "a reward passes from %g on\n", r.Threshold.V)
	}
	fmt.Fprintln(w)
	if err := r.printTable(w); err != nil {
		return err
	}
	if err := r.printSolved(w); err != nil {
		return err
	}
	if err := r.printMarkers(w); err != nil {
		return err
	}
	if r.Runs != nil {
		fmt.Fprintf(w, "\n%s\n", r.Runs)
	}
	fmt.Fprintln(w, "\n"+resamplingText(r.Pass[0].Resampling))
	if c := r.Clusters; c.Rows > c.Tasks && c.SE.Valid {
		fmt.Fprintf(w, "rollouts of one task are not independent: standard error of the mean %.4f, %.4f if they were\n", c.SE.V, c.NaiveSE.V)
	}
	if r.bounded() {
		fmt.Fprintln(w, "* all tasks alike, where a bootstrap sees no spread: 95 % Wilson over tasks")
	}
	findings := r.Findings
	for _, p := range r.Pass {
		for _, f := range p.Findings {
			if f.Code != stats.CodeUnscored { // stands in the first lines
				findings = append(findings, f)
			}
		}
	}
	printFindings(w, findings)
	return nil
}

// printTable prints pass@k and pass^k of all rows and of each slice.
func (r *measureReport) printTable(w io.Writer) error {
	return printTable(w, func(t io.Writer) {
		fmt.Fprintln(t, "\tK\tPASS@K\tPASS^K\tHEADROOM\tTASKS\tSCORED\tUNSCORED\tINVALID")
		r.rateReport.lines(t, "all rows")
		for _, s := range r.Slices {
			fmt.Fprintf(t, "by %s\t\t\t\t\t\t\t\t\n", excerpt(s.Field, 40))
			for i := range s.Slices {
				s.Slices[i].lines(t, "  "+excerpt(s.Slices[i].Label, 40))
			}
		}
	})
}

// lines prints pass@1 and a line for each further k that tasks have.
func (f *rateReport) lines(t io.Writer, label string) {
	first, c := f.Pass[0], f.Coverage
	one := passText(first.PassAt1, first.CI95, measure.BoundsOf(first).PassAt1)
	fmt.Fprintf(t, "%s\t1\t%s\t%s\t\t%s\t%s\t%s\t%s\n", label, one, one,
		grouped(int64(first.Groups)), grouped(int64(c.Scored)), grouped(int64(c.Unscored)), grouped(int64(c.Invalid)))
	for _, p := range f.Pass {
		if p.K == 1 || p.GroupsAtK == 0 && f.Label != "" {
			continue
		}
		headroom, at := "n/a", measure.BoundsOf(p)
		if p.Headroom.Valid {
			headroom = fmt.Sprintf("%+.3f", p.Headroom.V)
		}
		fmt.Fprintf(t, "\t%d\t%s\t%s\t%s\t%s\t\t\t\n", p.K, passText(p.PassAtK, p.PassAtKCI95, at.PassAtK),
			passText(p.PassPowK, p.PassPowKCI95, at.PassPowK), headroom, grouped(int64(p.GroupsAtK)))
	}
}

// passText is a pass rate with its interval; at a bound, with the one that does
// not collapse there, and a mark.
func passText(x stats.Null[float64], iv, bound stats.Null[stats.Interval]) string {
	if iv.Valid && bound.Valid {
		return figureText(x, bound) + "*"
	}
	return figureText(x, iv)
}

func (r *measureReport) printSolved(w io.Writer) error {
	if len(r.Solved) == 0 {
		return nil
	}
	fmt.Fprintln(w)
	return printTable(w, func(t io.Writer) {
		fmt.Fprintln(t, "WITHIN ATTEMPTS\tSOLVED\tOF TASKS\tSHARE")
		for _, s := range r.Solved {
			fmt.Fprintf(t, "%d\t%s\t%s\t%s\n", s.Attempt, grouped(int64(s.Solved)), grouped(int64(s.Tasks)), figureText(s.Share, s.CI95))
		}
	})
}

func (r *measureReport) printMarkers(w io.Writer) error {
	if len(r.Markers) == 0 {
		return nil
	}
	fmt.Fprintln(w)
	return printTable(w, func(t io.Writer) {
		fmt.Fprintln(t, "MARKER\tMEAN\tTASKS\tROWS\tAT 1\tAT 0\t")
		for _, m := range r.Markers {
			note := ""
			if m.Degenerate {
				note = "never varies"
			}
			fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", excerpt(strings.TrimPrefix(m.Metric, "marker:"), 40), figureText(m.Mean, m.CI95),
				grouped(int64(m.Tasks)), grouped(int64(m.Rows)), grouped(int64(m.RowsAtOne)), grouped(int64(m.RowsAtZero)), note)
		}
	})
}

// bounded reports whether a figure that is printed is at a bound.
func (r *measureReport) bounded() bool {
	if len(r.AtBounds) > 0 {
		return true
	}
	for _, s := range r.Slices {
		for i := range s.Slices {
			if len(s.Slices[i].AtBounds) > 0 {
				return true
			}
		}
	}
	return false
}

// printTable prints lines of cells, which the function separates by tabs, in
// columns.
func printTable(w io.Writer, write func(io.Writer)) error {
	var text bytes.Buffer
	table := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	write(table)
	if err := table.Flush(); err != nil {
		return err
	}
	for line := range strings.Lines(text.String()) {
		fmt.Fprintln(w, strings.TrimRight(line, " \n"))
	}
	return nil
}
