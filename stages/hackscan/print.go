package hackscan

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/rollmill/rollmill/stats"
)

const (
	printedFeatures = 12
	printedName     = 42
)

// String prints the report (spec of gates, section 4.6).
func (r *Report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", r.Regime.heading())
	fmt.Fprintf(&b, "%d graded rollouts of %d tasks, %d a task; %.0f %% mixed, %.0f %% always passed, %.0f %% always failed; capacity %.2f\n",
		r.Graded, r.Groups, r.RolloutsPerGroup, 100*r.Support.Mixed, 100*r.Support.Sat, 100*r.Support.Dead, r.Support.Capacity)
	if r.Tau.Valid {
		fmt.Fprintf(&b, "floor %.3f; %d of %d features above it\n", r.Tau.V, r.AboveFloor, r.FeatureCount)
	}
	if len(r.Features) > 0 {
		fmt.Fprintf(&b, "   %-*s%8s%8s%8s\n", printedName+1, "feature", "within", "pooled", "n")
	}
	for _, f := range r.Features[:min(len(r.Features), printedFeatures)] {
		fmt.Fprintf(&b, "%s%s %s%+8.3f%+8.3f%8d\n", mark(f.AboveFloor, "*"), mark(f.Endorsed, "e"), fit(f.Name), f.Rho, f.Pooled, f.Obs)
	}
	if r.Integrity.Valid {
		fmt.Fprintf(&b, "integrity %.2f\n", r.Integrity.V)
	}
	printWarnings(&b, r.Warnings)
	return strings.TrimSuffix(b.String(), "\n")
}

func (r Regime) heading() string { return strings.ToUpper(strings.ReplaceAll(string(r), "_", " ")) }

func mark(set bool, sign string) string {
	if set {
		return sign
	}
	return " "
}

// fit cuts a name and fills it up with spaces.
func fit(name string) string {
	n := 0
	for i := range name {
		if n == printedName {
			return name[:i] + " "
		}
		n++
	}
	return name + strings.Repeat(" ", printedName+1-utf8.RuneCountInString(name))
}

func printWarnings(b *strings.Builder, warnings []stats.Finding) {
	for _, w := range warnings {
		fmt.Fprintf(b, "! %s\n", w.Text)
	}
}
