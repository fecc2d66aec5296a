package curate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/hackscan"
	"github.com/rollmill/rollmill/stages/measure"
	"github.com/rollmill/rollmill/stages/selection"
)

// manyRows are 200,000 small rows of 10,000 tasks: of so many, intervals are still drawn
// value by value, which takes the longest.
func manyRows(t *testing.T) []rollout.Row {
	const tasks, aTask = 10_000, 20
	random, decoder := rand.New(rand.NewPCG(1, 2)), rollout.NewDecoder(rollout.AllFields)
	words := strings.Fields("the a reply of some words that are few and come again so that they make terms which many rows have or have not")
	rows := make([]rollout.Row, tasks*aTask)
	for i := range rows {
		task := fmt.Sprintf("task-%d", i/aTask)
		reply := make([]string, 10)
		for w := range reply {
			reply[w] = words[random.IntN(len(words))]
		}
		line := fmt.Sprintf(`{"task_id":%q,"rollout_index":%d,"prompt":%q,"final_text":"%s %d.","finish_reason":"stop","reward":%d,"judge_status":"ok"}`,
			task, i%aTask, task, strings.Join(reply, " "), i%aTask, random.IntN(2))
		if err := decoder.Decode([]byte(line), &rows[i]); err != nil {
			t.Fatal(err)
		}
		rows[i].Pos = rollout.Pos{Record: int64(i + 1)}
	}
	return rows
}

// Whatever a run does between its passes, it ends within a second of its context.
func TestStepsBetweenPassesEnd(t *testing.T) {
	if testing.Short() || raced {
		t.Skip("it takes times, of steps that take seconds")
	}
	rows := manyRows(t)
	const page = 1000
	scan := func(floor hackscan.Floor) func() func(context.Context) error {
		return func() func(context.Context) error {
			first, err := hackscan.NewFirst(hackscan.Options{Floor: floor, Workers: 2})
			if err != nil {
				t.Fatal(err)
			}
			for from := 0; from < len(rows); from += page {
				first.Add(first.Read(rows[from : from+page]))
			}
			second := first.Second()
			for from := 0; second.Needed() && from < len(rows); from += page {
				if err := second.Add(second.Read(rows[from : from+page])); err != nil {
					t.Fatal(err)
				}
			}
			return func(ctx context.Context) error { _, err := second.Report(ctx); return err }
		}
	}
	plan := func(o selection.Options) func() func(context.Context) error {
		return func() func(context.Context) error {
			a, err := selection.New(o)
			if err != nil {
				t.Fatal(err)
			}
			a.Add(rows)
			return func(ctx context.Context) error { _, err := a.Plan(ctx); return err }
		}
	}
	for _, step := range []struct {
		name string
		make func() func(context.Context) error
	}{
		{"scan, calibrated", scan(hackscan.Calibrated)},
		{"scan, parity", scan(hackscan.Parity)},
		{"measure", func() func(context.Context) error {
			l := &line{Options: Options{K: []int{1, 2, 4, 8, 12, 16, 20}}, measured: measure.New(measureOptions), result: &Result{}}
			l.measured.Add(rows)
			return l.measure
		}},
		{"plan, rl", plan(selection.Options{Mode: selection.RL})},
		{"plan, sft", plan(selection.Options{Mode: selection.SFT})},
		{"plan, pairs", plan(selection.Options{Mode: selection.Pairs})},
	} {
		t.Run(step.name, func(t *testing.T) {
			run, begun := step.make(), time.Now()
			if err := run(t.Context()); err != nil {
				t.Fatal(err)
			}
			whole := time.Since(begun)
			for _, share := range []float64{0, 0.1, 0.5} {
				ctx, cancel := context.WithCancel(t.Context())
				cancelled := make(chan time.Time, 1)
				end := func() { cancelled <- time.Now(); cancel() }
				run := step.make()
				if share == 0 {
					end()
				} else {
					defer time.AfterFunc(time.Duration(share*float64(whole)), end).Stop()
				}
				err := run(ctx)
				ended := time.Now()
				select {
				case at := <-cancelled:
					took := ended.Sub(at)
					t.Logf("of %v, cancelled at %v %%: it ended after %v: %v", whole, 100*share, took, err)
					if took > time.Second || share == 0 && !errors.Is(err, context.Canceled) || err != nil && !errors.Is(err, context.Canceled) {
						t.Errorf("cancelled at %v %%: it ended after %v: %v", 100*share, took, err)
					}
				default: // it was done before
				}
			}
		})
	}
}

// Copying a file ends with its context.
func TestReadingEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	endless := reading{ctx, readerFunc(func(p []byte) (int, error) { cancel(); return len(p), nil })}
	if n, err := io.Copy(io.Discard, endless); n == 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("%d bytes, %v", n, err)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
