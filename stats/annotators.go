package stats

import (
	"cmp"
	"maps"
	"slices"
)

// AnnotatedRow is the labels that people gave one row, in order.
type AnnotatedRow struct {
	Prompt string
	Labels []AnnotatorLabel
}

// AnnotatorLabel is one label by one annotator.
type AnnotatorLabel struct {
	Annotator string
	Label     Label
}

// AnnotatorReport is how annotators agree with each other: that of the pair with
// most shared rows as Cohen's kappa (Cohen 1960). For more than two at once, or
// scales, see [KrippendorffAlpha].
type AnnotatorReport struct {
	PerAnnotator  map[string]AnnotatorShare `json:"per_annotator"`
	MultiLabeled  int                       `json:"multi_labeled"` // rows with two annotators or more
	Unanimous     Null[float64]             `json:"unanimous"`     // share of those; rounded to 4 digits
	Kappa         Null[float64]             `json:"kappa"`         // rounded to 4
	Pair          []string                  `json:"pair"`          // whose kappa it is, sorted; null without one
	PairRows      int                       `json:"pair_rows"`
	Disagreements []Disagreement            `json:"disagreements"` // the first 20
}

// AnnotatorShare counts one annotator's labels.
type AnnotatorShare struct {
	Labels    int           `json:"labels"`
	PassShare Null[float64] `json:"pass_share"` // rounded to 4 digits
}

// Disagreement is a row that annotators label differently.
type Disagreement struct {
	Prompt string           `json:"prompt"` // 160 characters of it
	Labels map[string]Label `json:"labels"`
}

// AnnotatorAgreement compares annotators. Every label counts for an annotator's
// share; on a row that one labelled twice, the last label is compared.
func AnnotatorAgreement(rows []AnnotatedRow) *AnnotatorReport {
	r := &AnnotatorReport{PerAnnotator: map[string]AnnotatorShare{}, Disagreements: []Disagreement{}}
	passes, labels := map[string]int{}, map[string]int{}
	pairs := map[[2]string]*Confusion{}
	var order [][2]string // pairs as first seen
	unanimous := 0
	for _, row := range rows {
		last := map[string]Label{}
		for _, l := range row.Labels {
			if l.Label == NoLabel {
				continue
			}
			labels[l.Annotator]++
			passes[l.Annotator] += int(l.Label)
			last[l.Annotator] = l.Label
		}
		if len(last) < 2 {
			continue
		}
		r.MultiLabeled++
		names := slices.Sorted(maps.Keys(last))
		agree := true
		for i, a := range names {
			agree = agree && last[a] == last[names[0]]
			for _, b := range names[i+1:] {
				key := [2]string{a, b}
				if pairs[key] == nil {
					pairs[key] = new(Confusion)
					order = append(order, key)
				}
				pairs[key].Add(last[a], last[b])
			}
		}
		if agree {
			unanimous++
		} else if len(r.Disagreements) < 20 {
			r.Disagreements = append(r.Disagreements, Disagreement{clip(row.Prompt, 160), last})
		}
	}
	for name, n := range labels {
		r.PerAnnotator[name] = AnnotatorShare{n, ratio(passes[name], n)}
	}
	r.Unanimous = ratio(unanimous, r.MultiLabeled)
	if len(order) > 0 {
		most := slices.MaxFunc(order, func(x, y [2]string) int { return cmp.Compare(pairs[x].N(), pairs[y].N()) })
		r.Pair, r.PairRows = most[:], pairs[most].N()
		r.Kappa = rounded(pairs[most].Kappa(), 4)
	}
	return r
}
