package grade_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/grade"
	"github.com/rollmill/rollmill/stream"
)

// Tallies of parts that are saved, restored and merged count what one tally counts,
// for graders that wait and others.
func TestSavedTally(t *testing.T) {
	some := func(_ context.Context, row *rollout.Row) (grade.Result, error) {
		switch row.FinalText[len(row.FinalText)-1] {
		case '0':
			return grade.Result{}, errors.New("cannot \xff")
		case '1':
			return grade.Result{Status: rollout.StatusInvalidResult, Reason: "é\xff is no number"}, nil
		case '2', '3':
			return grade.Score(0, ""), nil
		case '4':
			return grade.Score(0.5, ""), nil
		}
		return grade.Score(1, ""), nil
	}
	for name, g := range map[string]grade.Grader{"on a core": rule(some), "waits": judge(some)} {
		t.Run(name, func(t *testing.T) {
			whole, parts := &grade.Tally{}, []*grade.Tally{{}, {}, {}}
			pick := func(seq uint64) *grade.Tally { return parts[seq/4] }
			for _, into := range []grade.Option{grade.Into(whole), grade.IntoEach(pick)} {
				if _, err := run(t, numbered(t, 120), grade.Stage(g, into, grade.Workers(3)), stream.Items(10)); err != nil {
					t.Fatal(err)
				}
			}
			merged := &grade.Tally{}
			for _, p := range parts {
				if n := p.Counts().Rows; n != 40 {
					t.Fatalf("a part has %d rows, want 40", n)
				}
				text, err := json.Marshal(p)
				if err != nil {
					t.Fatal(err)
				}
				again := &grade.Tally{}
				if err := json.Unmarshal(text, again); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(p.Counts(), again.Counts()); diff != "" {
					t.Errorf("saved and restored: %s", diff)
				}
				merged.Merge(again)
			}
			want, got := whole.Counts(), merged.Counts()
			if diff := cmp.Diff(want, got); diff != "" || want.Failures() != 12 || len(want.Unscored) != 2 {
				t.Errorf("%+v, merged: %s", want, diff)
			}
		})
	}
	if err := json.Unmarshal([]byte(`{"rows":1,"unscored":[{"status":"maybe","reason":"","rows":1}]}`), &grade.Tally{}); err == nil {
		t.Error("a status that there is not was taken")
	}
}

// Failures of an earlier part of a run count.
func TestSpent(t *testing.T) {
	g := rule(func(context.Context, *rollout.Row) (grade.Result, error) { return grade.Result{}, errors.New("no") })
	for _, c := range []struct {
		spent int64
		ok    bool
	}{{0, true}, {7, true}, {8, false}} {
		_, err := run(t, numbered(t, 3), grade.Stage(g, grade.Budget(10), grade.Spent(c.spent)))
		if budget := (*grade.BudgetError)(nil); errors.As(err, &budget) == c.ok {
			t.Errorf("%d spent: %v", c.spent, fmt.Sprint(err))
		}
	}
}
