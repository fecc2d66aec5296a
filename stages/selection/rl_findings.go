package selection

import (
	"fmt"
	"slices"

	"github.com/rollmill/rollmill/stats"
)

// Codes of the findings of a selection for RL, in the order in which they stand;
// those of a hack scan stand behind CodeWideSpread.
const (
	CodeDuplicates       stats.Code = "duplicates"
	CodeTruncatedRows    stats.Code = "truncated_rows"
	CodeWideSpread       stats.Code = "wide_spread"
	CodeAuditFN          stats.Code = "audit_fn"              // the verifier fails right answers
	CodeTextGatesSkipped stats.Code = "text_gates_skipped"    // the replies were not looked at
	CodeFewRollouts      stats.Code = "few_rollouts_per_task" // too few to place a task in the band
	CodeNothingSelected  stats.Code = "nothing_selected"      // although graded rows came in
	CodeEvalInput        stats.Code = "eval_sourced_input"    // and some of them come from an evaluation
	CodeKWayLost         stats.Code = "k_way_lost"            // pass^k could be told of what came in, and no more
	CodeNoMixedTasks     string     = "no_mixed_groups"       // every group-relative advantage is zero
)

const (
	// auditWarn is the share of right answers failed from which on that is told.
	auditWarn = 0.10
	// bandRollouts is how many rollouts a task wants to be placed in the band
	// (Lambert 2025, chapter Reasoning).
	bandRollouts = 16
)

// find says what weakens a selection. k is how many verdicts the smallest task of
// several had when leaks were dropped.
func (r *RLReport) find(tasks []uint32, incoming []score, k int) {
	r.Findings = []stats.Finding{}
	r.findDuplicates()
	r.findLengths()
	r.scanAt = len(r.Findings)
	if a := r.Audit; a.Valid && a.V.FalseNegativeRate > auditWarn {
		r.add(CodeAuditFN, fmt.Sprintf("the verifier fails %.0f%% of right answers (%d checked): hard tasks may be tasks it cannot read", 100*a.V.FalseNegativeRate, a.V.Checked),
			"fn_rate", a.V.FalseNegativeRate, "checked", a.V.Checked)
	}
	if !r.TextGates.Applied {
		r.add(CodeTextGatesSkipped, "replies were not looked at ("+r.TextGates.Reason.V+"): broken and duplicate ones are still there")
	}
	r.findFewRollouts(tasks, incoming)
	if r.EvalSourced > 0 {
		r.add(CodeEvalSourced, fmt.Sprintf("%d selected rows carry a score of an evaluation: training on them spends the evaluation", r.EvalSourced), "rows", r.EvalSourced)
	}
	if r.Selected == 0 && r.Calibration.Tasks > 0 {
		r.add(CodeNothingSelected, fmt.Sprintf("nothing was selected of %d rows: leaks took %d, row gates %d, duplicates %d, unanimous tasks %d, tasks outside the band %d",
			r.Rows, r.LeaksDropped, r.Rows-r.LeaksDropped-r.AfterGates, r.Duplicates.Dropped, r.Unanimous, r.BandTasksDropped), "rows", r.Rows)
		if r.EvalSourcedInput > 0 {
			r.add(CodeEvalInput, fmt.Sprintf("%d of the rows carry a score of an evaluation", r.EvalSourcedInput), "rows", r.EvalSourcedInput)
		}
	}
	if k >= stats.DefaultMinK && !r.Signal.PassPowK.Valid {
		r.add(CodeKWayLost, fmt.Sprintf("pass^%d could be told of what came in, and cannot be of what is left", k), "k", k)
	}
	if r.Signal.Mixed == 0 {
		r.Warning = stats.Of(CodeNoMixedTasks)
	}
}

func (r *RLReport) add(code stats.Code, text string, pairs ...any) {
	r.Findings = append(r.Findings, finding(code, stats.Warning, text, pairs...))
}

func (r *RLReport) findDuplicates() {
	if f, ok := r.Duplicates.finding("dropped"); ok {
		r.Findings = append(r.Findings, f)
	}
}

// finding tells of duplicates, if there are any, and what became of them.
func (d *Duplicates) finding(became string) (f stats.Finding, ok bool) {
	if d.Dropped == 0 {
		return f, false
	}
	text := fmt.Sprintf("%d duplicates %s, of %d prompts", d.Dropped, became, d.Prompts)
	if d.Contradicting > 0 {
		text += fmt.Sprintf("; %d did the same as another and got another reward", d.Contradicting)
	}
	return finding(CodeDuplicates, stats.Warning, text, "rows", d.Dropped, "prompts", d.Prompts, "contradicting", d.Contradicting), true
}

func (r *RLReport) findLengths() {
	r.Findings = append(r.Findings, r.Length.findings()...)
}

// findings tell of cut replies and of prompts whose replies differ much in length.
func (l *Lengths) findings() (list []stats.Finding) {
	if l.Truncated > 0 {
		list = append(list, finding(CodeTruncatedRows, stats.Warning, fmt.Sprintf("%d replies were cut off", l.Truncated), "rows", l.Truncated))
	}
	if l.WideSpread > 0 {
		list = append(list, finding(CodeWideSpread, stats.Warning, fmt.Sprintf("the longest reply of %d prompts is more than %v times their median", l.WideSpread, l.MaxSpread), "prompts", l.WideSpread))
	}
	return list
}

func (r *RLReport) findFewRollouts(tasks []uint32, incoming []score) {
	var sizes []int
	for _, task := range tasks {
		if n := int(incoming[task].n); n > 0 {
			sizes = append(sizes, n)
		}
	}
	n := medianOf(sizes)
	if !n.Valid || n.V >= bandRollouts {
		return
	}
	var widths []float64
	for _, task := range tasks {
		if s := incoming[task]; s.n > 0 {
			iv := stats.Wilson(int(s.passes), int(s.n), stats.Z95)
			widths = append(widths, (iv.V.High-iv.V.Low)/2)
		}
	}
	slices.Sort(widths)
	half := stats.Round(widths[len(widths)/2], 1)
	r.add(CodeFewRollouts, fmt.Sprintf("%d rollouts a task: a pass rate can be off by about %.1f, and tasks stand on the wrong side of the band; use %d", n.V, half, bandRollouts),
		"n", n.V, "half_width", half)
}

// WithScan puts the findings of a hack scan of the selection where they belong.
// Where nothing was selected they say nothing.
func (r *RLReport) WithScan(findings []stats.Finding) {
	if r.Selected > 0 {
		r.Findings = slices.Insert(r.Findings, r.scanAt, findings...)
	}
}
