package report_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rollmill/rollmill/formats/report"
	"github.com/rollmill/rollmill/formats/report/reporttest"
)

var update = flag.Bool("update", false, "write the golden files anew")

// sample is a report that holds every kind of item, and data that means harm.
func sample() *report.Report {
	return &report.Report{
		Title: "Curation of rollouts",
		Lead:  "120 of 1,000 rows became training rows.",
		Sections: []report.Section{
			{ID: "funnel", Title: "From rows to training rows", Notes: []string{"Every row ends in one place."}, Items: []report.Item{
				report.Funnel{
					{Label: "rows in", Count: 1000},
					{Label: "quarantined", Count: 10, Out: true, Reason: "not JSON"},
					{Label: "contaminated", Count: 70, Out: true, Reason: "near copies of gsm8k-test"},
					{Label: "outside the band", Count: 800, Out: true, Reason: "all solved, or none"},
					{Label: "kept", Count: 120},
				},
			}},
			{ID: "figures", Title: "Figures", Items: []report.Item{
				report.Figures{
					{Name: "pass@1", Value: "0.612", Number: 0.612, Detail: "95 % 0.587 to 0.637, 125 tasks"},
					{Name: "pass^4", Value: "0.301", Number: 0.301, Detail: "125 tasks"},
				},
				report.Table{Title: "Evaluation sets", Columns: []report.Column{{Name: "set"}, {Name: "items", Number: true}, {Name: "rows", Number: true}},
					Rows: [][]report.Cell{{{Text: "gsm8k-test"}, {Text: "1,319", Number: 1319}, {Text: "70", Number: 70}}, {{Text: "数学"}, {Text: "5", Number: 5}, {Text: "0", Number: 0}}}},
				report.Histogram{Title: "Pass rate of tasks", Unit: "tasks", Bars: []report.Bar{
					{Label: "0", Count: 40}, {Label: "0.2", Count: 10, Band: true}, {Label: "0.5", Count: 25, Band: true}, {Label: "1", Count: 50},
				}},
			}},
			{ID: "data", Title: "Data", Items: []report.Item{
				report.Findings{{Level: report.Warning, Code: "length", Text: "The reward pays for length."}, {Level: report.Note, Text: "A note."}},
				report.Excerpts{Title: "Worst matches", List: []report.Excerpt{
					{Label: "a.jsonl:7", Left: "<script>alert(1)</script>\nsecond line\x1b[31m", Right: "what \u202eit copies", Caption: "0.93 of the item"},
					{Label: "a.jsonl:9", Left: strings.Repeat("long", 200)},
				}},
			}},
		},
		Foot: []string{"2 cores, 1.2 s"},
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs; run with -update and look at it\n%s", path, got)
	}
}

func TestGolden(t *testing.T) {
	for name, write := range map[string]func(*bytes.Buffer) error{
		"sample.txt":  func(b *bytes.Buffer) error { return report.WriteText(b, sample()) },
		"sample.json": func(b *bytes.Buffer) error { return report.WriteJSON(b, sample()) },
		"sample.html": func(b *bytes.Buffer) error { return report.WriteHTML(b, sample()) },
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		golden(t, name, b.Bytes())
	}
}

func TestPageNeedsNothingElse(t *testing.T) {
	var b bytes.Buffer
	if err := report.WriteHTML(&b, sample()); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"<script", "http:", "https:", "src=", "url(", "\x1b", "\u202e", "ZgotmplZ"} {
		if strings.Contains(b.String(), bad) {
			t.Errorf("the page holds %q", bad)
		}
	}
}

// TestInABrowser looks at the page as wide as a phone and as a screen.
func TestInABrowser(t *testing.T) {
	var b bytes.Buffer
	if err := report.WriteHTML(&b, sample()); err != nil {
		t.Fatal(err)
	}
	for _, v := range reporttest.Views(360, 1280) {
		reporttest.Look(t, b.Bytes(), v)
	}
}

// A phone shows histograms of many bars and tables of many columns, whose names are long.
func TestCrowdedInABrowser(t *testing.T) {
	bars := report.Histogram{Title: "Tasks by pass rate", Unit: "tasks"}
	for i := range 12 {
		bars.Bars = append(bars.Bars, report.Bar{Label: "0." + string(rune('0'+i%10)) + "-0.9", Count: 123_000 - int64(i), Band: i%2 == 0})
	}
	table := report.Table{Columns: []report.Column{{Name: "set"}, {Name: "rule"}, {Name: "items", Number: true}, {Name: "items found", Number: true}, {Name: "rows", Number: true}}}
	for _, name := range []string{strings.Repeat("a-long-", 20), strings.Repeat("unbroken", 20), "b"} {
		table.Rows = append(table.Rows, []report.Cell{{Text: name + ".jsonl"}, {Text: "windowed"}, {Text: "1,319,000"}, {Text: "1,319,000"}, {Text: "9,999,999"}})
	}
	var b bytes.Buffer
	if err := report.WriteHTML(&b, &report.Report{Title: "Crowded", Sections: []report.Section{{ID: "a", Title: "A", Items: []report.Item{bars, table}}}}); err != nil {
		t.Fatal(err)
	}
	for _, v := range reporttest.Views(420, 1200) {
		reporttest.Look(t, b.Bytes(), v)
	}
}

// Counts in pictures are short, and whole in the words that go with them.
func TestShortCounts(t *testing.T) {
	bars := report.Histogram{Title: "x", Unit: "tasks"}
	counts := map[int64]string{0: "0", 9_999: "9,999", 10_000: "10k", 12_499: "12.5k", 125_000: "125k", 999_499: "999k", 999_500: "1M", 1_254_321: "1.25M", 12_000_000_000: "12G"}
	for n := range counts {
		bars.Bars = append(bars.Bars, report.Bar{Label: "bar", Count: n})
	}
	var b bytes.Buffer
	if err := report.WriteHTML(&b, &report.Report{Sections: []report.Section{{ID: "a", Items: []report.Item{bars}}}}); err != nil {
		t.Fatal(err)
	}
	for n, short := range counts {
		if !strings.Contains(b.String(), "bar: "+report.Grouped(n)+" tasks</title>") || !strings.Contains(b.String(), ">"+short+"</text>") {
			t.Errorf("%d is not told as %s", n, short)
		}
	}
}
