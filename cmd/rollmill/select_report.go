package main

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"time"

	"github.com/rollmill/rollmill/formats/jsonl"
	"github.com/rollmill/rollmill/stages/measure"
	"github.com/rollmill/rollmill/stages/selection"
)

// selectReport is what select reports.
type selectReport struct {
	*gathered         `json:",inline"`
	*selection.Report `json:",inline"`
	Quarantined       int64        `json:"quarantined"`
	Written           int64        `json:"written"` // rows or pairs
	Parts             []partReport `json:"parts,omitempty"`
	DroppedTo         *partReport  `json:"dropped_to,omitzero"`
	HoldoutTo         *partReport  `json:"holdout_to,omitzero"`
	Quarantine        *partReport  `json:"quarantine,omitzero"`
	Seconds           float64      `json:"seconds,omitzero"`
}

func roundSeconds(d time.Duration) float64 { return math.Round(d.Seconds()*1000) / 1000 }

// nameSlices calls slices by the names of inputs, where they are by their
// numbers.
func (r *selectReport) nameSlices(inputs *spool) {
	if r.By == nil || r.By.Field != measure.Input.Name() {
		return
	}
	for i := range r.By.Slices {
		label := &r.By.Slices[i].Label
		if n, err := strconv.ParseUint(*label, 10, 32); err == nil {
			*label = inputs.name(r.reader.InputName(uint32(n)))
		}
	}
}

// addBranch says what was written beside the kept rows.
func (r *selectReport) addBranch(name string, sum jsonl.Summary) {
	if len(sum.Parts) == 0 {
		return
	}
	p := partReport(sum.Parts[0])
	if name == "holdout" {
		r.HoldoutTo = &p
	} else {
		r.DroppedTo = &p
	}
}

// check asserts that every record ended in exactly one place.
func (r *selectReport) check() error {
	refused := int64(0)
	for _, c := range r.Rejects {
		refused += c.Records
	}
	wanted := int64(r.Kept)
	if r.Mode == selection.Pairs {
		wanted /= 2
	}
	planned := r.Rows == int64(r.In) && r.In == r.Kept+r.Dropped.Dropped()
	if !planned || r.Seconds > 0 && r.Parts != nil && (r.Written != wanted || r.Quarantined != refused) {
		return &commandError{exitFault, fmt.Sprintf("records were lost: %s, %d read, %d written, %d refused (a fault of rollmill itself; please report it)",
			r.balance(), r.Rows, r.Written, refused)}
	}
	return nil
}

// balance says where the records ended.
func (r *selectReport) balance() string {
	refused := int64(0)
	for _, c := range r.Rejects {
		refused += c.Records
	}
	return fmt.Sprintf("in %s = kept %s + dropped %s + quarantined %s",
		grouped(r.Rows+refused), grouped(int64(r.Kept)), grouped(int64(r.Dropped.Dropped())), grouped(refused))
}

func (r *selectReport) print(w io.Writer, asJSON bool) error {
	if asJSON {
		return printJSON(w, r)
	}
	r.gathered.print(w)
	for _, p := range r.Parts {
		noun := "row"
		if r.Mode == selection.Pairs {
			noun = "pair"
		}
		fmt.Fprintf(w, "-> %s: %s, %s\n", clean(p.Path), count(p.Rows, noun), byteSize(p.Bytes))
	}
	for _, p := range []*partReport{r.HoldoutTo, r.DroppedTo, r.Quarantine} {
		if p != nil {
			fmt.Fprintf(w, "-> %s: %s\n", clean(p.Path), count(p.Rows, "row"))
		}
	}
	fmt.Fprintln(w)
	if _, err := io.WriteString(w, cleanLines(r.Report.String())); err != nil {
		return err
	}
	if err := r.printSlices(w); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%s\n", r.balance())
	return err
}

func (r *selectReport) printSlices(w io.Writer) error {
	if r.By == nil {
		return nil
	}
	fmt.Fprintln(w)
	return printTable(w, func(t io.Writer) {
		fmt.Fprintf(t, "BY %s\tROWS\tKEPT\tDROPPED BY\n", excerpt(r.By.Field, 40))
		for i, s := range r.By.Slices {
			if i == slicesShown {
				fmt.Fprintf(t, "and %s more\n", count(int64(len(r.By.Slices)-i), "value"))
				break
			}
			fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", excerpt(s.Label, 40), grouped(int64(s.Rows)), grouped(int64(s.Kept)), s.Dropped)
		}
		if r.By.Unsaid > 0 {
			fmt.Fprintf(t, "(unsaid)\t%s\t\t\n", grouped(int64(r.By.Unsaid)))
		}
	})
}

// slicesShown is how many slices a report for people lists.
const slicesShown = 50
