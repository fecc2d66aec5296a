package decontaminate_test

import (
	"bytes"
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"testing"
	"text/tabwriter"

	"github.com/rollmill/rollmill/stages/decontaminate"
	"github.com/rollmill/rollmill/stages/decontaminate/labelled"
	"github.com/rollmill/rollmill/stats"
)

var update = flag.Bool("update", false, "write the golden files anew")

// studied is a rule of the study: as it is, and how to have it report every
// score, so that thresholds can be tried without another scan.
type studied struct {
	name      string
	threshold float64 // its own; 0 when it has none
	all       decontaminate.Rule
}

// little is below every score.
const little = 1e-9

var studiedRules = []studied{
	{"default80", 0.8, decontaminate.Default80{Overlap: little}},
	{"any 8", 0, decontaminate.Any(8)},
	{"any 13", 0, decontaminate.Any(13)},
	{"tokenshare", 0.5, decontaminate.TokenShare{Over: little}},
	{"itemshare", 0.8, decontaminate.ItemShare{Share: little}},
	{"longestspan", 0.5, decontaminate.LongestSpan{Share: little}},
	{"llama2", 0.8, decontaminate.Llama2{Share: little}},
	{"decon", 0, decontaminate.Decon{}}, // its scores depend on its threshold
	{"decon, questions", 0, decontaminate.Decon{QuestionAlone: true}},
	{"windowed 3", windowedThreshold, decontaminate.Windowed{Grams: 3, Threshold: little}},
	{"windowed 4", windowedThreshold, decontaminate.Windowed{Grams: 4, Threshold: little}},
	{"windowed 5", windowedThreshold, decontaminate.Windowed{Grams: 5, Threshold: little}},
}

const (
	windowedThreshold = 0.7 // the default of Windowed
	recommended       = 10  // the number of windowed 4
)

// scores are the best score of each row of a class, -1 for no match at all.
type scores map[labelled.Class][]float64

// scored scans a half once and returns what each rule says of its rows.
func scored(t *testing.T, half labelled.Half) []scores {
	t.Helper()
	set := labelled.New(half, 1)
	items := make([]decontaminate.Item, len(set.Items))
	for i := range set.Items {
		row := set.Items[i].Row()
		items[i] = decontaminate.ItemOf(&row)
	}
	x, err := decontaminate.Build(context.Background(), []decontaminate.Set{{Name: half.String(), Items: items}},
		decontaminate.Config{N: []int{3, 4, 5, 8, 13}, Words: decontaminate.Unicode}, 2)
	if err != nil {
		t.Fatal(err)
	}
	rules := make([]decontaminate.Rule, len(studiedRules))
	by := make([]scores, len(studiedRules))
	for i, r := range studiedRules {
		rules[i], by[i] = r.all, scores{}
	}
	checker := x.NewChecker(decontaminate.AllParts, rules...)
	best := make([]float64, len(rules))
	for i := range set.Rows {
		for k := range best {
			best[k] = -1
		}
		for _, f := range checker.Row(&set.Rows[i].Row) {
			best[f.Rule] = max(best[f.Rule], f.Score)
		}
		for k, s := range best {
			by[k][set.Rows[i].Class] = append(by[k][set.Rows[i].Class], s)
		}
	}
	return by
}

// passed counts the rows of a class at or above a threshold.
func (s scores) passed(c labelled.Class, threshold float64) (n int) {
	for _, x := range s[c] {
		if x >= 0 && x >= threshold {
			n++
		}
	}
	return n
}

// figures are what a rule does at a threshold.
type figures struct{ found, copies, flagged int }

func (s scores) at(threshold float64) (f figures) {
	for _, c := range labelled.Copies {
		f.found += s.passed(c, threshold)
		f.copies += len(s[c])
	}
	f.flagged = f.found
	for _, c := range labelled.Others {
		f.flagged += s.passed(c, threshold)
	}
	return f
}

func (f figures) precision() float64 { return float64(f.found) / float64(max(f.flagged, 1)) }
func (f figures) recall() float64    { return float64(f.found) / float64(f.copies) }
func (f figures) f1() float64 {
	return 2 * float64(f.found) / float64(f.flagged+f.copies)
}

// tuned is the threshold with the best F1, in steps of 0.01; of several in a row
// the one in the middle of the longest row, which keeps off both sides.
func (s scores) tuned() float64 {
	best := -1.0
	type row struct{ from, to int }
	var rows []row
	for i := 1; i < 100; i++ {
		f1 := s.at(float64(i) / 100).f1()
		switch {
		case f1 > best:
			best, rows = f1, []row{{i, i}}
		case f1 == best && rows[len(rows)-1].to == i-1:
			rows[len(rows)-1].to = i
		case f1 == best:
			rows = append(rows, row{i, i})
		}
	}
	longest := slices.MaxFunc(rows, func(a, b row) int { return cmp.Compare(a.to-a.from, b.to-b.from) })
	return float64((longest.from+longest.to)/2) / 100
}

// TestStudy tells how well each rule parts copies from what only looks like
// them. Thresholds are tuned on one half of the labelled set and judged on the
// other, which has other templates; testdata/study.txt holds the table.
func TestStudy(t *testing.T) {
	if testing.Short() {
		t.Skip("scans 4,000 rows by twelve rules")
	}
	tune, judge := scored(t, labelled.Tune), scored(t, labelled.Judge)
	var out bytes.Buffer
	fmt.Fprintf(&out, "judged half: %d rows that copy an item, %d that do not, %d items; 95 %% intervals of Wilson\n",
		len(labelled.Copies)*labelled.PerCopied, len(labelled.Others)*labelled.PerOther, labelled.Items)
	for _, tuned := range []bool{false, true} {
		fmt.Fprintf(&out, "\n%s\n\n", map[bool]string{false: "Thresholds as published", true: "Thresholds tuned on the other half"}[tuned])
		w := tabwriter.NewWriter(&out, 0, 0, 1, ' ', 0)
		fmt.Fprint(w, "rule\tthreshold\tprecision\t\trecall\t\t")
		for i := range slices.Concat(labelled.Copies, labelled.Others) {
			fmt.Fprintf(w, "%c\t", 'a'+i)
		}
		fmt.Fprintln(w)
		for i, r := range studiedRules {
			if r.threshold == 0 && tuned {
				continue
			}
			threshold, shown := r.threshold, "-"
			if tuned {
				threshold = tune[i].tuned()
			}
			if threshold > 0 {
				shown = fmt.Sprintf("%.2f", threshold)
			}
			f := judge[i].at(threshold)
			fmt.Fprintf(w, "%s\t%s\t%.3f\t%s\t%.3f\t%s\t", r.name, shown, f.precision(), interval(f.found, f.flagged), f.recall(), interval(f.found, f.copies))
			for _, c := range slices.Concat(labelled.Copies, labelled.Others) {
				fmt.Fprintf(w, "%d\t", judge[i].passed(c, threshold))
			}
			fmt.Fprintln(w)
		}
		w.Flush()
	}
	fmt.Fprintf(&out, "\nRows flagged, of %d in each class that copies:\n", labelled.PerCopied)
	for i, c := range labelled.Copies {
		fmt.Fprintf(&out, "  %c %s\n", 'a'+i, c)
	}
	fmt.Fprintf(&out, "and of %d in each class that does not:\n", labelled.PerOther)
	for i, c := range labelled.Others {
		fmt.Fprintf(&out, "  %c %s\n", 'a'+len(labelled.Copies)+i, c)
	}
	golden(t, "testdata/study.txt", out.Bytes())

	ours := judge[recommended]
	f := ours.at(windowedThreshold)
	if f.precision() < 0.99 || f.recall() < 0.98 {
		t.Errorf("windowed: precision %v, recall %v; want 0.99 and 0.98", f.precision(), f.recall())
	}
	for _, c := range []labelled.Class{labelled.Permuted, labelled.Prose} {
		for _, s := range []scores{tune[recommended], ours} {
			if n := s.passed(c, windowedThreshold); n > 0 {
				t.Errorf("windowed flags %d rows of %s", n, c)
			}
		}
	}
}

func interval(n, of int) string {
	iv := stats.Wilson(n, of, 1.959964)
	if !iv.Valid {
		return ""
	}
	return fmt.Sprintf("%.3f-%.3f", iv.V.Low, iv.V.High)
}

// golden compares with a file, or writes it.
func golden(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs (-update writes it anew):\n%s", path, got)
	}
}
