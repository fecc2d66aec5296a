package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/rollmill/rollmill/formats/dialect"
	"github.com/rollmill/rollmill/formats/files"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

// reportFlags say how a run reports.
type reportFlags struct {
	json  bool
	quiet bool
}

func (f *reportFlags) add(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.json, "json", false, "report as one JSON object")
	cmd.Flags().BoolVar(&f.quiet, "quiet", false, "show no progress on standard error")
}

// printJSON prints a report for machines, on one line.
func printJSON(w io.Writer, report any) error {
	text, err := json.Marshal(report, jsontext.AllowInvalidUTF8(true), json.Deterministic(true))
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

// inputReport says what an input was found to be.
type inputReport struct {
	Path    string `json:"path"`
	Layout  string `json:"layout"`
	Dialect string `json:"dialect"`
	Records int64  `json:"records,omitzero"`
	Bytes   int64  `json:"bytes,omitzero"` // of the file, where it is one

	Misses []dialect.Miss `json:"map_misses,omitempty"` // rules of --map that led nowhere in any input
}

func reportInputs(inputs []inputFact) []inputReport {
	list := make([]inputReport, len(inputs))
	for i, in := range inputs {
		list[i] = inputReport{in.path, in.layout, dialectWord(in), in.records, max(in.size, 0), in.misses}
	}
	return list
}

// dialectWord names what an input was found to be.
func dialectWord(in inputFact) string {
	if in.unknown {
		return "no dialect that is known (say with --map where things stand)"
	}
	if in.dialect == "" {
		return "row v1"
	}
	return in.dialect
}

// inputName is the name of an input for a person.
func inputName(path string) string {
	if path == files.Stdin {
		return "standard input"
	}
	return clean(path)
}

// placeOf says where a record stands: file:record, with the part behind it when
// it is not the first.
func placeOf(reader *source, pos stream.Pos) string {
	place := fmt.Sprintf("%s:%d", inputName(reader.InputName(pos.Input)), pos.Record)
	if pos.Part > 0 {
		place += fmt.Sprintf(".%d", pos.Part)
	}
	return place
}

// inputsShown is how many inputs a report for people names.
const inputsShown = 10

// printInputs prints what the inputs were found to be.
func printInputs(w io.Writer, inputs []inputReport) {
	for i, in := range inputs {
		if i == inputsShown {
			fmt.Fprintf(w, "and %s more\n", count(int64(len(inputs)-i), "input"))
			break
		}
		fmt.Fprintf(w, "%s: %s, %s\n", inputName(in.Path), in.Layout, in.Dialect)
	}
}

// notesReport says what a reader mended.
type notesReport struct {
	DuplicateNames int64 `json:"duplicate_names"`
	NonFinite      int64 `json:"non_finite"`
	LoneSurrogates int64 `json:"lone_surrogates"`
}

func reportNotes(n rollout.Notes) *notesReport {
	if n == (rollout.Notes{}) {
		return nil
	}
	return &notesReport{n.DuplicateNames, n.NonFinite, n.LoneSurrogates}
}

// String says it in words, "" when nothing was mended.
func (n *notesReport) String() string {
	var parts []string
	if n == nil {
		return ""
	}
	if n.DuplicateNames > 0 {
		parts = append(parts, count(n.DuplicateNames, "name")+" that stood twice in an object (the last counts)")
	}
	if n.NonFinite > 0 {
		parts = append(parts, count(n.NonFinite, "NaN or Infinity value")+" read as null")
	}
	if n.LoneSurrogates > 0 {
		parts = append(parts, count(n.LoneSurrogates, "escaped half character")+" kept")
	}
	return strings.Join(parts, ", ")
}
