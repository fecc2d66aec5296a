package selection

import (
	"fmt"
	"strings"

	"github.com/rollmill/rollmill/stats"
)

// String lists the gates that dropped rows: "unanimous 8, too_easy 16".
func (t Tally) String() string {
	var list []string
	for g := Kept + 1; g < gateEnd; g++ {
		if t[g] > 0 {
			list = append(list, fmt.Sprintf("%v %d", g, t[g]))
		}
	}
	return strings.Join(list, ", ")
}

// String prints what was kept and why the rest was not (spec of gates, section
// 5.5), a line for each thing.
func (r *Report) String() string {
	p := &printer{}
	switch {
	case r.RL != nil:
		p.rl(r)
		p.findings(r.RL.Findings)
	case r.SFT != nil:
		p.sft(r)
		p.findings(r.SFT.Findings)
	default:
		p.pairs(r)
		p.findings(r.Pairs.Findings)
	}
	p.findings(r.Findings)
	p.line("dropped by gate: %s", orNone(r.Dropped.String()))
	return p.String()
}

type printer struct{ strings.Builder }

func (p *printer) line(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

func (p *printer) rl(all *Report) {
	r := all.RL
	p.line("rl selection: kept %d of %d rows", r.Selected, all.In)
	if r.EnforceBand {
		how := ""
		if r.BandConfidence > 0 {
			how = fmt.Sprintf(", judged by %.0f%% intervals", 100*r.BandConfidence)
		}
		p.line("band %.0f%% to %.0f%%%s: %d tasks dropped (%d too easy, %d too hard)", 100*r.Band.Low, 100*r.Band.High, how,
			r.BandTasksDropped, r.BandDropped.TooEasy, r.BandDropped.TooHard)
	}
	p.line("unanimous tasks dropped: %d (%d of them once other gates had thinned them out)", r.Unanimous, r.Collapsed)
	p.line("duplicates dropped: %d", r.Duplicates.Dropped)
	switch r.TruncatedPolicy {
	case KeepTruncated:
		p.line("truncated: kept %d, of which %d are selected", r.TruncatedKept, r.TruncatedSelected)
	case PenalizeTruncated:
		p.line("truncated: penalized %d, of which %d are selected", r.TruncatedPenalized, r.TruncatedSelected)
	default:
		p.line("truncated: dropped %d", r.TruncatedDropped)
	}
	p.leaks(r.Leaks)
	if g := r.Gates; g.DoNothing+g.IncompleteJunk+g.UnusableLabel > 0 {
		p.line("row gates dropped: do nothing %d, incomplete junk %d, unusable label %d", g.DoNothing, g.IncompleteJunk, g.UnusableLabel)
	}
	if r.Prior != nil {
		p.line("prior round: %d rows of tasks outside the band dropped (it knew %d tasks to keep, %d solved, %d unsolved)",
			r.Prior.RowsDropped, r.Prior.Kept, r.Prior.DroppedSolved, r.Prior.DroppedUnsolved)
	}
	var kinds []string
	for i, k := range r.FaultKinds {
		if i == 8 {
			kinds = append(kinds, "...")
			break
		}
		kinds = append(kinds, fmt.Sprintf("%s %d", k.Kind, k.Tasks))
	}
	p.line("tasks kept: %d (by fault: %s)", r.Tasks, orNone(strings.Join(kinds, ", ")))
	p.histogram(r.Before, r.After)
	if r.Warning.Valid {
		p.line("! no task has both a pass and a failure: group-relative advantages are all zero")
	}
}

func (p *printer) leaks(l LeakReport) {
	if !l.Any {
		p.line("leaks: not one row has a privileged text to look for")
		return
	}
	p.line("leaks dropped: %d of %d rows that could", l.Dropped, l.Checked)
}

// histogram prints tasks by pass rate, as they came in and as they are kept.
func (p *printer) histogram(before, after Histogram) {
	most := 1
	for _, n := range before {
		most = max(most, n)
	}
	p.line("tasks by pass rate, before and after:")
	for i := range before {
		bar := strings.Repeat("#", after[i]*40/most) + strings.Repeat(".", before[i]*40/most-min(before[i], after[i])*40/most)
		p.line("%s", strings.TrimRight(fmt.Sprintf("  %-7s %8d %8d  %s", before.Bin(i), before[i], after[i], bar), " "))
	}
}

func (p *printer) sft(all *Report) {
	r := all.SFT
	p.line("sft selection: kept %d of %d rows", r.Selected, all.In)
	p.line("eligible: %d (reward of %v at least), not passing %d, junk %d", r.Eligible, r.MinReward, r.NotPassing, r.Junk)
	p.leaks(r.Leaks)
	p.line("distinct behaviours: %d, covered %d", r.UniqueBehaviors, r.BehaviorsCovered)
	p.line("rule: asked for %s, ran %s; rewards of what passes spread over %s", r.Rule, orNone(r.Effective), fixed(r.SpreadPassing))
	p.line("mean reward: eligible %s, selected %s", fixed(r.MeanEligible), fixed(r.MeanSelected))
}

func (p *printer) pairs(all *Report) {
	r := all.Pairs
	p.line("pairs: %d of %d rows of %d prompts, %d with contrast", r.Pairs, all.In, r.PromptsSeen, r.PromptsWithContrast)
	p.line("margin: %v at least, %s on average; %d with a partial score", r.MinMargin, fixed(r.MeanMargin), r.PartialScorePairs)
	p.line("first turns differ in %d, one policy in %d, two in %d", r.TrainerPairs, r.SamePolicyPairs, r.MixedPolicyPairs)
	if r.Length.MedianDelta.Valid {
		p.line("length: chosen longer in %d (%.0f%%), by %+d characters in the median", r.Length.ChosenLonger, 100*r.Length.ChosenLongerFrac.V, r.Length.MedianDelta.V)
	}
}

func fixed(x stats.Null[float64]) string {
	if !x.Valid {
		return "n/a"
	}
	return fmt.Sprintf("%.4f", x.V)
}

func (p *printer) findings(list []stats.Finding) {
	for _, f := range list {
		mark := "! "
		if f.Level == stats.Note {
			mark = "note: "
		}
		p.line("%s%s", mark, f.Text)
	}
}
