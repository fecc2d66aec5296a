package hackscan

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/rollmill/rollmill/stats"
)

// Codes of the warnings of a [DiffReport].
const (
	CodeUnreadable    stats.Code = "unreadable"     // a side is degenerate
	CodeHackLanded    stats.Code = "hack_landed"    // what rose above the floor first is not endorsed
	CodeRegimeChanged stats.Code = "regime_changed" // the verdicts differ
)

// defaultTop is how many features a diff lists of each kind.
const defaultTop = 10

// DiffReport says what the reward pays for after a change that it did not before
// (spec of gates, section 4.7).
type DiffReport struct {
	Learned  string          `json:"learned"` // in one sentence
	Before   DiffSide        `json:"before"`
	After    DiffSide        `json:"after"`
	Gained   []Shift         `json:"gained"` // above the floor now
	Lost     []Shift         `json:"lost"`   // no longer
	Moved    []Shift         `json:"moved"`  // by how much the correlation grew or shrank
	Warnings []stats.Finding `json:"warnings"`
}

// DiffSide is what a diff says of a scan.
type DiffSide struct {
	Regime     Regime              `json:"regime"`
	TopFeature stats.Null[string]  `json:"top_feature"`
	RhoMax     float64             `json:"rho_max"`
	Tau        stats.Null[float64] `json:"tau"`
	Integrity  stats.Null[float64] `json:"integrity"`
	Degenerate bool                `json:"degenerate"`
}

// Shift is how a feature went with the reward before and after.
type Shift struct {
	Name        string  `json:"name"`
	RhoBefore   float64 `json:"rho_before"` // 0 where it was absent
	RhoAfter    float64 `json:"rho_after"`
	AboveBefore bool    `json:"above_before"`
	AboveAfter  bool    `json:"above_after"`
	Endorsed    bool    `json:"endorsed"`
	Shift       float64 `json:"shift"` // of |rho|
}

// Diff compares two reports that list all features ([Options.TopFeatures] below
// 0). It lists up to top features of each kind, 0 is 10.
func Diff(before, after *Report, top int) *DiffReport {
	if top == 0 {
		top = defaultTop
	}
	d := &DiffReport{Before: sideOf(before), After: sideOf(after), Warnings: []stats.Finding{}}
	shifts := shiftsOf(before, after)
	pick := func(keep func(Shift) bool, size func(Shift) float64) []Shift {
		list := []Shift{}
		for _, s := range shifts {
			if keep(s) {
				list = append(list, s)
			}
		}
		slices.SortStableFunc(list, func(a, b Shift) int { return cmp.Compare(math.Abs(size(b)), math.Abs(size(a))) })
		return list[:min(len(list), top)]
	}
	d.Gained = pick(func(s Shift) bool { return s.AboveAfter && !s.AboveBefore }, func(s Shift) float64 { return s.RhoAfter })
	d.Lost = pick(func(s Shift) bool { return s.AboveBefore && !s.AboveAfter }, func(s Shift) float64 { return s.RhoBefore })
	d.Moved = pick(func(Shift) bool { return true }, func(s Shift) float64 { return s.Shift })
	d.conclude(before, after)
	return d
}

func sideOf(r *Report) DiffSide {
	return DiffSide{r.Regime, r.TopFeature, r.RhoMax, r.Tau, r.Integrity, r.Degenerate}
}

// shiftsOf has one entry for each feature after, and for each before that is
// gone, in the order of all their names.
func shiftsOf(before, after *Report) []Shift {
	was, is := byName(before), byName(after)
	names := slices.Sorted(maps.Keys(is))
	for name := range was {
		if is[name] == nil {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	done := map[*Feature]bool{}
	var shifts []Shift
	for _, name := range names {
		a, b := was[name], is[name]
		subject := b
		if subject == nil {
			subject = a
		}
		if done[subject] {
			continue
		}
		done[subject] = true
		if b != nil && a == nil || b != nil && a.Name != b.Name { // an alias of it may be known by another name
			a = knownAs(was, b, a)
		}
		s := Shift{Name: subject.Name, Endorsed: subject.Endorsed}
		if a != nil {
			s.RhoBefore, s.AboveBefore = a.Rho, a.AboveFloor
		}
		if b != nil {
			s.RhoAfter, s.AboveAfter = b.Rho, b.AboveFloor
		}
		s.Shift = stats.Round(math.Abs(s.RhoAfter)-math.Abs(s.RhoBefore), 4)
		shifts = append(shifts, s)
	}
	return shifts
}

// knownAs finds a feature in a report by its name, else by its first alias that
// is there.
func knownAs(features map[string]*Feature, f, otherwise *Feature) *Feature {
	for _, name := range append([]string{f.Name}, f.Aliases...) {
		if known := features[name]; known != nil {
			return known
		}
	}
	return otherwise
}

func byName(r *Report) map[string]*Feature {
	m := map[string]*Feature{}
	for i := range r.Features {
		f := &r.Features[i]
		m[f.Name] = f
		for _, alias := range f.Aliases {
			if m[alias] == nil {
				m[alias] = f
			}
		}
	}
	return m
}

// conclude says what was learned and what to beware of.
func (d *DiffReport) conclude(before, after *Report) {
	warn := func(code stats.Code, text string) {
		d.Warnings = append(d.Warnings, stats.Finding{Code: code, Level: stats.Warning, Numbers: stats.Quantities{}, Text: text})
	}
	given := len(after.Endorsed) > 0
	switch {
	case before.Degenerate || after.Degenerate:
		d.Learned = "a side has too few different replies to be read"
		warn(CodeUnreadable, d.Learned+": sample replies that differ more")
	case len(d.Gained) > 0:
		g := d.Gained[0]
		d.Learned = fmt.Sprintf("the reward came to pay for %s (%+.3f, %+.3f before)", g.Name, g.RhoAfter, g.RhoBefore)
		if g.RhoAfter < 0 {
			d.Learned = fmt.Sprintf("the reward came to punish %s (%+.3f, %+.3f before)", g.Name, g.RhoAfter, g.RhoBefore)
		}
		if given && !g.Endorsed {
			d.Learned += ", which is not endorsed"
			warn(CodeHackLanded, "a hack landed: "+g.Name+" rose above the floor and is not endorsed")
		}
	case after.AboveFloor > 0:
		d.Learned = "nothing new rose above the floor"
	default:
		d.Learned = "nothing is above the floor"
	}
	if before.Regime != after.Regime {
		warn(CodeRegimeChanged, fmt.Sprintf("the verdict was %s and is %s", before.Regime, after.Regime))
	}
}

// String prints the diff.
func (d *DiffReport) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", d.Learned)
	for _, s := range []struct {
		name string
		side DiffSide
	}{{"before", d.Before}, {"after", d.After}} {
		fmt.Fprintf(&b, "%-7s%s", s.name, s.side.Regime.heading())
		if s.side.TopFeature.Valid {
			fmt.Fprintf(&b, ", on top %s (%.3f)", s.side.TopFeature.V, s.side.RhoMax)
		}
		b.WriteByte('\n')
	}
	if len(d.Moved) > 0 {
		fmt.Fprintf(&b, "   %-*s%8s%8s%8s\n", printedName+1, "feature", "before", "after", "shift")
	}
	for _, s := range d.Moved {
		sign := " "
		switch {
		case s.AboveAfter && !s.AboveBefore:
			sign = "+"
		case s.AboveBefore && !s.AboveAfter:
			sign = "-"
		}
		fmt.Fprintf(&b, "%s%s %s%+8.3f%+8.3f%+8.3f\n", sign, mark(s.Endorsed, "e"), fit(s.Name), s.RhoBefore, s.RhoAfter, s.Shift)
	}
	printWarnings(&b, d.Warnings)
	return strings.TrimSuffix(b.String(), "\n")
}
