package curate_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/rollmill/rollmill/formats/arrowipc"
	"github.com/rollmill/rollmill/formats/jsonl"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/curate"
	"github.com/rollmill/rollmill/stages/grade"
	"github.com/rollmill/rollmill/stream"
)

// resumeCases are cases on which other tools lost rows or did them twice.
func resumeCases(t *testing.T) map[string]json.RawMessage {
	t.Helper()
	text, err := os.ReadFile("testdata/cases.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	inputs := map[string]json.RawMessage{}
	for line := range strings.Lines(string(text)) {
		var c struct {
			ID    string
			Input json.RawMessage
		}
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		inputs[c.ID] = c.Input
	}
	return inputs
}

// resuming is a run over files of lines, a row a part, which notes the ids of the
// rows that it grades.
type resuming struct {
	t     *testing.T
	paths []string
	out   string
	after int // the run is cut off when so many rows are on disk; -1 for never
}

func (r *resuming) run() (graded []string, err error) {
	ctx, stop := context.WithCancel(r.t.Context())
	defer stop()
	var mu sync.Mutex
	g := grade.Func(grade.Info{Name: "noting", Version: "1", Kind: grade.Rule, Pure: true}, func(ctx context.Context, row *rollout.Row) (grade.Result, error) {
		mu.Lock()
		defer mu.Unlock()
		if len(graded) == r.after {
			for r.saved() < r.after && ctx.Err() == nil {
				runtime.Gosched() // what was graded is on its way
			}
			stop()
			<-ctx.Done()
			return grade.Result{}, ctx.Err()
		}
		graded = append(graded, fmt.Sprintf("%s:%s", filepath.Base(r.paths[row.Pos.Input]), row.ID))
		return grade.Score(float64(row.Pos.Record%2), ""), nil
	})
	o := curate.Options{
		Rows: jsonl.OpenAll(r.paths, jsonl.BatchRows(1), jsonl.Workers(1)), Grade: []curate.Grading{{Grader: g}},
		Out: r.out, Workers: 1, PartRows: 1, NoScan: true, Format: curate.JSONL,
	}
	for _, path := range r.paths {
		o.Inputs = append(o.Inputs, curate.Input{Name: path})
	}
	if _, err = curate.Run(ctx, o); err != nil {
		if _, ok := err.(*curate.NothingKeptError); ok {
			err = nil
		}
	}
	return graded, err
}

// cutAfter is a run that is cut off when some rows are on disk, and the run after it.
func (r *resuming) cutAfter(rows int) (first, second []string) {
	r.t.Helper()
	r.after = rows
	first, err := r.run()
	if unfinished, ok := errors.AsType[*curate.UnfinishedError](err); !ok || unfinished.Rows != int64(rows) {
		r.t.Fatalf("it was not cut off after %d rows: %v", rows, err)
	}
	r.after = -1
	if second, err = r.run(); err != nil {
		r.t.Fatal(err)
	}
	return first, second
}

// saved is how many rows are on disk.
func (r *resuming) saved() int {
	notes, err := filepath.Glob(filepath.Join(r.out, ".spool", "part-*.json"))
	if err != nil {
		r.t.Fatal(err)
	}
	return len(notes)
}

// rowsOf are the ids in rows.arrow, with how often each is there.
func (r *resuming) rowsOf() map[string]int {
	rows, _, err := stream.Collect(r.t.Context(), stream.From(arrowipc.Open(filepath.Join(r.out, "rows.arrow"))))
	if err != nil {
		r.t.Fatal(err)
	}
	ids := map[string]int{}
	for i := range rows {
		ids[rows[i].ID]++
	}
	return ids
}

func (r *resuming) file(name string, ids ...any) {
	var text []byte
	for _, id := range ids {
		if id == nil {
			text = append(text, "{broken\n"...)
		} else {
			text = fmt.Appendf(text, `{"rollout_id":"%v","scenario_id":"t","final_text":"x"}`+"\n", id)
		}
	}
	path := filepath.Join(r.t.TempDir(), name)
	if err := os.WriteFile(path, text, 0o666); err != nil {
		r.t.Fatal(err)
	}
	r.paths = append(r.paths, path)
}

func TestResumeCases(t *testing.T) {
	cases := resumeCases(t)

	// One line that failed does not make the count wrong for ever: what is done are
	// rows, whatever lines were refused between them.
	t.Run("resume-01", func(t *testing.T) {
		var in struct {
			Dataset []int
			Done    []int `json:"done_lines"`
		}
		if err := json.Unmarshal(cases["resume-01"], &in); err != nil {
			t.Fatal(err)
		}
		for cut := range len(in.Done) {
			r := &resuming{t: t, out: filepath.Join(t.TempDir(), "out")}
			var list []any
			for _, id := range in.Dataset {
				list = append(list, id)
			}
			list[2] = nil // the one that is in no list of what is done
			r.file("in.jsonl", list...)
			first, second := r.cutAfter(cut)
			if len(first) != cut || len(second) != len(in.Done)-cut {
				t.Errorf("cut at %d: %v, then %v", cut, first, second)
			}
			for id, n := range r.rowsOf() {
				if n != 1 || id == "2" {
					t.Errorf("row %s is there %d times", id, n)
				}
			}
		}
	})

	// What is finished is on disk, and what is on disk is done once.
	t.Run("resume-06", func(t *testing.T) {
		var in struct {
			Finished int `json:"rows_finished"`
			Total    int `json:"rows_total"`
		}
		if err := json.Unmarshal(cases["resume-06"], &in); err != nil {
			t.Fatal(err)
		}
		r := &resuming{t: t, out: filepath.Join(t.TempDir(), "out")}
		var list []any
		for id := range in.Total {
			list = append(list, id)
		}
		r.file("in.jsonl", list...)
		if _, second := r.cutAfter(in.Finished); len(second) != in.Total-in.Finished {
			t.Errorf("%d were graded after %d", len(second), in.Finished)
		}
		ids := r.rowsOf()
		for id, n := range ids {
			if n != 1 {
				t.Errorf("row %s is there %d times", id, n)
			}
		}
		if len(ids) != in.Total {
			t.Errorf("%d rows, want %d", len(ids), in.Total)
		}
	})

	// Rows of one name in two files are two rows.
	t.Run("resume-07", func(t *testing.T) {
		type row struct {
			File string
			Q    int
		}
		var in struct{ Dataset, Done []row }
		if err := json.Unmarshal(cases["resume-07"], &in); err != nil {
			t.Fatal(err)
		}
		r := &resuming{t: t, out: filepath.Join(t.TempDir(), "out")}
		for _, one := range in.Dataset {
			r.file(one.File, one.Q)
		}
		if _, second := r.cutAfter(len(in.Done)); fmt.Sprint(second) != "[b.jsonl:0]" {
			t.Errorf("graded after that: %v", second)
		}
	})
}
