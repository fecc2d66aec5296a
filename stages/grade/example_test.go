package grade_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/grade"
	"github.com/rollmill/rollmill/stream"
)

// Any function can grade.
func Example() {
	polite := grade.Func(grade.Info{Name: "polite", Version: "1", Kind: grade.Rule, Needs: rollout.FieldFinalText, Pure: true},
		func(_ context.Context, row *rollout.Row) (grade.Result, error) {
			if row.FinalText == "" {
				return grade.CannotJudge("no reply"), nil
			}
			if strings.Contains(row.FinalText, "please") {
				return grade.Pass(""), nil
			}
			return grade.Fail("no please"), nil
		})

	var tally grade.Tally
	rows := stream.FromSlice([]rollout.Row{{ID: "a", FinalText: "Sit down, please."}, {ID: "b", FinalText: "Sit."}, {ID: "c"}})
	rows = stream.Through(rows, grade.Stage(polite, grade.Into(&tally)))
	for row, err := range rows.All(context.Background()) {
		fmt.Println(row.ID, row.Reward.Text, row.Status, row.Reason, err)
	}
	counts := tally.Counts()
	fmt.Println(counts.Passed, "passed of", counts.Scored(), "scored;", counts.Unscored[0].Rows, "unscored:", counts.Unscored[0].Reason)
	// Output:
	// a 1 ok  <nil>
	// b 0 ok no please <nil>
	// c null invalid_result no reply <nil>
	// 1 passed of 2 scored; 1 unscored: no reply
}
