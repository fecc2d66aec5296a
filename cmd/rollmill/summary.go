package main

import (
	"fmt"
	"io"
	"math"
	"time"

	"github.com/rollmill/rollmill/formats/jsonl"
)

// summary is what convert reports.
type summary struct {
	In           int64         `json:"in"`
	Written      int64         `json:"written"`
	LeftOut      int64         `json:"left_out"`
	Quarantined  int64         `json:"quarantined"`
	Rejects      []codeCount   `json:"rejects,omitempty"`
	LimitReached bool          `json:"limit_reached,omitzero"` // what stands behind was not read
	DryRun       bool          `json:"dry_run,omitzero"`
	Inputs       []inputReport `json:"inputs"`
	Parts        []partReport  `json:"parts,omitempty"`
	Quarantine   *partReport   `json:"quarantine,omitzero"`
	Notes        *notesReport  `json:"notes,omitzero"`
	Grading      *gradeReport  `json:"grading,omitzero"` // what graders found
	Seconds      float64       `json:"seconds"`
}

// partReport says what was written to one file.
type partReport struct {
	Path  string `json:"path"`
	Rows  int64  `json:"rows"`
	Bytes int64  `json:"bytes"`
}

func newSummary(reader *source, out jsonl.Summary, refused *tally, elapsed time.Duration) *summary {
	s := &summary{
		Written: out.Rows, Quarantined: out.Rejected, Rejects: refused.counts(),
		Inputs: reportInputs(reader.facts()), Notes: reportNotes(reader.Notes()),
		Seconds: math.Round(elapsed.Seconds()*1000) / 1000,
	}
	for _, p := range out.Parts {
		s.Parts = append(s.Parts, partReport(p))
	}
	if out.Rejects.Path != "" {
		q := partReport(out.Rejects)
		s.Quarantine = &q
	}
	return s
}

// stopEarly says that the limit was reached. What the reader met behind it, by
// chance, is no news.
func (s *summary) stopEarly() {
	s.LimitReached, s.Notes = true, nil
	for i := range s.Inputs {
		s.Inputs[i].Records = 0
	}
}

// check asserts that every record ended in exactly one place.
func (s *summary) check() error {
	refused := int64(0)
	for _, c := range s.Rejects {
		refused += c.Records
	}
	if s.In != s.Written+s.LeftOut+s.Quarantined || refused != s.Quarantined {
		return &commandError{exitFault, fmt.Sprintf("records were lost: %s, %d refused (a fault of rollmill itself; please report it)", s.balance(), refused)}
	}
	return nil
}

// balance says where the records ended.
func (s *summary) balance() string {
	written := "written"
	if s.DryRun {
		written = "to write"
	}
	return fmt.Sprintf("in %s = %s %s + left out %s + quarantined %s",
		grouped(s.In), written, grouped(s.Written), grouped(s.LeftOut), grouped(s.Quarantined))
}

// nothingKept is an error when rows were read and none was written.
func (s *summary) nothingKept(share float64) error {
	if s.Written > 0 {
		return nil
	}
	why := fmt.Sprintf("--sample %g left out %s; take a larger share or another --seed", share, count(s.LeftOut, "row"))
	if s.Quarantined > 0 {
		why = "refused were " + codesText(s.Rejects) + "; rollmill validate says where"
	}
	return &commandError{exitNothingKept, "nothing was kept of " + count(s.In, "record") + ": " + why}
}

// print reports.
func (s *summary) print(w io.Writer, asJSON bool) error {
	if asJSON {
		return printJSON(w, s)
	}
	printInputs(w, s.Inputs)
	for i, p := range s.Parts {
		if i == inputsShown {
			fmt.Fprintf(w, "and %s more\n", count(int64(len(s.Parts)-i), "file"))
			break
		}
		fmt.Fprintf(w, "-> %s: %s, %s\n", clean(p.Path), count(p.Rows, "row"), byteSize(p.Bytes))
	}
	if q := s.Quarantine; q != nil {
		fmt.Fprintf(w, "-> %s: %s\n", clean(q.Path), count(q.Rows, "record"))
	}
	if s.Quarantined > 0 {
		fmt.Fprintln(w, "refused: "+codesText(s.Rejects))
		if s.Quarantine == nil && !s.DryRun {
			fmt.Fprintln(w, "their text was not kept; --quarantine FILE does")
		}
	}
	if s.LimitReached {
		fmt.Fprintln(w, "stopped at --limit; what stands behind was not read")
	}
	if notes := s.Notes.String(); notes != "" {
		fmt.Fprintln(w, "mended: "+notes)
	}
	if s.Grading != nil {
		if err := s.Grading.print(w); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "%s\n%.1f s, %s rows/s%s\n", s.balance(), s.Seconds, grouped(int64(float64(s.In)/max(s.Seconds, 0.001))), s.Grading.pace())
	return err
}
