package curate_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/rollmill/rollmill/formats/jsonl"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/curate"
	"github.com/rollmill/rollmill/stages/grade"
	"github.com/rollmill/rollmill/stages/grade/verify"
	"github.com/rollmill/rollmill/stream"
)

// counted is a grader that knows which rows it graded, and stops its run after some.
type counted struct {
	grade.Grader
	waits bool
	after int // rows; 0: never
	stop  context.CancelFunc

	mu   sync.Mutex
	rows map[int]int // how often, by the place of the row among all
}

func newCounted(waits bool) *counted {
	return &counted{Grader: verify.Numeric(verify.NumericOptions{}), waits: waits, rows: map[int]int{}}
}

func (c *counted) Info() grade.Info {
	info := c.Grader.Info()
	info.Waits = c.waits
	return info
}

func (c *counted) Grade(ctx context.Context, row *rollout.Row) (grade.Result, error) {
	c.mu.Lock()
	task, _ := strconv.Atoi(strings.TrimPrefix(row.TaskID, "task-"))
	index, _ := row.Index.Int()
	c.rows[task*aTask+int(index)]++
	if len(c.rows) == c.after {
		c.stop()
	}
	c.mu.Unlock()
	return c.Grader.Grade(ctx, row)
}

// A run that is cut off anywhere, any number of times, with any workers and batches, and
// its spool in another folder each time,
// ends with the bytes of one that nothing disturbed, and no row of a part that was
// finished is graded again.
func TestContinued(t *testing.T) {
	in, dir, other, n := writeLines(t), t.TempDir(), t.TempDir(), 0
	var whole curate.Options
	want := map[int]map[string][]byte{} // by the rows of a part
	for _, rows := range []int{1, 17, 30, 100, curate.DefaultPartRows} {
		whole = options(t, in, filepath.Join(dir, fmt.Sprint("whole", rows)), 2, 64)
		whole.Scan.Shuffles, whole.PartRows = 10, rows
		whole.Grade[0].Grader = newCounted(false)
		if _, err := curate.Run(context.Background(), whole); err != nil {
			t.Fatal(err)
		}
		want[rows] = filesOf(t, whole.Out)
	}
	index := index(t)
	saved, passes := 0, map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		n++
		out := filepath.Join(dir, strconv.Itoa(n))
		defer os.RemoveAll(out)
		rows := rapid.SampledFrom(slices.Sorted(maps.Keys(want))).Draw(t, "rows of a part")
		before := int64(0)
		for cuts := rapid.IntRange(0, 3).Draw(t, "cuts"); ; cuts-- {
			ctx, stop := context.WithCancel(context.Background())
			g := newCounted(rapid.Bool().Draw(t, "waits"))
			tmp := rapid.SampledFrom([]string{"", dir, other}).Draw(t, "folder of the spool")
			workers := rapid.IntRange(1, 4).Draw(t, "workers")
			o := curate.Options{
				Rows:   jsonl.Open(in, jsonl.Workers(workers), jsonl.BatchRows(rapid.IntRange(1, 60).Draw(t, "batch"))),
				Inputs: whole.Inputs, Grade: []curate.Grading{{Grader: g}}, Index: index, Out: out, Workers: workers,
				Format: whole.Format, Select: whole.Select, Scan: whole.Scan, Tmp: tmp, PartRows: rows,
			}
			told := int64(0)
			o.Tell = func(notice fmt.Stringer) {
				if c, ok := notice.(curate.Continuing); ok {
					told = c.Rows
				}
			}
			cut := ""
			if cuts > 0 {
				if g.after, g.stop = rapid.IntRange(0, tasks*aTask).Draw(t, "graded"), stop; g.after == 0 {
					cut = rapid.SampledFrom([]string{"continue", "read", "scan", "write", "train"}).Draw(t, "pass")
				}
			}
			o.Progress = func(pass string, _ *stream.Running) {
				if pass == cut {
					stop()
				}
			}
			_, err := curate.Run(ctx, o)
			stop()
			if told != before {
				t.Fatalf("%d rows were saved, and %d were continued", before, told)
			}
			for row, times := range g.rows {
				if int64(row) < before || times > 1 {
					t.Fatalf("row %d was graded %d times, and the first %d were finished", row, times, before)
				}
			}
			if err == nil {
				break
			}
			unfinished, ok := errors.AsType[*curate.UnfinishedError](err)
			if !ok || !errors.Is(err, context.Canceled) || unfinished.Rows < before {
				t.Fatalf("%+v: %v", unfinished, err)
			}
			if before = unfinished.Rows; before > 0 {
				saved++
			}
			passes[cut]++
			if left, err := os.ReadDir(out); err != nil || len(left) > 2 { // the spool; rows.arrow of a run that was cut off behind it
				t.Fatalf("there are %v, %v", left, err)
			}
		}
		sameFiles(t, want[rows], filesOf(t, out))
	})
	for _, dir := range []string{dir, other} {
		if entries, err := filepath.Glob(filepath.Join(dir, "*.spool")); err != nil || len(entries) > 0 {
			t.Errorf("left behind: %v, %v", entries, err)
		}
	}
	t.Logf("rows were saved %d times; cut off in %v", saved, passes)
	if saved == 0 {
		t.Error("nothing was ever saved")
	}
}
