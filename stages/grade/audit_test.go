package grade_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/grade"
)

// verdicts makes n failed rows, of which the auditor of the tests passes every
// fourth, and n passed ones, which it fails on every fifth.
func verdicts(t *testing.T, n int) []rollout.Row {
	var texts []string
	for i := range n {
		texts = append(texts, fmt.Sprintf(`{"final_text":"f%d","reward":0,"judge_name":"numeric","reason":"no number %d","judge_meta":{"x":1}}`, i, i))
	}
	for i := range n {
		texts = append(texts, fmt.Sprintf(`{"final_text":"p%d","reward":1,"judge_name":"numeric","reason":"equal"}`, i))
	}
	return decode(t, append(texts, `{"final_text":"f0","reward":0,"judge_status":"error"}`)...)
}

func auditor(t *testing.T) grade.Grader {
	return judge(func(_ context.Context, row *rollout.Row) (grade.Result, error) {
		if row.Reward.Text != "" || row.Reason != "" || row.Judge != "" || row.Has(rollout.FieldReward) || len(row.Extra) > 0 {
			t.Errorf("the auditor sees the verdict: %+v", row)
		}
		var n int
		if _, err := fmt.Sscanf(row.FinalText[1:], "%d", &n); err != nil {
			return grade.Result{}, err
		}
		switch {
		case row.FinalText[0] == 'f' && n%4 == 0, row.FinalText[0] == 'p' && n%5 != 0:
			return grade.Pass(""), nil
		case n == 7:
			return grade.Result{}, errBoom
		}
		return grade.Fail(""), nil
	})
}

func TestAudit(t *testing.T) {
	rows := verdicts(t, 20)
	report, err := grade.Audit(t.Context(), rows, auditor(t), grade.AuditOptions{Passes: 10})
	if err != nil {
		t.Fatal(err)
	}
	if report.Fails != 20 || report.Checked != 19 || report.FN != 5 || report.PassChecked != 10 || report.JudgeErrors != 1 {
		t.Errorf("report %+v", report)
	}
	if len(report.Examples) != 5 || report.Examples[0] != 0 || report.Examples[4] != 16 || len(report.Reasons) != 1 || report.Reasons[0].Reason != "no number #" {
		t.Errorf("examples %v, reasons %+v", report.Examples, report.Reasons)
	}
	if rows[0].Reason != "no number 0" || rows[0].Changed() != 0 || len(rows[0].Extra) != 1 {
		t.Errorf("the audit wrote to a row: %+v", rows[0])
	}
	same := grade.Func(grade.Info{Name: "numeric", Pure: true}, func(context.Context, *rollout.Row) (grade.Result, error) { return grade.Pass(""), nil })
	if _, err := grade.Audit(t.Context(), rows, same, grade.AuditOptions{}); !errors.Is(err, grade.ErrSameJudge) {
		t.Errorf("got %v", err)
	}
	if _, err := grade.Audit(t.Context(), rows, auditor(t), grade.AuditOptions{Sample: -1}); err == nil {
		t.Error("no error for a sample of less than one row")
	}
}

func TestSecondOpinion(t *testing.T) {
	rows := verdicts(t, 20)
	for i := range 20 {
		rows[i].Reason = "even"
		if i%2 == 1 {
			rows[i].Reason = "odd"
		}
	}
	o, err := grade.SecondOpinion(t.Context(), rows, auditor(t))
	if err != nil {
		t.Fatal(err)
	}
	// Failed rows: 5 of 10 even ones pass now. Passed rows: 4 of 20 fail. One error, one row without a verdict.
	if o.Agreed != 30 || o.Disagreed != 9 || o.Unscored != 2 || len(o.Disagreements) != 9 {
		t.Errorf("got %+v", o)
	}
	first := o.ByReason[0]
	if first.Reason != "even" || first.Audited != 10 || first.Rate != 0.5 || len(first.Examples) != 3 || first.Examples[1] != 4 {
		t.Errorf("first reason %+v", first)
	}
	if len(o.Findings) != 1 || o.Findings[0].Code != grade.CodeDisputedReason {
		t.Errorf("findings %+v", o.Findings)
	}
}
