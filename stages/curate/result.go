package curate

import (
	"path/filepath"

	"github.com/rollmill/rollmill/formats/arrowipc"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/decontaminate"
	"github.com/rollmill/rollmill/stages/grade"
	"github.com/rollmill/rollmill/stages/hackscan"
	"github.com/rollmill/rollmill/stages/selection"
	"github.com/rollmill/rollmill/stats"
)

// Result is what a run found. Of one that had ended earlier there are Counts and
// Manifest alone.
type Result struct {
	Earlier  bool      `json:"earlier,omitzero"` // the folder held this very run already
	Counts   Counts    `json:"counts"`
	Manifest *Manifest `json:"manifest"`

	Graders       []GraderResult        `json:"graders"`
	Pass          []*stats.PassReport   `json:"pass"` // one a k; of all rows
	Measured      []stats.Finding       `json:"measured"`
	Contamination *decontaminate.Report `json:"contamination"` // nil where nothing was compared
	Scan          *hackscan.Report      `json:"scan"`          // of the rows that hold no evaluation items; nil where there was none
	Selection     *selection.Report     `json:"selection"`     // of the same rows

	parts   []Part
	samples *samples
	groups  string // what the scan groups rows by
	place   func(rollout.Pos) string
}

// GraderResult is what a grader made of the rows.
type GraderResult struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Marker  string `json:"marker,omitempty"` // "": the reward
	grade.Counts
}

// Part is a file that a run wrote.
type Part struct {
	Kind   string `json:"kind"` // rows, train, holdout, quarantine, report
	Path   string `json:"path"` // within the folder
	Rows   int64  `json:"rows,omitzero"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// addPart notes files that were written.
func (r *Result) addPart(kind string, s arrowipc.Summary) {
	for _, p := range s.Parts {
		r.parts = append(r.parts, Part{Kind: kind, Path: filepath.Base(p.Path), Rows: p.Rows, Bytes: p.Bytes})
	}
}
