package curate_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/rollmill/rollmill/formats/files"
	"github.com/rollmill/rollmill/formats/jsonl"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/curate"
	"github.com/rollmill/rollmill/stages/grade"
	"github.com/rollmill/rollmill/stream"
)

// small are options of a run with many parts, whose grader is counted.
func small(t *testing.T, in, out string) (curate.Options, *counted) {
	o := options(t, in, out, 2, 10)
	g := newCounted(false)
	o.Grade[0].Grader, o.PartRows, o.NoScan = g, 30, true
	return o, g
}

// cutOff runs until a pass begins and then stops.
func cutOff(t *testing.T, in, out, pass string) *curate.UnfinishedError {
	t.Helper()
	return stopped(t, in, out, pass, func(*curate.Options) {})
}

// undisturbed are the files of a run that nothing disturbed.
func undisturbed(t *testing.T, in string) map[string][]byte {
	t.Helper()
	o, _ := small(t, in, filepath.Join(t.TempDir(), "out"))
	if _, err := curate.Run(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	return filesOf(t, o.Out)
}

// What is damaged of the spool is made again, with what stands behind it, and
// nothing else.
func TestDamagedSpool(t *testing.T) {
	in := writeLines(t)
	want := undisturbed(t, in)
	flip := func(text []byte) []byte { text[len(text)/2] ^= 1; return text }
	for _, c := range []struct {
		name, file string
		damage     func(text []byte) []byte // nil: the file is removed
		parts      int                      // that are taken over; -1: all
		all        bool
	}{
		{"nothing", "part-00003.arrow", bytes.Clone, -1, true},
		{"a flipped bit", "part-00003.arrow", flip, 3, false},
		{"a cut part", "part-00001.arrow", func(text []byte) []byte { return text[:100] }, 1, false},
		{"a lost part", "part-00000.arrow", nil, 0, false},
		{"a lost note", "part-00002.json", nil, 2, false},
		{"a note that is none", "part-00002.json", func([]byte) []byte { return []byte(`{"rows":30}`) }, 2, false},
		{"a cut note", "part-00005.json", func(text []byte) []byte { return text[:len(text)/2] }, 5, false},
		{"a figure of a note that is another", "part-00005.json", otherFigure, 5, false},
		{"a figure of the note of the whole", "whole.json", otherFigure, -1, false},
		{"a lost note of the whole", "whole.json", nil, -1, false},
		{"damaged refused records", "refused.jsonl", flip, -1, false},
		{"a job that is none", "job.json", func([]byte) []byte { return []byte("{") }, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "out")
			if u := cutOff(t, in, out, "write"); !u.All || u.Rows != tasks*aTask {
				t.Fatalf("%+v", u)
			}
			saved := tasks * aTask
			if c.parts >= 0 {
				saved = rowsOfParts(t, out, c.parts)
			}
			path := filepath.Join(out, ".spool", c.file)
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if c.damage == nil {
				err = os.Remove(path)
			} else {
				err = os.WriteFile(path, c.damage(text), 0o666)
			}
			if err != nil {
				t.Fatal(err)
			}
			o, g := small(t, in, out)
			told := curate.Continuing{}
			o.Tell = func(n fmt.Stringer) { told, _ = n.(curate.Continuing) }
			if _, err := curate.Run(t.Context(), o); err != nil {
				t.Fatal(err)
			}
			if told != (curate.Continuing{Rows: int64(saved), All: c.all}) || len(g.rows) != tasks*aTask-saved {
				t.Errorf("%+v, and %d rows were graded", told, len(g.rows))
			}
			sameFiles(t, want, filesOf(t, out))
		})
	}
}

// otherFigure changes the last figure of a note, which stays one.
func otherFigure(text []byte) []byte {
	note, _, _ := bytes.Cut(text, []byte("\n"))
	note[bytes.LastIndexAny(note, "0123456789")] ^= 1
	return text
}

// rowsOfParts is how many rows the first parts of a spool have.
func rowsOfParts(t *testing.T, out string, parts int) (rows int) {
	t.Helper()
	for n := range parts {
		text, err := os.ReadFile(filepath.Join(out, ".spool", fmt.Sprintf("part-%05d.json", n)))
		note := struct{ Rows int }{}
		text, _, _ = bytes.Cut(text, []byte("\n"))
		if err != nil || json.Unmarshal(text, &note) != nil || note.Rows < 30 {
			t.Fatalf("%v: %s", err, text)
		}
		rows += note.Rows
	}
	return rows
}

// A second run in a folder ends at once, and the first does not notice.
func TestBusy(t *testing.T) {
	in, out := writeLines(t), filepath.Join(t.TempDir(), "out")
	want := undisturbed(t, in)
	o, _ := small(t, in, out)
	tried := 0
	o.Progress = func(pass string, _ *stream.Running) {
		for _, force := range []bool{false, true} {
			second, _ := small(t, in, out)
			second.Force = force
			_, err := curate.Run(t.Context(), second)
			if output, ok := errors.AsType[*files.OutputError](err); !ok || !errors.Is(err, curate.ErrBusy) || output.Path != out {
				t.Errorf("%s, force %t: %v", pass, force, err)
			}
			tried++
		}
	}
	if _, err := curate.Run(t.Context(), o); err != nil || tried != 6 {
		t.Fatalf("%d tries, %v", tried, err)
	}
	sameFiles(t, want, filesOf(t, out))
}

// What a finished run left is told by its hash from what somebody made of it.
func TestChangedParts(t *testing.T) {
	in := writeLines(t)
	for _, name := range []string{"rows.arrow", "train.jsonl", "quarantine.jsonl", "report.json"} {
		o, _ := small(t, in, filepath.Join(t.TempDir(), "out"))
		if _, err := curate.Run(t.Context(), o); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(o.Out, name)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		text[len(text)/2] ^= 1 // of the same size
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
		o.Rows = jsonl.Open(in)
		if _, err := curate.Run(t.Context(), o); !errors.Is(err, curate.ErrOther) || !strings.Contains(err.Error(), name+" is not as this run left it") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Figures of a manifest that do not agree are not told as those of the run.
func TestChangedManifest(t *testing.T) {
	in := writeLines(t)
	o, _ := small(t, in, filepath.Join(t.TempDir(), "out"))
	if _, err := curate.Run(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(o.Out, "manifest.json")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(m map[string]any){
		"kept":   func(m map[string]any) { m["counts"].(map[string]any)["kept"] = 9999 },
		"sum":    func(m map[string]any) { m["sum"] = "in 1 = kept 1 + dropped 0 + quarantined 0" },
		"counts": func(m map[string]any) { delete(m, "counts") },
		"parts":  func(m map[string]any) { m["parts"] = []any{} },
	} {
		t.Run(name, func(t *testing.T) {
			var m map[string]any
			if err := json.Unmarshal(whole, &m); err != nil {
				t.Fatal(err)
			}
			change(m)
			text, err := json.Marshal(m)
			if err == nil {
				err = os.WriteFile(path, text, 0o666)
			}
			if err != nil {
				t.Fatal(err)
			}
			o.Rows = jsonl.Open(in)
			if _, err := curate.Run(t.Context(), o); !errors.Is(err, curate.ErrOther) || !strings.Contains(err.Error(), "its manifest.json is not as this run left it") {
				t.Errorf("%v", err)
			}
		})
	}
}

// A folder that is refused says in which respect its run was another one.
func TestOtherJobIsNamed(t *testing.T) {
	in := writeLines(t)
	o, _ := small(t, in, filepath.Join(t.TempDir(), "out"))
	if _, err := curate.Run(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(o *curate.Options){
		"seeds":       func(o *curate.Options) { o.Seed = 5 },
		"rows a part": func(o *curate.Options) { o.PartRows = 31 },
		"rows a file": func(o *curate.Options) { o.RowsPerFile = 3 },
		"targets":     func(o *curate.Options) { o.Select.Target = 3 },
		"holdouts":    func(o *curate.Options) { o.Select.Holdout = 0.5 },
		"numbers k":   func(o *curate.Options) { o.K = []int{2} },
	} {
		other, _ := small(t, in, o.Out)
		change(&other)
		if _, err := curate.Run(t.Context(), other); !errors.Is(err, curate.ErrOther) || !strings.Contains(err.Error(), "its "+want+" were other") {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// What comes from an input that is no file cannot be told from what came before: the
// run begins anew, and says so.
func TestPipeBeginsAnew(t *testing.T) {
	in, out := writeLines(t), filepath.Join(t.TempDir(), "out")
	run := func(pass string) (told []fmt.Stringer, g *counted, err error) {
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		o, g := small(t, in, out)
		o.Inputs = []curate.Input{{Name: "-", Path: files.Stdin}}
		o.Tell = func(n fmt.Stringer) { told = append(told, n) }
		o.Progress = func(name string, _ *stream.Running) {
			if name == pass {
				stop()
			}
		}
		_, err = curate.Run(ctx, o)
		return told, g, err
	}
	if _, _, err := run("write"); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	told, g, err := run("")
	if err != nil || len(told) != 1 || told[0] != (curate.Anew{}) || len(g.rows) != tasks*aTask {
		t.Errorf("%v: %v, %d rows graded", err, told, len(g.rows))
	}
}

// An input that changes or vanishes while it is read ends the run: nothing appears
// under its name, and nothing is kept of what was read.
func TestInputChanges(t *testing.T) {
	for name, change := range map[string]func(path string) error{
		"grows": func(path string) error {
			f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				return err
			}
			defer f.Close()
			_, err = f.WriteString("{}\n")
			return err
		},
		"vanishes":    os.Remove,
		"is replaced": func(path string) error { return os.WriteFile(path, []byte("{}\n"), 0o666) },
	} {
		t.Run(name, func(t *testing.T) {
			in, out := writeLines(t), filepath.Join(t.TempDir(), "out")
			o, g := small(t, in, out)
			g.after, g.stop = 100, func() {
				if err := change(in); err != nil {
					t.Error(err)
				}
			}
			_, err := curate.Run(t.Context(), o)
			if input, ok := errors.AsType[*files.InputError](err); !ok || !errors.Is(err, curate.ErrInputChanged) || input.Path != "rollouts.jsonl" {
				t.Errorf("%v", err)
			}
			if left := names(t, out); !slices.Equal(left, []string{".spool"}) {
				t.Errorf("there are %v", left)
			}
			if left := names(t, filepath.Join(out, ".spool")); !slices.Equal(left, []string{"job.json", "lock"}) {
				t.Errorf("the spool holds %v", left)
			}
		})
	}
}

func names(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// A frame of zstd that is corrupt in the middle ends the run with the name of the
// file and the place; nothing appears under its name.
func TestCorruptFrame(t *testing.T) {
	text := lines()
	var packed []byte
	var starts []int
	for i := range 8 {
		from, to := cutAt(text, i), cutAt(text, i+1)
		starts = append(starts, len(packed))
		packed = files.Zstd.AppendFrame(packed, text[from:to])
	}
	packed[(starts[4]+starts[5])/2] ^= 0xff
	in := filepath.Join(t.TempDir(), "rollouts.jsonl.zst")
	if err := os.WriteFile(in, packed, 0o666); err != nil {
		t.Fatal(err)
	}
	o, _ := small(t, in, filepath.Join(t.TempDir(), "out"))
	o.Inputs = []curate.Input{{Name: in}}
	_, err := curate.Run(t.Context(), o)
	input, ok := errors.AsType[*files.InputError](err)
	if !ok || input.Path != in {
		t.Fatal(err)
	}
	t.Log(err)
	unfinished, ok := errors.AsType[*curate.UnfinishedError](err)
	if !ok || unfinished.Rows%30 != 0 || unfinished.Rows > tasks*aTask/2 {
		t.Errorf("%+v", unfinished)
	}
	if left := names(t, o.Out); !slices.Equal(left, []string{".spool"}) {
		t.Errorf("there are %v", left)
	}
}

// cutAt is where the nth of eight pieces of lines begins.
func cutAt(text []byte, n int) int {
	at := len(text) * n / 8
	if n == 0 || n == 8 {
		return at
	}
	return at + bytes.IndexByte(text[at:], '\n') + 1
}

// A grader may fail as often in a run that is continued as in one that is not.
func TestBudgetOfAll(t *testing.T) {
	in := writeLines(t)
	failing := func(budget int64) (o curate.Options, n *int) {
		graded := 0
		o = options(t, in, filepath.Join(t.TempDir(), "out"), 1, 10)
		o.PartRows, o.NoScan = 30, true
		o.Grade[0] = curate.Grading{Grader: grade.Func(grade.Info{Name: "failing", Version: "1", Kind: grade.Rule, Pure: true},
			func(ctx context.Context, _ *rollout.Row) (grade.Result, error) {
				for graded++; graded == 95 && ctx.Err() == nil; runtime.Gosched() {
					if found, err := filepath.Glob(filepath.Join(o.Out, ".spool", "part-*1.json")); err != nil || len(found) > 0 {
						break // two parts are finished
					}
				}
				return grade.Result{}, errors.New("out of order")
			}), Options: []grade.Option{grade.Budget(budget)}}
		return o, &graded
	}
	o, graded := failing(99)
	_, err := curate.Run(t.Context(), o)
	unfinished, ok := errors.AsType[*curate.UnfinishedError](err)
	if _, budget := errors.AsType[*grade.BudgetError](err); !budget || !ok || *graded < 100 || unfinished.Rows < 30 {
		t.Fatalf("%d graded, %+v", *graded, err)
	}
	again, graded := failing(99)
	again.Out = o.Out
	_, err = curate.Run(t.Context(), again)
	if _, budget := errors.AsType[*grade.BudgetError](err); !budget || *graded > 110-int(unfinished.Rows) {
		t.Errorf("%d were saved, %d graded then: %v", unfinished.Rows, *graded, err)
	}
}
