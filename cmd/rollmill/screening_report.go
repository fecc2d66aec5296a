package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rollmill/rollmill/formats/files"
	"github.com/rollmill/rollmill/formats/jsonl"
	"github.com/rollmill/rollmill/stages/decontaminate"
)

// screeningReport is what decontaminate reports. The same input gives the same
// report, the seconds apart.
type screeningReport struct {
	In          int64                 `json:"in"`
	Kept        int64                 `json:"kept"`
	Flagged     int64                 `json:"flagged"`
	Quarantined int64                 `json:"quarantined"`
	Rejects     []codeCount           `json:"rejects,omitempty"`
	DryRun      bool                  `json:"dry_run,omitzero"`
	Inputs      []inputReport         `json:"inputs"`
	Outputs     []partReport          `json:"outputs,omitempty"`
	FlaggedTo   []partReport          `json:"flagged_to,omitempty"`
	Quarantine  *partReport           `json:"quarantine,omitzero"`
	Mended      *notesReport          `json:"mended,omitzero"`
	Found       *decontaminate.Report `json:"found"`
	Seconds     float64               `json:"seconds,omitzero"`
}

// report says what came of the rows.
func (s *screening) report(found *decontaminate.Report, in int64, kept, flagged jsonl.Summary, refused *tally) *screeningReport {
	sum := newSummary(s.reader, kept, refused, 0)
	r := &screeningReport{
		In: in, Kept: kept.Rows, Flagged: flagged.Rows, Quarantined: kept.Rejected, Rejects: sum.Rejects, DryRun: s.to.dry,
		Inputs: sum.Inputs, Outputs: sum.Parts, Quarantine: sum.Quarantine, Mended: sum.Notes, Found: found,
	}
	for _, p := range flagged.Parts {
		r.FlaggedTo = append(r.FlaggedTo, partReport(p))
	}
	for _, list := range [][]decontaminate.Example{found.First, found.Top} {
		for i := range list {
			list[i].At = placeOf(s.reader, list[i].Row)
		}
	}
	return r
}

// finish checks that every record is accounted for, writes the report and tells
// it, and says what of it is a failure.
func (s *screening) finish(r *screeningReport) error {
	if r.In != r.Kept+r.Flagged+r.Quarantined || r.Found.Rows != r.Kept+r.Flagged || r.Found.Flagged != r.Flagged {
		return &commandError{exitFault, "records were lost: " + r.balance() + " (a fault of rollmill itself; please report it)"}
	}
	if r.In == 0 {
		return emptyError(s.reader.paths)
	}
	for _, to := range []*target{s.to, s.flaggedTo} {
		if to != nil && !to.dry {
			if err := to.removeStale(1, r.Quarantine != nil); err != nil {
				return err
			}
		}
	}
	if err := s.write(r); err != nil {
		return err
	}
	w := s.cmd.OutOrStdout()
	if s.to.toStdout() || s.flaggedTo != nil && s.flaggedTo.toStdout() {
		w = s.cmd.ErrOrStderr()
	}
	var err error
	if s.flags.report.json {
		err = printJSON(w, r)
	} else {
		err = r.print(w, s)
	}
	switch f := s.flags; {
	case err != nil:
		return err
	case f.failOn >= 0 && r.Flagged > f.failOn:
		return &commandError{exitGateFailed, fmt.Sprintf("%s flagged, and --fail-on allows %s", count(r.Flagged, "row"), grouped(f.failOn))}
	case r.Kept == 0 && r.Flagged == 0:
		return &commandError{exitNothingKept, "nothing was kept of " + count(r.In, "record") + ": refused were " + codesText(r.Rejects) + "; rollmill validate says where"}
	case r.Kept == 0:
		return &commandError{exitNothingKept, "nothing was kept of " + count(r.In, "record") + ": decontaminate flagged " + count(r.Flagged, "row")}
	}
	return nil
}

// write writes the report to its file, without what differs from run to run.
func (s *screening) write(r *screeningReport) error {
	path := s.flags.reportFile
	if path == "" {
		return nil
	}
	same := *r
	same.Seconds = 0
	text, err := json.Marshal(&same, jsontext.AllowInvalidUTF8(true), jsontext.WithIndent("  "))
	if err != nil {
		return err
	}
	out, err := files.Create(path, s.flags.force)
	if err != nil {
		return err
	}
	if _, err := out.Write(append(text, '\n')); err != nil {
		out.Abort()
		return err
	}
	return out.Commit()
}

// balance says where the records ended.
func (r *screeningReport) balance() string {
	kept := "kept"
	if r.DryRun {
		kept = "to keep"
	}
	return fmt.Sprintf("in %s = %s %s + flagged %s + quarantined %s", grouped(r.In), kept, grouped(r.Kept), grouped(r.Flagged), grouped(r.Quarantined))
}

func (r *screeningReport) print(w io.Writer, s *screening) error {
	printInputs(w, r.Inputs)
	fmt.Fprintf(w, "against %s\n", indexText(s.index))
	fmt.Fprintf(w, "compared: %s\n\n", strings.Join(r.Found.Parts, ", "))
	if err := r.printSets(w); err != nil {
		return err
	}
	if err := r.printRules(w); err != nil {
		return err
	}
	r.printTop(w, s.flags.examples)
	r.printNotes(w)
	for _, p := range slices.Concat(r.Outputs, r.FlaggedTo) {
		fmt.Fprintf(w, "-> %s: %s, %s\n", clean(p.Path), count(p.Rows, "row"), byteSize(p.Bytes))
	}
	if q := r.Quarantine; q != nil {
		fmt.Fprintf(w, "-> %s: %s\n", clean(q.Path), count(q.Rows, "record"))
	}
	if r.Quarantined > 0 {
		fmt.Fprintln(w, "refused: "+codesText(r.Rejects))
	}
	if mended := r.Mended.String(); mended != "" {
		fmt.Fprintln(w, "mended: "+mended)
	}
	_, err := fmt.Fprintf(w, "%s\n%.1f s, %s rows/s\n", r.balance(), r.Seconds, grouped(int64(float64(r.In)/max(r.Seconds, 0.001))))
	return err
}

// printSets prints of each set how much of it was found, by rule.
func (r *screeningReport) printSets(w io.Writer) error {
	return printTable(w, func(t io.Writer) {
		fmt.Fprintln(t, "EVALUATION SET\tITEMS\tTOO SHORT\tNOT CHECKABLE\tMALFORMED\tRULE\tITEMS HIT\tROWS FLAGGED")
		for i := range r.Found.Sets {
			s := &r.Found.Sets[i]
			for k, by := range s.ByRule {
				head := "\t\t\t\t"
				if k == 0 {
					head = fmt.Sprintf("%s\t%s\t%s\t%s\t%s", excerpt(s.Name, 60), grouped(int64(s.Items)),
						grouped(s.States.TooShort), grouped(int64(s.NotSeen)), grouped(s.States.Malformed))
				}
				fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", head, by.Rule, grouped(int64(by.ItemsHit)), grouped(by.Rows))
			}
		}
	})
}

// printRules prints of each rule where in the rows its matches stand.
func (r *screeningReport) printRules(w io.Writer) error {
	if r.Flagged == 0 {
		return nil
	}
	fmt.Fprintln(w)
	return printTable(w, func(t io.Writer) {
		fmt.Fprintln(t, "RULE\tROWS\tBY KIND\tBY PART")
		for i := range r.Found.Rules {
			rule := &r.Found.Rules[i]
			fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", rule.Name, grouped(rule.Rows), namesText(rule.Kinds), namesText(rule.Parts))
		}
	})
}

func namesText(counts []decontaminate.NameCount) string {
	words := make([]string, len(counts))
	for i, c := range counts {
		words[i] = c.Name + " " + grouped(c.Rows)
	}
	return strings.Join(words, ", ")
}

// printTop prints the best matches, the text of the row over that of the item.
func (r *screeningReport) printTop(w io.Writer, most int) {
	for i, e := range r.Found.Top[:min(len(r.Found.Top), most)] {
		if i == 0 {
			fmt.Fprintln(w, "\nbest matches")
		}
		fmt.Fprintf(w, "%s %s %.3f: %s of %d words\n", e.Rule, e.Kind, e.Score, grouped(int64(e.Words)), e.Of)
		fmt.Fprintf(w, "  row   %s\n        %s, bytes %d to %d\n", e.At, e.Place, e.Start, e.End)
		fmt.Fprintf(w, "  item  %s %s, %v\n", inputName(e.Item.Set), clean(e.Item.Item), e.Item.Part)
		if e.Text != "" {
			fmt.Fprintf(w, "    | %s\n    | %s\n", clean(e.Text), clean(e.ItemText))
		}
	}
}

// printNotes prints what has to be known about the figures.
func (r *screeningReport) printNotes(w io.Writer) {
	fmt.Fprintln(w)
	for _, d := range r.Found.Discounted {
		if d.Grams == 0 {
			continue
		}
		fmt.Fprintf(w, "no evidence: %s of %d words (%s in many items, %s in many tasks)\n", count(int64(d.Grams), "n-gram"), d.N, grouped(int64(d.Items)), grouped(int64(d.Tasks)))
		for _, phrase := range d.Common[:min(len(d.Common), 3)] {
			fmt.Fprintf(w, "  %s\n", excerpt(phrase, 80))
		}
	}
	if p := r.Found.Prompts; p != nil && p.Total() > p.Usable {
		fmt.Fprintf(w, "prompts: %s usable%s\n", grouped(p.Usable), statesText(*p))
	}
	for _, n := range r.Found.Notes {
		fmt.Fprintln(w, "note: "+clean(n.Text))
	}
}
