package grade_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/grade"
	"github.com/rollmill/rollmill/stream"
)

var errBoom = errors.New("boom")

// troubled is a grader that meets every fate in turn, by the number in the reply.
func troubled(_ context.Context, row *rollout.Row) (grade.Result, error) {
	n, err := strconv.Atoi(row.FinalText)
	if err != nil {
		return grade.Result{}, err
	}
	switch n % 8 {
	case 0:
		return grade.Pass(""), nil
	case 1:
		return grade.Fail("wrong"), nil
	case 2:
		return grade.Score(0.5, "half"), nil
	case 3:
		return grade.Result{}, nil
	case 4:
		return grade.CannotJudge("no reference"), nil
	case 5:
		return grade.Result{}, errBoom
	case 6:
		panic(errBoom)
	}
	return grade.Score(7, ""), nil
}

// fates are the parts of the rows that tell what became of them.
var fates = []string{
	`"reward":1,"judge_status":"ok"`,
	`"reward":0,"judge_status":"ok","reason":"wrong"`,
	`"reward":0.5,"judge_status":"ok","reason":"half"`,
	`"reward":null,"judge_status":"missing_reward"`,
	`"reward":null,"judge_status":"invalid_result","reason":"no reference"`,
	`"reward":null,"judge_status":"error"`,
	`"reward":null,"judge_status":"error"`,
	`"reward":null,"judge_status":"invalid_result"`,
}

// inOrder reports whether the parts stand in the line one behind the other, with
// whatever between.
func inOrder(line, parts string) bool {
	for _, part := range strings.Split(parts, ",") {
		i := strings.Index(line, part)
		if i < 0 {
			return false
		}
		line = line[i:]
	}
	return true
}

// TestStageFates has rows leave in order with a status each, whether the grader
// works on a core or waits, with a timeout or without; what failed is never a 0.
func TestStageFates(t *testing.T) {
	for name, c := range map[string]struct {
		grader grade.Grader
		opts   []grade.Option
	}{
		"on a core":           {rule(troubled), nil},
		"on a core, in time":  {rule(troubled), []grade.Option{grade.Timeout(time.Minute)}},
		"on many cores":       {rule(troubled), []grade.Option{grade.Workers(4)}},
		"waiting":             {judge(troubled), []grade.Option{grade.InFlight(3)}},
		"a batch, row by row": {batched{judge(troubled), 1}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			var tally grade.Tally
			lines, err := run(t, numbered(t, 80), grade.Stage(c.grader, append(c.opts, grade.Into(&tally))...), stream.Items(7))
			if err != nil {
				t.Fatal(err)
			}
			for i, line := range lines {
				if !strings.Contains(line, fmt.Sprintf(`"final_text":"%d"`, i)) || !inOrder(line, fates[i%8]) {
					t.Errorf("row %d: %s, want %s", i, line, fates[i%8])
				}
			}
			counts := tally.Counts()
			if counts.Rows != 80 || counts.Passed != 10 || counts.Failed != 10 || counts.Partial != 10 || counts.Scored() != 30 {
				t.Errorf("counts %+v", counts)
			}
			got := ""
			for _, u := range counts.Unscored {
				got += fmt.Sprintf("%s %q %d\n", u.Word, u.Reason, u.Rows)
			}
			want := "missing_reward \"\" 10\ninvalid_result \"no reference\" 10\ninvalid_result \"reward_out_of_range 7\" 10\n" +
				"error \"boom\" 10\nerror \"panic: boom\" 10\n"
			if got != want {
				t.Errorf("unscored:\n%swant:\n%s", got, want)
			}
		})
	}
}

// batched makes a batch grader of another one.
type batched struct {
	grade.Grader
	most int
}

func (b batched) Info() grade.Info {
	info := b.Grader.Info()
	info.Batch = b.most
	return info
}

func (b batched) GradeBatch(ctx context.Context, rows []rollout.Row, results []grade.Result) (err error) {
	if len(rows) > b.most {
		return fmt.Errorf("%d rows, want at most %d", len(rows), b.most)
	}
	for i := range rows {
		if results[i], err = b.Grade(ctx, &rows[i]); err != nil {
			return err
		}
	}
	return nil
}

// TestBatchFailsTogether has one row fail a whole batch of the grader.
func TestBatchFailsTogether(t *testing.T) {
	g := batched{rule(func(_ context.Context, row *rollout.Row) (grade.Result, error) {
		if row.FinalText == "5" {
			return grade.Result{}, errBoom
		}
		return grade.Pass(""), nil
	}), 4}
	lines, err := run(t, numbered(t, 10), grade.Stage(g))
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range lines {
		if want := i < 4 || i > 7; strings.Contains(line, `"judge_status":"ok"`) != want {
			t.Errorf("row %d: %s", i, line)
		}
	}
}

// TestBatchTimeout has a batch grader that obeys its context.
func TestBatchTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := batched{judge(func(ctx context.Context, _ *rollout.Row) (grade.Result, error) {
			<-ctx.Done()
			return grade.Result{}, ctx.Err()
		}), 2}
		lines, err := run(t, numbered(t, 3), grade.Stage(g, grade.Timeout(time.Second)))
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range lines {
			if !strings.Contains(line, `"judge_status":"timeout"`) || !strings.Contains(line, `"timeout_s":1`) {
				t.Error(line)
			}
		}
	})
}

// TestSameBytes grades the same rows with any number of workers and any size of
// batches.
func TestSameBytes(t *testing.T) {
	want, err := run(t, numbered(t, 100), grade.Stage(rule(troubled)))
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(r *rapid.T) {
		opts := []grade.Option{grade.Workers(rapid.IntRange(1, 5).Draw(r, "workers")), grade.InFlight(rapid.IntRange(1, 9).Draw(r, "in flight"))}
		if rapid.Bool().Draw(r, "timeout") {
			opts = append(opts, grade.Timeout(time.Hour))
		}
		got, err := run(t, numbered(t, 100), grade.Stage(rule(troubled), opts...), stream.Items(rapid.IntRange(1, 120).Draw(r, "items")))
		if err != nil || !slices.Equal(got, want) {
			r.Errorf("got %v, %v", got, err)
		}
	})
}

// TestTimeout has graders that obey their context, that do not, and that never
// return: each ends as a status of its row, and late results are discarded.
func TestTimeout(t *testing.T) {
	for name, wait := range map[string]func(ctx context.Context, release chan struct{}) error{
		"obeys": func(ctx context.Context, _ chan struct{}) error {
			<-ctx.Done()
			return ctx.Err()
		},
		"comes late": func(context.Context, chan struct{}) error {
			time.Sleep(1100 * time.Millisecond)
			return nil
		},
		"never returns": func(_ context.Context, release chan struct{}) error {
			<-release
			return nil
		},
		"has a limit of its own": func(context.Context, chan struct{}) error {
			return fmt.Errorf("ask: %w", context.DeadlineExceeded)
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				release := make(chan struct{})
				var running, most atomic.Int64
				g := judge(func(ctx context.Context, row *rollout.Row) (grade.Result, error) {
					most.Store(max(most.Load(), running.Add(1)))
					defer running.Add(-1)
					if n, _ := strconv.Atoi(row.FinalText); n%10 != 3 {
						return grade.Pass(""), nil
					}
					if err := wait(ctx, release); err != nil {
						return grade.Result{}, err
					}
					return grade.Pass("late"), nil
				})
				var tally grade.Tally
				lines, err := run(t, numbered(t, 40), grade.Stage(g, grade.InFlight(5), grade.Timeout(time.Second), grade.Into(&tally)))
				if err != nil {
					t.Fatal(err)
				}
				for i, line := range lines {
					status := `"judge_status":"ok"`
					if i%10 == 3 {
						status = `"judge_status":"timeout"`
					}
					if !strings.Contains(line, status) || strings.Contains(line, "late") {
						t.Errorf("row %d: %s", i, line)
					}
				}
				if c := tally.Counts(); c.Passed != 36 || len(c.Unscored) != 1 || c.Unscored[0].Rows != 4 {
					t.Errorf("counts %+v", c)
				}
				if most.Load() > 5 {
					t.Errorf("%d calls at once", most.Load())
				}
				close(release)
			})
		})
	}
}

// TestBudget stops a run of too many failures, and says so.
func TestBudget(t *testing.T) {
	failing := func(_ context.Context, row *rollout.Row) (grade.Result, error) {
		if n, _ := strconv.Atoi(row.FinalText); n%2 == 1 {
			return grade.Result{}, fmt.Errorf("row %s: %w", row.FinalText, errBoom)
		}
		return grade.CannotJudge("no reference"), nil
	}
	for name, g := range map[string]grade.Grader{"on a core": rule(failing), "waiting": judge(failing)} {
		t.Run(name, func(t *testing.T) {
			_, err := run(t, numbered(t, 100), grade.Stage(g, grade.Budget(10), grade.InFlight(1)))
			over, ok := errors.AsType[*grade.BudgetError](err)
			if !ok || over.Budget != 10 || over.Pos.Record != 22 || over.Status != rollout.StatusError {
				t.Fatalf("got %v", err)
			}
			if want := "failed on 11 rows, more than the 10 it may; on the last with error: row 21: boom"; !strings.HasSuffix(err.Error(), want) {
				t.Errorf("got %q, want it to end with %q", err, want)
			}
			for _, most := range []int64{50, -1} {
				if _, err := run(t, numbered(t, 100), grade.Stage(g, grade.Budget(most))); err != nil {
					t.Errorf("budget %d: %v", most, err)
				}
			}
		})
	}
}

// TestStops cancels a run: no row is marked with what is no failure of the grader.
func TestStops(t *testing.T) {
	for name, grader := range map[string]func(func(context.Context, *rollout.Row) (grade.Result, error)) grade.Grader{"on a core": rule, "waiting": judge} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				time.AfterFunc(time.Second, cancel)
				var tally grade.Tally
				g := grader(func(ctx context.Context, _ *rollout.Row) (grade.Result, error) {
					<-ctx.Done()
					return grade.Result{}, ctx.Err()
				})
				flow := stream.Through(stream.FromSlice(numbered(t, 10)), grade.Stage(g, grade.Into(&tally)))
				if _, _, err := stream.Collect(ctx, flow); !errors.Is(err, context.Canceled) {
					t.Errorf("got %v", err)
				}
				if c := tally.Counts(); c.Rows != 0 {
					t.Errorf("counts %+v", c)
				}
			})
		})
	}
}
