package main

import (
	"fmt"
	"io"
	"math"
	"time"

	"github.com/rollmill/rollmill/formats/jsonl"
	"github.com/rollmill/rollmill/stages/simulate"
)

// simulateReport is what simulate reports.
type simulateReport struct {
	simulate.Report
	Parts   []partReport `json:"parts,omitempty"`
	DryRun  bool         `json:"dry_run,omitzero"`
	Seconds float64      `json:"seconds"`
}

func newSimulateReport(s simulate.Report, out jsonl.Summary, to *target, elapsed time.Duration) *simulateReport {
	r := &simulateReport{Report: s, DryRun: to.dry, Seconds: math.Round(elapsed.Seconds()*1000) / 1000}
	for _, p := range out.Parts {
		r.Parts = append(r.Parts, partReport(p))
	}
	return r
}

// print reports for a person.
func (r *simulateReport) print(w io.Writer) error {
	for i, p := range r.Parts {
		if i == inputsShown {
			fmt.Fprintf(w, "and %s more\n", count(int64(len(r.Parts)-i), "file"))
			break
		}
		fmt.Fprintf(w, "-> %s: %s, %s\n", clean(p.Path), count(p.Rows, "row"), byteSize(p.Bytes))
	}
	fmt.Fprintf(w, "%s of %s by %s, stopped because of %s\n", count(r.Rows, "row"), count(r.Tasks, "task"), clean(r.Agent), r.Stopped)
	fmt.Fprintf(w, "prompts: %s unlike, %s patterns; of the tasks %.1f %% repeat a pattern\n",
		grouped(int64(r.UniquePrompts)), grouped(int64(r.Patterns)), 100*r.Repeated)
	fmt.Fprintf(w, "pairs of values covered: %s of %s planned, by %s of %s\n",
		grouped(int64(r.Pairs.Covered)), grouped(int64(r.Pairs.Planned)), grouped(int64(r.Cells.Run)), count(int64(r.Cells.Planned), "situation"))
	if g := r.Groups; g.Groups > 0 {
		fmt.Fprintf(w, "groups: %s, %s disagree, %s ended early in agreement, %s partial; %s saved\n",
			grouped(g.Groups), grouped(g.Mixed), grouped(g.Unanimous), grouped(g.Partial), count(g.Saved, "rollout"))
	}
	fmt.Fprintf(w, "faults: %s of %s tasks kept theirs, %s met one\n", grouped(r.Faults.Kept), grouped(r.Faults.Tagged), count(r.Faults.Rows, "row"))
	fmt.Fprintf(w, "run again: %s; lost: %s\n", byReason(r.Rerolled), byReason(r.Lost))
	if r.Resumed > 0 {
		fmt.Fprintf(w, "%s came from the checkpoint\n", count(r.Resumed, "answer"))
	}
	for _, text := range r.Warnings {
		fmt.Fprintln(w, "warning: "+clean(text))
	}
	_, err := fmt.Fprintf(w, "%.1f s, %s rows/s\n", r.Seconds, grouped(int64(float64(r.Rows)/max(r.Seconds, 0.001))))
	return err
}

// byReason lists counts by their reasons, "none" when there are none.
func byReason(counts map[simulate.Lost]int64) string {
	text := ""
	for _, why := range simulate.LostReasons() {
		if n := counts[why]; n > 0 {
			if text != "" {
				text += ", "
			}
			text += fmt.Sprintf("%s %s", grouped(n), why)
		}
	}
	if text == "" {
		return "none"
	}
	return text
}
