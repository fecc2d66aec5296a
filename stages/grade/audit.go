package grade

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stats"
	"github.com/rollmill/rollmill/stream"
)

// ErrSameJudge says that an auditor is the judge whose verdicts it is to audit.
var ErrSameJudge = errors.New("the auditor graded these rows itself; take another one")

// AuditOptions are the arguments of [Audit]. The zero value is the default.
type AuditOptions struct {
	Sample int     // failed rows to look at again; default [stats.DefaultAuditSample]
	Passes int     // passed rows to look at too; default none
	Seed   int64   // of the sample
	Warn   float64 // share of wrong failures above which it warns; default [stats.DefaultAuditWarn]
}

// Audit has a second grader look at a sample of the rows that a verifier failed,
// and passed, and sums up how many it would not have (spec of statistics,
// section 13). Examples of the report are indices of rows. The auditor sees rows
// without their verdict; a row that it cannot grade is counted as such.
func Audit(ctx context.Context, rows []rollout.Row, auditor Grader, o AuditOptions, opts ...Option) (*stats.AuditReport, error) {
	var failed, passed []int
	for i := range rows {
		switch pass, ok := rows[i].BinaryReward(); {
		case ok && pass:
			passed = append(passed, i)
		case ok:
			failed = append(failed, i)
		}
	}
	fails, passes, err := stats.AuditSample(len(failed), len(passed), cmp.Or(o.Sample, stats.DefaultAuditSample), o.Passes, o.Seed)
	if err != nil {
		return nil, fmt.Errorf("grade: audit: %w", err)
	}
	var drawn []int
	for _, i := range fails {
		drawn = append(drawn, failed[i])
	}
	for _, i := range passes {
		drawn = append(drawn, passed[i])
	}
	second, err := lookAgain(ctx, rows, drawn, auditor, opts)
	if err != nil {
		return nil, err
	}
	audited := make([]stats.AuditRow, len(drawn))
	for n, i := range drawn {
		pass, _ := rows[i].BinaryReward()
		audited[n] = stats.AuditRow{Passed: pass, Reason: rows[i].Reason}
		if reward, ok := rewardOf(&second[n]); ok {
			audited[n].Judge = stats.Of(reward)
		}
	}
	report := stats.Audit(audited, len(failed), o.Warn)
	for i, n := range report.Examples {
		report.Examples[i] = drawn[n]
	}
	return report, nil
}

func rewardOf(row *rollout.Row) (float64, bool) {
	if row.Status != rollout.StatusOK {
		return 0, false
	}
	return row.Reward.Float()
}

// lookAgain grades copies of some rows without the verdicts that they carry.
func lookAgain(ctx context.Context, rows []rollout.Row, which []int, auditor Grader, opts []Option) ([]rollout.Row, error) {
	blind := make([]rollout.Row, len(which))
	for n, i := range which {
		if rows[i].Judge != "" && rows[i].Judge == auditor.Info().Name {
			return nil, fmt.Errorf("grade: audit by %s: %w", rows[i].Judge, ErrSameJudge)
		}
		blind[n] = rows[i]
		blind[n].Clear(rollout.FieldReward | rollout.FieldStatus | rollout.FieldReason | rollout.FieldJudge | rollout.FieldPriorReward)
		blind[n].Extra = slices.DeleteFunc(slices.Clone(blind[n].Extra), func(m rollout.Member) bool {
			return m.Name == "judge_meta" || m.Name == "failure_class"
		})
	}
	again, err := Regrade(auditor, opts...)
	if err != nil {
		return nil, err
	}
	second, _, err := stream.Collect(ctx, stream.Through(stream.FromSlice(blind), again))
	if err != nil {
		return nil, fmt.Errorf("grade: audit: %w", err)
	}
	return second, nil
}
