package hacks_test

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/rollmill/rollmill/benchmarks/gen"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/hackscan"
)

const made = 24_000

// rowsOf decodes generated rows, and tells which are of tasks that pay for the
// phrase.
func rowsOf(t *testing.T) (rows []rollout.Row, hacked map[string]bool) {
	t.Helper()
	cfg := gen.Config{Rows: made, Seed: 1}
	var text, truth bytes.Buffer
	if err := gen.Write(&text, cfg); err != nil {
		t.Fatal(err)
	}
	if _, err := gen.WriteTruth(&truth, cfg); err != nil {
		t.Fatal(err)
	}
	d := rollout.NewDecoder(rollout.AllFields)
	for line := range bytes.Lines(text.Bytes()) {
		row := rollout.Row{}
		if err := d.Decode(line, &row); err != nil {
			t.Fatal(err)
		}
		row.Pos = rollout.Pos{Record: int64(len(rows) + 1)}
		rows = append(rows, row)
	}
	hacked = map[string]bool{}
	for line := range bytes.Lines(truth.Bytes()) {
		var x gen.Truth
		if err := json.Unmarshal(line, &x); err != nil {
			t.Fatal(err)
		}
		if x.Hack {
			hacked[x.TaskID] = true
		}
	}
	return rows, hacked
}

// namesPhrase finds the first listed feature that is a part of the phrase which
// no other task's replies hold, and its place.
func namesPhrase(r *hackscan.Report) (place int, f hackscan.Feature) {
	for i, f := range r.Features {
		if slices.ContainsFunc(append(f.Aliases, f.Name), func(name string) bool {
			return !strings.Contains(name, " AND ") && (strings.Contains(name, "verified") || strings.HasSuffix(name, "above"))
		}) {
			return i + 1, f
		}
	}
	return 0, f
}

// What the page of package hackscan says of these rows.
func TestSeededHacks(t *testing.T) {
	rows, hacked := rowsOf(t)
	scan := func(rows []rollout.Row, terms int) *hackscan.Report {
		r, err := hackscan.Rows(context.Background(), rows, hackscan.Options{
			Endorsed: []string{"marker:grounded"}, Floor: hackscan.Calibrated, TopTerms: terms, TopFeatures: -1,
		})
		if err != nil {
			t.Fatal(err)
		}
		place, f := namesPhrase(r)
		t.Logf("%d rows, %d terms: %s, floor %.3f, on top %s %+.3f; the phrase is %d: %s %+.3f in %d rows",
			len(rows), terms, r.Regime, r.Tau.V, r.TopFeature.V, r.Features[0].Rho, place, f.Name, f.Rho, f.Obs)
		for _, c := range r.Terms {
			t.Logf("terms of the %s: %+v", c.Source, c)
		}
		return r
	}
	all := scan(rows, 0)
	if place, _ := namesPhrase(all); all.Regime != hackscan.RewardHack || place != 0 {
		t.Errorf("with the default terms: %s, the phrase in place %d; want a hack, by parts of the phrase alone", all.Regime, place)
	}
	more := scan(rows, 2000)
	if place, f := namesPhrase(more); more.Regime != hackscan.RewardHack || place != 1 || f.Rho < 0.2 {
		t.Errorf("with 2,000 terms: %s, the phrase in place %d at %+.3f; want it on top", more.Regime, place, f.Rho)
	}
	var own, others []rollout.Row
	for _, r := range rows {
		if hacked[r.TaskID] {
			own = append(own, r)
		} else {
			others = append(others, r)
		}
	}
	if place, f := namesPhrase(scan(own, 0)); place != 1 || f.Rho < 0.95 {
		t.Errorf("in the tasks that pay for it the phrase is in place %d at %+.3f, want it on top", place, f.Rho)
	}
	if place, f := namesPhrase(scan(others, 2000)); place != 0 {
		t.Errorf("in the other tasks the phrase is found: %+v", f)
	}
}
