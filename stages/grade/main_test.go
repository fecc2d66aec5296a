package grade_test

import (
	"context"
	"fmt"
	"testing"

	"go.uber.org/goleak"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/grade"
	"github.com/rollmill/rollmill/stream"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// decode makes rows of JSON texts, numbered from 1.
func decode(t testing.TB, texts ...string) []rollout.Row {
	t.Helper()
	rows := make([]rollout.Row, len(texts))
	for i, text := range texts {
		if err := rollout.NewDecoder(rollout.AllFields).Decode([]byte(text), &rows[i]); err != nil {
			t.Fatal(err)
		}
		rows[i].Pos = rollout.Pos{Record: int64(i + 1)}
	}
	return rows
}

// numbered makes n rows whose final text is their number, from 0 on.
func numbered(t testing.TB, n int) []rollout.Row {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = fmt.Sprintf(`{"scenario_id":"t%d","final_text":"%d","reward":1}`, i/4, i)
	}
	return decode(t, texts...)
}

// run grades rows and returns them as lines.
func run(t testing.TB, rows []rollout.Row, stage stream.Stage[rollout.Row, rollout.Row], opts ...stream.Option) ([]string, error) {
	t.Helper()
	graded, _, err := stream.Collect(t.Context(), stream.Through(stream.FromSlice(rows, opts...), stage))
	lines := make([]string, len(graded))
	for i := range graded {
		lines[i] = string(graded[i].AppendLine(nil))
	}
	return lines, err
}

// rule is a grader of the tests: pure, on a core, version 1.
func rule(fn func(ctx context.Context, row *rollout.Row) (grade.Result, error)) grade.Grader {
	return grade.Func(grade.Info{Name: "rule", Version: "1", Kind: grade.Rule, Needs: rollout.FieldFinalText, Pure: true}, fn)
}

// judge is a grader of the tests that waits.
func judge(fn func(ctx context.Context, row *rollout.Row) (grade.Result, error)) grade.Grader {
	return grade.Func(grade.Info{Name: "judge", Version: "m@1", Kind: grade.Judge, Model: "m", Needs: rollout.FieldFinalText, Pure: true, Waits: true}, fn)
}
