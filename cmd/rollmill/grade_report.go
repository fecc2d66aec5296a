package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/rollmill/rollmill/stages/grade"
	"github.com/rollmill/rollmill/stages/measure"
	"github.com/rollmill/rollmill/stats"
	"github.com/rollmill/rollmill/stream"
)

// gradeReport is what the graders of a run found.
type gradeReport struct {
	Sandbox string         `json:"sandbox,omitempty"` // the level at which code ran
	Graders []graderReport `json:"graders"`
}

// graderReport is what one grader found.
type graderReport struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Marker  string `json:"marker,omitempty"` // where its verdict stands, if that is not the reward
	grade.Counts
	Scored int64                      `json:"scored"`
	Rate   stats.Summary              `json:"rate"`       // over tasks: of passes; of a marker, its mean
	Bound  stats.Null[stats.Interval] `json:"rate_bound"` // where all tasks are alike, and the interval would be a point
	Micros float64                    `json:"microseconds_a_row"`
}

// report adds what the graders found to a summary.
func (g *grading) report(s *summary, flow *stream.Stats) {
	r := &gradeReport{}
	if g.box != nil {
		r.Sandbox = g.box.Level().String()
	}
	result := g.rates.all.Result()
	for _, run := range g.graders {
		info := run.Info()
		one := graderReport{Name: info.Name, Version: info.Version, Marker: run.marker, Counts: run.tally.Counts()}
		one.Counts.Unscored = append([]grade.Unscored{}, one.Counts.Unscored...)
		one.Scored = one.Counts.Scored()
		busy := stageNamed(flow, run.stage).Busy
		one.Micros = stats.Round(float64(busy.Nanoseconds())/1000/float64(max(one.Rows, 1)), 2)
		one.Rate = stats.Summarize(rateOf(result, run.marker), stats.BootstrapOptions{})
		if n := one.Rate.Tasks; n > 0 && one.Rate.Mean.Valid && (one.Rate.Mean.V == 0 || one.Rate.Mean.V == 1) {
			one.Bound = stats.Wilson(int(one.Rate.Mean.V)*n, n, stats.Z95)
		}
		r.Graders = append(r.Graders, one)
	}
	s.Grading = r
}

// rateOf is the pass rate of the rewards, or the mean of a marker, over tasks.
func rateOf(result *measure.Result, marker string) stats.Metric {
	if marker == "" {
		return result.Rate()
	}
	for _, m := range result.Markers() {
		if m.Name == "marker:"+marker {
			return m
		}
	}
	return stats.Metric{Name: "marker:" + marker}
}

func (r *gradeReport) print(w io.Writer) error {
	fmt.Fprintln(w)
	err := printTable(w, func(t io.Writer) {
		fmt.Fprintln(t, "GRADER\tPASS RATE\tTASKS\tPASSED\tFAILED\tPARTIAL\tUNSCORED")
		for i := range r.Graders {
			g := &r.Graders[i]
			fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", excerpt(g.title(), 60), g.rateText(), grouped(int64(g.Rate.Tasks)),
				grouped(g.Passed), grouped(g.Failed), grouped(g.Partial), grouped(g.Rows-g.Scored))
		}
	})
	if err != nil {
		return err
	}
	for i := range r.Graders {
		r.Graders[i].printReasons(w)
	}
	if n := r.Graders[0].Partial; n > 0 {
		fmt.Fprintf(w, "%s between 0 and 1 of %s: in no pass rate\n", count(n, "reward"), excerpt(r.Graders[0].Name, 60))
	}
	fmt.Fprintln(w, resamplingText(r.Graders[0].Rate.Resampling))
	if r.Sandbox != "" {
		fmt.Fprintf(w, "code ran at the sandbox level %s\n", r.Sandbox)
	}
	_, err = fmt.Fprintln(w)
	return err
}

// title names the grader, and its marker.
func (g *graderReport) title() string {
	if g.Marker != "" {
		return g.Marker + "=" + g.Name
	}
	return g.Name
}

// rateText is the rate with its interval, marked where all tasks are alike.
func (g *graderReport) rateText() string {
	if g.Bound.Valid {
		return figureText(g.Rate.Mean, g.Bound) + "*"
	}
	return figureText(g.Rate.Mean, g.Rate.CI95)
}

// reasonsShown is how many reasons for unscored rows are printed of a grader.
const reasonsShown = 10

func (g *graderReport) printReasons(w io.Writer) {
	for i, u := range g.Unscored {
		if i == reasonsShown {
			fmt.Fprintf(w, "and %s more\n", count(int64(len(g.Unscored)-i), "reason"))
			break
		}
		fmt.Fprintf(w, "unscored by %s: %s, %s", excerpt(g.title(), 60), count(u.Rows, "row"), u.Word)
		if u.Reason != "" {
			fmt.Fprintf(w, ": %s", excerpt(u.Reason, 80))
		}
		fmt.Fprintln(w)
	}
	if g.Bound.Valid {
		fmt.Fprintf(w, "* all tasks of %s are alike, where a bootstrap sees no spread: 95 %% Wilson over tasks\n", excerpt(g.title(), 60))
	}
}

// pace says how long each grader took for a row, "" for none.
func (r *gradeReport) pace() string {
	if r == nil {
		return ""
	}
	var b strings.Builder
	for i := range r.Graders {
		g := &r.Graders[i]
		fmt.Fprintf(&b, "; %s %s a row", excerpt(g.title(), 40), microText(g.Micros))
	}
	return b.String()
}

// microText is a time in microseconds for a person.
func microText(us float64) string {
	switch {
	case us >= 1e6:
		return fmt.Sprintf("%.1f s", us/1e6)
	case us >= 1000:
		return fmt.Sprintf("%.1f ms", us/1000)
	}
	return fmt.Sprintf("%.2g us", us)
}
