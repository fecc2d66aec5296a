package stats

import (
	"fmt"
	"maps"
	"slices"
)

// CodeLabelTies says that rows lost their gold label to a tie.
const CodeLabelTies Code = "label_ties"

// GoldLabel is one label attached to a row.
type GoldLabel struct {
	Label     Label  `json:"label"`
	Annotator string `json:"annotator"`
	Kind      string `json:"kind"`
	TS        string `json:"ts"`
	Note      string `json:"note,omitempty"`
}

// KeyedLabel is a label on its way to a row.
type KeyedLabel struct {
	Key string // an identity of the row
	GoldLabel
}

// LabelTarget is a row as labels find it: every identity it has, and the labels
// it carries already.
type LabelTarget struct {
	Keys   []string
	Labels []GoldLabel
}

// AttachOptions are the arguments of [AttachLabels].
type AttachOptions struct {
	Annotator string // of labels that name none; default "unknown"
	Kind      string // of labels that name none; default human
	Replace   bool   // labels of a row replace those it carries
}

// Attached is what a touched row becomes: its labels, and the majority of them
// as gold with its kind; on a tie neither.
type Attached struct {
	Row    int // index of the target
	Labels []GoldLabel
	Gold   Label
	Kind   Null[string]
}

// AttachReport counts what became of the labels.
type AttachReport struct {
	Labels        int       `json:"labels"`
	Matched       int       `json:"matched"`
	Unmatched     int       `json:"unmatched"`
	UnmatchedKeys []string  `json:"unmatched_keys"` // the first 10
	Invalid       int       `json:"invalid"`        // neither 0 nor 1
	RowsLabeled   int       `json:"rows_labeled"`
	Ties          int       `json:"ties"`
	Annotators    []string  `json:"annotators"` // sorted
	Warning       string    `json:"warning,omitempty"`
	Findings      []Finding `json:"findings"`
}

// AttachLabels matches labels to rows by identity and decides the gold label of
// every row it touches by majority. A kind other than human, program (or
// verifier) and model is an error. Touched rows come in the order of the
// targets; where targets share an identity, all of them get the label.
func AttachLabels(targets []LabelTarget, labels []KeyedLabel, o AttachOptions) ([]Attached, *AttachReport, error) {
	if o.Annotator == "" {
		o.Annotator = "unknown"
	}
	if o.Kind == "" {
		o.Kind = KindHuman
	}
	index := map[string][]int{}
	for i, t := range targets {
		for _, key := range t.Keys {
			if at := index[key]; len(at) == 0 || at[len(at)-1] != i {
				index[key] = append(at, i)
			}
		}
	}
	r := &AttachReport{Labels: len(labels), UnmatchedKeys: []string{}, Findings: []Finding{}}
	touched := map[int][]GoldLabel{}
	annotators := map[string]bool{}
	for _, l := range labels {
		if l.Kind == "" {
			l.Kind = o.Kind
		}
		if l.Kind = NormalKind(l.Kind); l.Kind != KindHuman && l.Kind != KindProgram && l.Kind != KindModel {
			return nil, nil, &ArgumentError{Name: "Kind", Got: l.Kind, Want: "human, program, verifier or model"}
		}
		if l.Annotator == "" {
			l.Annotator = o.Annotator
		}
		switch at := index[l.Key]; {
		case l.Label == NoLabel:
			r.Invalid++
		case len(at) == 0:
			r.Unmatched++
			if len(r.UnmatchedKeys) < 10 {
				r.UnmatchedKeys = append(r.UnmatchedKeys, l.Key)
			}
		default:
			r.Matched++
			annotators[l.Annotator] = true
			for _, row := range at {
				if _, seen := touched[row]; !seen && !o.Replace {
					touched[row] = slices.Clone(targets[row].Labels)
				}
				touched[row] = append(touched[row], l.GoldLabel)
			}
		}
	}
	r.RowsLabeled, r.Annotators = len(touched), slices.Sorted(maps.Keys(annotators))
	if r.Annotators == nil {
		r.Annotators = []string{}
	}
	out := make([]Attached, 0, len(touched))
	for _, row := range slices.Sorted(maps.Keys(touched)) {
		a := decideGold(touched[row])
		a.Row = row
		if a.Gold == NoLabel {
			r.Ties++
		}
		out = append(out, a)
	}
	if r.Ties > 0 {
		r.Warning = fmt.Sprintf("%d rows have a tie between their labels and no gold label", r.Ties)
		r.Findings = append(r.Findings, Finding{Code: CodeLabelTies, Level: Warning, Numbers: quantities("rows", r.Ties), Text: r.Warning})
	}
	return out, r, nil
}

// decideGold takes the majority of labels and the kind of all of them.
func decideGold(labels []GoldLabel) Attached {
	var votes []Label
	var kinds []string
	for _, l := range labels {
		votes, kinds = append(votes, l.Label), append(kinds, l.Kind)
	}
	a := Attached{Labels: labels, Gold: MajorityLabel(votes)}
	if a.Gold != NoLabel {
		a.Kind = GoldKind(kinds)
	}
	return a
}
