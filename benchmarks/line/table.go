package line

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
)

// apart are the parts of the line that the limits do not speak of.
var apart = []string{"scan", "selection", "measure"}

// isApart reports whether a cost belongs to the scan, the selection or the
// measuring, whose times are told apart.
func (c *Cost) isApart() bool {
	if c.Pass == "scan" {
		return true
	}
	name := c.Stage
	if i := strings.LastIndex(name, ": "); i >= 0 {
		name = name[i+2:]
	}
	return slices.Contains(apart, name)
}

// Listed is the CPU time of what the limits speak of, with what belongs to no
// stage: the collector, the index and the hashes of files.
func (r *Result) Listed() (seconds float64) {
	for i := range r.Costs {
		if c := &r.Costs[i]; !c.isApart() {
			seconds += c.Seconds
		}
	}
	return seconds
}

// WriteTable writes what a run took as Markdown, with the command that made it.
// Without limits the ratio is missing, which is said.
func WriteTable(w io.Writer, command string, run Run, r *Result, limits []Limit) error {
	var b strings.Builder
	wall, rows := r.Wall.Seconds(), float64(r.Rows)
	fmt.Fprintf(&b, "`%s`\n\n| | |\n|---|---|\n", command)
	fmt.Fprintf(&b, "| rows in, kept | %d, %d |\n", r.Rows, r.Kept)
	fmt.Fprintf(&b, "| plain JSON Lines | %.0f MB |\n", float64(r.Bytes)/1e6)
	fmt.Fprintf(&b, "| workers | %d |\n", run.Workers)
	fmt.Fprintf(&b, "| wall | %.1f s: %.0f rows/s, %.0f MB/s |\n", wall, rows/wall, float64(r.Bytes)/1e6/wall)
	fmt.Fprintf(&b, "| CPU | %.1f s: %.1f µs a row |\n", r.CPU.Seconds(), r.CPU.Seconds()*1e6/rows)
	if len(r.Runs) > 1 {
		fmt.Fprintf(&b, "| CPU of all runs, of which this is the median | %.1f s to %.1f s |\n", r.Runs[0].Seconds(), r.Runs[len(r.Runs)-1].Seconds())
	}
	fmt.Fprintf(&b, "| peak resident memory | %d MiB |\n", r.Peak>>20)
	if limits == nil {
		b.WriteString("| ratio to the stage limits | not measured: name their folder with -limits |\n")
	} else {
		sum := LimitSum(limits, r.Rows, r.Kept)
		fmt.Fprintf(&b, "| stage-limit sum | %.1f CPU s, %.1f s on %d cores |\n", sum, sum/float64(run.Workers), run.Workers)
		fmt.Fprintf(&b, "| the same stages of the line | %.1f CPU s, %.1f s on %d cores |\n", r.Listed(), r.Listed()/float64(run.Workers), run.Workers)
		fmt.Fprintf(&b, "| ratio | %.0f %% |\n", 100*sum/r.Listed())
	}
	r.writeCosts(&b)
	if limits != nil {
		b.WriteString("\n| limit of | by | µs a row | rows | CPU s |\n|---|---|---:|---:|---:|\n")
		for i := range limits {
			l := &limits[i]
			n := l.of(r.Rows, r.Kept)
			fmt.Fprintf(&b, "| %s | %s | %.2f | %d | %.1f |\n", l.Stage, strings.Join(l.Names, ", "), l.Row*1e6, n, l.Row*float64(n))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeCosts writes what each stage took, the scan and the selection behind the
// others.
func (r *Result) writeCosts(b *strings.Builder) {
	all := 0.0
	for _, c := range r.Costs {
		all += c.Seconds
	}
	costs := slices.Clone(r.Costs)
	rank := map[string]int{"index": 1, "read": 2, "scan": 3, "write": 4, "train": 5, "": 6}
	slices.SortStableFunc(costs, func(x, y Cost) int { return cmp.Compare(rank[x.Pass], rank[y.Pass]) })
	for _, isApart := range []bool{false, true} {
		b.WriteString(map[bool]string{
			false: "\n| pass | stage | CPU s | share |\n|---|---|---:|---:|\n",
			true:  "\n| pass | scan, selection, measure | CPU s | share |\n|---|---|---:|---:|\n",
		}[isApart])
		for i := range costs {
			if c := &costs[i]; c.isApart() == isApart && c.Seconds >= all/2000 {
				fmt.Fprintf(b, "| %s | %s | %.2f | %.1f %% |\n", c.Pass, cmp.Or(c.Stage, "no stage (hashes, index, runtime)"), c.Seconds, 100*c.Seconds/all)
			}
		}
	}
}
