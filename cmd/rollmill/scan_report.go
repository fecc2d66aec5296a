package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/hackscan"
)

// scanReport is what scan reports.
type scanReport struct {
	*scanned `json:",inline"`
	Before   *scanned             `json:"before,omitzero"`
	Diff     *hackscan.DiffReport `json:"diff,omitzero"`
}

// scanned is a scan and what it rests on.
type scanned struct {
	*gathered `json:",inline"`
	Scan      *hackscan.Report `json:"scan"`
	spool     *spool
}

func (r *scanReport) print(w io.Writer) error {
	r.gathered.print(w)
	fmt.Fprintf(w, "%s, %s graded\n\n", count(r.Rows, "row"), grouped(int64(r.Scan.Graded)))
	fmt.Fprintln(w, cleanLines(r.Scan.String()))
	r.scanned.printEvidence(w)
	if d := r.Scan.Dynamics; d != nil {
		fmt.Fprintf(w, "\n%s\n", d)
	}
	for _, t := range r.Scan.Terms {
		if !t.Exact {
			fmt.Fprintf(w, "note: the most frequent terms of the %s are not certain: one that is left out may occur in %s\n", t.Source, count(int64(t.Missed), "row"))
		}
	}
	if r.Diff == nil {
		return nil
	}
	fmt.Fprintln(w, "\nbefore:")
	r.Before.gathered.print(w)
	fmt.Fprintf(w, "%s, %s graded\n\n", count(r.Before.Rows, "row"), grouped(int64(r.Before.Scan.Graded)))
	_, err := fmt.Fprintln(w, cleanLines(r.Diff.String()))
	return err
}

// evidenceShown is of how many features the evidence is printed, aliasesShown how
// many other names of such a feature.
const (
	evidenceShown = 3
	aliasesShown  = 4
)

func (r *scanned) printEvidence(w io.Writer) {
	for _, e := range r.Scan.Evidence[:min(len(r.Scan.Evidence), evidenceShown)] {
		name, more, less := r.named(e.Feature)
		fmt.Fprintf(w, "\n%s\n  of %s that differ in it, more of it got %s in %s and %s in %s\n",
			name, count(int64(e.Tasks), "task"), more, grouped(int64(e.Agree)), less, grouped(int64(e.Against)))
		for _, p := range e.Pairs {
			fmt.Fprintf(w, "  %s has %.4g of it and got %.4g, %s has %.4g and got %.4g\n",
				r.place(p.More.Pos), p.More.Value, p.More.Reward, r.place(p.Less.Pos), p.Less.Value, p.Less.Reward)
		}
	}
}

// named is a feature with its other names, and what more of it gets by its
// correlation, and against it.
func (r *scanned) named(feature string) (name, with, against string) {
	for _, f := range r.Scan.Features {
		if f.Name != feature {
			continue
		}
		name = clean(f.Name)
		if n := len(f.Aliases); n > 0 {
			name += ", the same in every row as " + clean(strings.Join(f.Aliases[:min(n, aliasesShown)], ", "))
			if n > aliasesShown {
				name += fmt.Sprintf(" and %d more", n-aliasesShown)
			}
		}
		if f.Rho < 0 {
			return name, "less", "more"
		}
		return name, "more", "less"
	}
	return clean(feature), "more", "less"
}

// place says where a rollout stands in the inputs.
func (r *scanned) place(pos rollout.Pos) string {
	path := r.spool.name(r.reader.InputName(pos.Input))
	place := fmt.Sprintf("%s:%d", inputName(path), pos.Record)
	if pos.Part > 0 {
		place += fmt.Sprintf(".%d", pos.Part)
	}
	return place
}
