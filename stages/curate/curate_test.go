package curate_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"pgregory.net/rapid"

	"github.com/rollmill/rollmill/formats/arrowipc"
	"github.com/rollmill/rollmill/formats/jsonl"
	"github.com/rollmill/rollmill/formats/parquet"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/curate"
	"github.com/rollmill/rollmill/stages/decontaminate"
	"github.com/rollmill/rollmill/stages/grade/verify"
	"github.com/rollmill/rollmill/stages/selection"
	"github.com/rollmill/rollmill/stream"
)

const (
	tasks   = 40
	aTask   = 8
	leaked  = 5 // tasks whose prompt is an evaluation item
	badness = 4 // lines that are no JSON
)

// prompt is a question of words that no other task has.
func prompt(task int) string {
	var b strings.Builder
	for i := range 14 {
		for n := task*14 + i + 1; n > 0; n /= 12 {
			b.WriteString([]string{"ba", "ce", "di", "fo", "gu", "ha", "je", "ki", "lo", "mu", "na", "pe"}[n%12])
		}
		b.WriteByte(' ')
	}
	return b.String() + "?"
}

// lines are rollouts: of task t, t mod 9 of 8 are right. Every 90th line is broken.
func lines() []byte {
	var b bytes.Buffer
	bad := 0
	for t := range tasks {
		for i := range aTask {
			if bad < badness && (t*aTask+i)%90 == 45 {
				bad++
				b.WriteString("{\"prompt\": broken\n")
			}
			answer := 1000 + t
			if i >= t%9 {
				answer = 7
			}
			fmt.Fprintf(&b, `{"scenario_id":"task-%d","rollout_index":%d,"prompt":%q,"final_text":"I counted word%d and way%d. The answer is %d.","finish_reason":"stop","reference":"%d"}`+"\n",
				t, i, prompt(t), t*31+i, i, answer, 1000+t)
		}
	}
	return b.Bytes()
}

// index holds the prompts of the first tasks.
func index(t *testing.T) *decontaminate.Index {
	t.Helper()
	set := decontaminate.Set{Name: "evals.jsonl"}
	for i := range leaked {
		set.Items = append(set.Items, decontaminate.Item{Texts: []decontaminate.Text{{Part: decontaminate.Question, Text: prompt(i)}}})
	}
	x, err := decontaminate.Build(context.Background(), []decontaminate.Set{set}, decontaminate.Config{N: []int{decontaminate.Windowed{}.N()}, Words: decontaminate.Unicode}, 2)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// options are those of a run over a file of the lines.
func options(t *testing.T, in, out string, workers, batch int) curate.Options {
	t.Helper()
	return curate.Options{
		Rows:   jsonl.Open(in, jsonl.Workers(workers), jsonl.BatchRows(batch)),
		Inputs: []curate.Input{{Name: "rollouts.jsonl", Path: in}},
		Grade:  []curate.Grading{{Grader: verify.Numeric(verify.NumericOptions{})}},
		Index:  index(t), Out: out, Workers: workers, Format: curate.JSONL,
		Select: selection.Options{RL: selection.RLOptions{NoTools: true}},
	}
}

func writeLines(t *testing.T) string {
	t.Helper()
	in := filepath.Join(t.TempDir(), "in.jsonl")
	if err := os.WriteFile(in, lines(), 0o666); err != nil {
		t.Fatal(err)
	}
	return in
}

// Every record ends in one place, and what the rows themselves say adds up to the
// counts.
func TestConservation(t *testing.T) {
	in, out := writeLines(t), filepath.Join(t.TempDir(), "out")
	r, err := curate.Run(context.Background(), options(t, in, out, 2, 64))
	if err != nil {
		t.Fatal(err)
	}
	// Of tasks 0 to 39 the first five leaked. Tasks pass t mod 9 of 8 times: 0 and 8
	// are unanimous, and the band of 0.2 to 0.8 holds 2 to 6.
	want := map[string]int64{"decontaminate": leaked * aTask}
	kept := int64(0)
	for task := leaked; task < tasks; task++ {
		switch passes := task % 9; {
		case passes == 0 || passes == 8:
			want["unanimous"] += aTask
		case passes == 1:
			want["too_hard"] += aTask
		case passes == 7:
			want["too_easy"] += aTask
		default:
			kept += aTask
		}
	}
	c := r.Counts
	if c.In != tasks*aTask+badness || c.Quarantined != badness || c.Kept != kept || c.In != c.Kept+c.Dropped+c.Quarantined {
		t.Fatalf("got %v, want %d kept", c, kept)
	}
	for _, g := range c.Gates {
		if want[g.Gate] != g.Rows {
			t.Errorf("%s dropped %d, want %d", g.Gate, g.Rows, want[g.Gate])
		}
		delete(want, g.Gate)
	}
	if len(want) > 0 {
		t.Errorf("these gates dropped nothing: %v", want)
	}
	rows, _, err := stream.Collect(context.Background(), stream.From(arrowipc.Open(filepath.Join(out, "rows.arrow"))))
	if err != nil || len(rows) != tasks*aTask {
		t.Fatalf("rows.arrow: %d rows, %v", len(rows), err)
	}
	ended := map[string]int64{}
	for i := range rows {
		ended[rows[i].Gate]++
	}
	for _, g := range c.Gates {
		if ended[g.Gate] != g.Rows {
			t.Errorf("%d rows say %s, want %d", ended[g.Gate], g.Gate, g.Rows)
		}
	}
	if ended[""] != kept {
		t.Errorf("%d rows say nothing, want %d", ended[""], kept)
	}
	bad, err := os.ReadFile(filepath.Join(out, "quarantine.jsonl"))
	if err != nil || bytes.Count(bad, []byte("\n")) != badness {
		t.Errorf("quarantine: %v, %s", err, bad)
	}
	if r.Pass[0].PassAt1.V < 0.4 || len(r.Manifest.Parts) != 4 {
		t.Errorf("pass@1 %v, parts %v", r.Pass[0].PassAt1, r.Manifest.Parts)
	}
}

// What is written does not depend on workers and batches.
func TestSameBytes(t *testing.T) {
	in := writeLines(t)
	var first map[string][]byte
	for _, format := range []curate.Format{curate.JSONL, curate.Parquet, curate.Arrow} {
		first = nil
		for _, how := range []struct{ workers, batch int }{{1, 1024}, {2, 7}, {8, 100}} {
			o := options(t, in, filepath.Join(t.TempDir(), "out"), how.workers, how.batch)
			o.Format = format
			if _, err := curate.Run(context.Background(), o); err != nil {
				t.Fatal(err)
			}
			got := filesOf(t, o.Out)
			if first == nil {
				first = got
				continue
			}
			sameFiles(t, first, got)
		}
	}
}

// filesOf are the files of a folder that must not depend on the machine.
func filesOf(t rapid.TB, dir string) map[string][]byte {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string][]byte{}
	for _, e := range entries {
		if e.Name() == "run.json" || e.Name() == "report.html" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		found[e.Name()] = text
	}
	return found
}

func sameFiles(t rapid.TB, want, got map[string][]byte) {
	t.Helper()
	if len(want) != len(got) {
		t.Fatalf("%d files, want %d", len(got), len(want))
	}
	for name, text := range want {
		if !bytes.Equal(text, got[name]) {
			t.Errorf("%s differs", name)
		}
	}
}

// The training file is in the order of the plan, and the same rows in each format.
func TestTrainingFiles(t *testing.T) {
	in := writeLines(t)
	var want []string
	for _, format := range []curate.Format{curate.JSONL, curate.Parquet, curate.Arrow} {
		o := options(t, in, filepath.Join(t.TempDir(), "out"), 2, 64)
		o.Format = format
		if _, err := curate.Run(context.Background(), o); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(o.Out, "train."+string(format))
		var source stream.Source[rollout.Row] = jsonl.Open(path)
		switch format {
		case curate.Parquet:
			source = parquet.Open(path)
		case curate.Arrow:
			source = arrowipc.Open(path)
		}
		rows, _, err := stream.Collect(context.Background(), stream.From(source))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for i := range rows {
			got = append(got, string(rows[i].Canonical()))
		}
		if want == nil {
			want = got
			if len(want) == 0 || !strings.Contains(want[0], "calibration") {
				t.Errorf("%d rows, the first is %.200s", len(want), want)
			}
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%s holds other rows", format)
		}
	}
}

// A finished run is left alone, an unfinished one is done anew, and what belongs to
// another run is refused.
func TestAgain(t *testing.T) {
	in, out := writeLines(t), filepath.Join(t.TempDir(), "out")
	ctx := context.Background()
	first, err := curate.Run(ctx, options(t, in, out, 2, 64))
	if err != nil {
		t.Fatal(err)
	}
	before := filesOf(t, out)
	again, err := curate.Run(ctx, options(t, in, out, 1, 10))
	if err != nil || !again.Earlier || again.Counts.String() != first.Counts.String() {
		t.Fatalf("again: %v, %+v", err, again)
	}
	other := options(t, in, out, 2, 64)
	other.Select.Target = 16
	if _, err := curate.Run(ctx, other); !errors.Is(err, curate.ErrOther) {
		t.Errorf("other arguments: %v", err)
	}
	other.Force, other.Rows = true, jsonl.Open(in)
	if r, err := curate.Run(ctx, other); err != nil || r.Counts.Kept != 16 {
		t.Errorf("forced: %v", err)
	}
	stopped, stop := context.WithCancelCause(ctx)
	o := options(t, in, filepath.Join(t.TempDir(), "out"), 2, 64)
	o.Progress = func(pass string, _ *stream.Running) {
		if pass == "write" {
			stop(nil)
		}
	}
	if _, err := curate.Run(stopped, o); !errors.Is(err, context.Canceled) {
		t.Fatalf("stopped: %v", err)
	}
	o.Rows, o.Progress = jsonl.Open(in), nil
	if _, err := curate.Run(ctx, o); err != nil {
		t.Fatal(err)
	}
	sameFiles(t, before, filesOf(t, o.Out))
	foreign := options(t, in, filepath.Dir(in), 2, 64)
	if _, err := curate.Run(ctx, foreign); !errors.Is(err, curate.ErrOther) {
		t.Errorf("a folder of somebody else: %v", err)
	}
}

// Nothing kept is an error that names the gate; rows and reports are there.
func TestNothingKept(t *testing.T) {
	in := writeLines(t)
	o := options(t, in, filepath.Join(t.TempDir(), "out"), 2, 64)
	o.Select.RL.Band = selection.Band{Low: 0.001, High: 0.002}
	r, err := curate.Run(context.Background(), o)
	var nothing *curate.NothingKeptError
	if !errors.As(err, &nothing) || nothing.Gate != "too_hard" && nothing.Gate != "too_easy" || r == nil {
		t.Fatalf("got %v", err)
	}
	if _, err := os.Stat(filepath.Join(o.Out, "train.jsonl")); err == nil {
		t.Error("there is a training file")
	}
	var manifest curate.Manifest
	text, err := os.ReadFile(filepath.Join(o.Out, "manifest.json"))
	if err != nil || json.Unmarshal(text, &manifest) != nil || manifest.Counts.Kept != 0 {
		t.Errorf("manifest: %v", err)
	}
}

// The holdout is a file of whole tasks, and no row of it is trained on.
func TestHoldout(t *testing.T) {
	in := writeLines(t)
	o := options(t, in, filepath.Join(t.TempDir(), "out"), 2, 64)
	o.Select.Holdout = 0.3
	if _, err := curate.Run(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	train, held := tasksOf(t, filepath.Join(o.Out, "train.jsonl")), tasksOf(t, filepath.Join(o.Out, "holdout.jsonl"))
	if len(train) == 0 || len(held) == 0 {
		t.Fatalf("%d tasks, %d held out", len(train), len(held))
	}
	for task, n := range held {
		if n != aTask || train[task] > 0 {
			t.Errorf("%s: %d held out, %d to train on", task, n, train[task])
		}
	}
}

func tasksOf(t *testing.T, path string) map[string]int {
	t.Helper()
	rows, _, err := stream.Collect(context.Background(), stream.From(jsonl.Open(path)))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]int{}
	for i := range rows {
		found[rows[i].TaskID]++
	}
	return found
}
