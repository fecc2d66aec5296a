package stats

import (
	"fmt"
	"strings"
)

// String prints the verdict, what it rests on, every metric and slice, and the
// warnings (spec of statistics, section 10.16).
func (r *DeltaReport) String() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	if r.Target.Valid {
		line("%s", r.verdictLine(r.Target.V, r.TargetVerdict.V, ""))
	}
	if r.Proxy.Valid {
		suffix := ""
		if r.OverOptimized {
			suffix = "  OVER-OPTIMIZED"
		}
		line("proxy %s", r.verdictLine(r.Proxy.V, r.ProxyVerdict.V, suffix))
	}
	line("%s", r.HeadlineWord)
	r.printNoise(line)
	if r.NMetrics >= 2 {
		line("family error: %s over %d metrics", percent(r.FamilyError, 1), r.NMetrics)
	}
	if r.GradedBound.Or(0) > 0 {
		line("graded: %s before, %s after; the rest could move the delta by %s",
			sharePercent(r.Config.Before.GradedShare()), sharePercent(r.Config.After.GradedShare()), fixed(r.GradedBound, 3))
	}
	if r.Ceiling {
		line("CEILING: before %s on %d shared tasks", fixed(r.Metrics[0].MeanA, 2), r.PairedTasks)
	}
	if a, z := r.Config.Before.AnsweredShare(), r.Config.After.AnsweredShare(); a.Valid && z.Valid {
		line("answered: %s before, %s after", sharePercent(a), sharePercent(z))
	}
	if len(r.LowerIsBetter) > 0 {
		line("lower is better: %s", strings.Join(r.LowerIsBetter, ", "))
	}
	for _, m := range r.Metrics {
		text := comparisonLine(m.Comparison, tagOf(m.Verdict, m.LowerIsBetter, m.WithinNoise))
		if m.NoiseBand.Valid {
			text += "  noise<" + fixed(m.NoiseBand, 3)
		}
		line("  %s", text)
	}
	if r.Balanced != nil {
		line("balanced: %d rows dropped before, %d after, %d tasks trimmed",
			r.Balanced.RowsDropped.Before, r.Balanced.RowsDropped.After, r.Balanced.TasksTrimmed)
	}
	r.printSlices(line)
	for _, f := range r.Findings {
		if f.Level != Note {
			line("! %s", f.Text)
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// verdictLine is a metric's word with its difference.
func (r *DeltaReport) verdictLine(name string, word Word, suffix string) string {
	s := fmt.Sprintf("%s: %s", name, word)
	m, ok := r.Metrics.Get(name)
	if !ok {
		return s + suffix
	}
	s += fmt.Sprintf(" (%s", signed(m.Delta, 3))
	if m.CI95.Valid {
		s += fmt.Sprintf(", %.0f%% %s", r.Level*100, band(m.CI95, 3, signed))
	}
	if m.Paired {
		s += fmt.Sprintf(", %d paired tasks", m.NPaired)
	} else {
		s += ", unpaired"
	}
	return s + ")" + suffix
}

func (r *DeltaReport) printNoise(line func(string, ...any)) {
	if r.NoiseBand.Valid {
		perMetric := ""
		if r.NMetrics > 1 {
			perMetric = ", per metric below"
		}
		line("eval noise: run_std %s, a delta under %s is noise (%s; %s%s)",
			fixed(r.RunStd, 3), fixed(r.NoiseBand, 3), r.NoiseRule, r.RunStdSource.V, perMetric)
	}
	line("repeated: %s", r.repeated())
	if t := r.Train; t.trained() {
		text := fmt.Sprintf("training seeds: %d before, %d after", t.Before.Seeds, t.After.Seeds)
		if t.CI95.Valid {
			text += fmt.Sprintf("; %s [%s] with seed noise (%s)", signed(t.Delta, 3), band(t.CI95, 3, signed), t.Rule)
		}
		line("%s", text)
	}
}

// repeated is the note on repeats with the ranges of run means behind it.
func (r *DeltaReport) repeated() string {
	s := r.Repeats.Note
	if p := r.Repeats; p.Before.Range.Valid || p.After.Range.Valid {
		s += fmt.Sprintf(" (before %d runs %s, after %d runs %s)",
			p.Before.Runs, band(p.Before.Range, 3, fixed), p.After.Runs, band(p.After.Range, 3, fixed))
	}
	return s
}

func (r *DeltaReport) printSlices(line func(string, ...any)) {
	if !r.By.Valid {
		return
	}
	line("by %s: %d slices, %d weak, weakest first", r.By.V, len(r.Groups), len(r.GroupsWeak))
	line("  WEAK: still low (after under %.1f) or no clear gain; low n: under %d paired tasks", weakSliceScore, r.SliceMinTasks)
	for _, g := range r.Groups {
		text := fmt.Sprintf("%-28s %s -> %s  %s [%s]  %s  (n=%d tasks, %d/%d rows)", g.Name,
			fixed(g.MeanA, 3), fixed(g.MeanB, 3), signed(g.Delta, 3), band(g.CI95, 3, signed),
			tagOf(g.Verdict, g.LowerIsBetter, false), g.NUsed, g.RowsBefore, g.RowsAfter)
		if len(g.Weak) > 0 {
			reasons := make([]string, len(g.Weak))
			for i, w := range g.Weak {
				reasons[i] = map[string]string{"low": "still low", "no_gain": "no clear gain"}[w]
			}
			text += "  WEAK: " + strings.Join(reasons, ", ")
		}
		if g.LowN {
			text += "  low n"
		}
		line("  %s", text)
	}
}

// MarshalJSON writes the report with its training seeds flattened.
func (r *DeltaReport) MarshalJSON() ([]byte, error) {
	type plain DeltaReport
	return marshalWith((*plain)(r), struct {
		Seeds SideCounts     `json:"train_seeds"`
		Std   Quantities     `json:"train_std"`
		DF    Null[int]      `json:"train_df"`
		Delta Null[float64]  `json:"train_delta"`
		CI95  Null[Interval] `json:"train_ci95"`
		Rule  string         `json:"train_rule"`
	}{
		SideCounts{r.Train.Before.Seeds, r.Train.After.Seeds},
		quantities("before", r.Train.Before.SD, "after", r.Train.After.SD),
		r.Train.DF, r.Train.Delta, r.Train.CI95, r.Train.Rule,
	})
}

func sharePercent(s Null[float64]) string {
	if !s.Valid {
		return "n/a"
	}
	return percent(s.V, 1)
}
