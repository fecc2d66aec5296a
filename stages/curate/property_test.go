package curate_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	"github.com/rollmill/rollmill/formats/arrowipc"
	"github.com/rollmill/rollmill/formats/jsonl"
	"github.com/rollmill/rollmill/stages/curate"
	"github.com/rollmill/rollmill/stages/selection"
	"github.com/rollmill/rollmill/stream"
)

// Whatever the rows are, and whatever is selected for, every record ends in one
// place, and the files hold as many rows as the counts say.
func TestConservationOfAnything(t *testing.T) {
	dir, n := t.TempDir(), 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		in := filepath.Join(dir, fmt.Sprintf("%d.jsonl", n))
		text, bad := []byte{}, int64(0)
		records := rapid.IntRange(1, 60).Draw(t, "records")
		for range records {
			if rapid.IntRange(0, 9).Draw(t, "kind") == 0 {
				text = append(text, "{\"broken\n"...)
				bad++
				continue
			}
			row := map[string]any{"scenario_id": fmt.Sprint(rapid.IntRange(0, 6).Draw(t, "task"))}
			if rapid.Bool().Draw(t, "has a prompt") {
				row["prompt"] = prompt(rapid.IntRange(0, 6).Draw(t, "prompt"))
			}
			if rapid.Bool().Draw(t, "has a reply") {
				row["final_text"] = rapid.SampledFrom([]string{"", "Yes.", "No.", "It is 7.", "It breaks off in the", "é\u0000"}).Draw(t, "reply")
			}
			row["reward"] = rapid.SampledFrom([]any{0, 1, 0.5, nil, "x", 7}).Draw(t, "reward")
			if rapid.IntRange(0, 4).Draw(t, "ended") == 0 {
				row["rollmill_gate"] = "decontaminate"
			}
			line, err := json.Marshal(row)
			if err != nil {
				t.Fatal(err)
			}
			text = append(append(text, line...), '\n')
		}
		if err := os.WriteFile(in, text, 0o666); err != nil {
			t.Fatal(err)
		}
		o := curate.Options{
			Rows: jsonl.Open(in, jsonl.BatchRows(rapid.IntRange(1, 20).Draw(t, "batch"))), Inputs: []curate.Input{{Name: in}},
			Out: in + ".out", Workers: rapid.IntRange(1, 3).Draw(t, "workers"), NoScan: true, Format: curate.JSONL,
			Select: selection.Options{
				Mode: rapid.SampledFrom([]selection.Mode{selection.RL, selection.SFT, selection.Pairs}).Draw(t, "mode"),
				RL:   selection.RLOptions{NoTools: true}, Holdout: rapid.SampledFrom([]float64{0, 0.3}).Draw(t, "holdout"),
			},
		}
		r, err := curate.Run(context.Background(), o)
		if _, ok := errors.AsType[*curate.NoRowsError](err); ok && bad == int64(records) {
			return
		}
		if _, ok := errors.AsType[*curate.NothingKeptError](err); err != nil && !ok {
			t.Fatal(err)
		}
		c := r.Counts
		if c.In != int64(records) || c.Quarantined != bad || c.In != c.Kept+c.Dropped+c.Quarantined {
			t.Fatalf("%d records, %d broken: %v", records, bad, c)
		}
		rows, _, err := stream.Collect(context.Background(), stream.From(arrowipc.Open(filepath.Join(o.Out, "rows.arrow"))))
		if err != nil || int64(len(rows)) != c.Rows {
			t.Fatalf("%d rows, want %d: %v", len(rows), c.Rows, err)
		}
		ended := map[string]int64{}
		for i := range rows {
			ended[rows[i].Gate]++
		}
		if ended[""] != c.Kept {
			t.Fatalf("%d rows say that they are kept, want %d", ended[""], c.Kept)
		}
		for _, g := range c.Gates {
			if ended[g.Gate] != g.Rows {
				t.Fatalf("%d rows ended at %s, want %d", ended[g.Gate], g.Gate, g.Rows)
			}
		}
		for _, p := range r.Manifest.Parts {
			if p.Kind == "train" && p.Rows != c.Kept && p.Rows*2 != c.Kept {
				t.Fatalf("%d rows to train on, want %d", p.Rows, c.Kept)
			}
		}
	})
}
