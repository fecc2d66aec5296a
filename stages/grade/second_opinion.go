package grade

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stats"
)

// Limits of a second opinion (spec of rows, section 2.12).
const (
	opinionExamples = 3
	opinionMinRows  = 2
	opinionRate     = 0.5
)

// CodeDisputedReason says that a second judge does not follow a reason.
const CodeDisputedReason stats.Code = "disputed_reason"

// Opinion is what a second judge thinks of verdicts.
type Opinion struct {
	Agreed        int             `json:"agreed"`
	Disagreed     int             `json:"disagreed"`
	Unscored      int             `json:"unscored"`      // rows on which either has no verdict of 0 or 1
	Disagreements []int           `json:"disagreements"` // indices of rows
	ByReason      []ReasonOpinion `json:"by_judge_reason"`
	Findings      []stats.Finding `json:"findings"`
}

// ReasonOpinion is what a second judge thinks of the verdicts with one reason.
type ReasonOpinion struct {
	Reason    string  `json:"reason"`
	Audited   int     `json:"audited"`
	Disagreed int     `json:"disagreed"`
	Rate      float64 `json:"disagree_rate"`
	Examples  []int   `json:"examples"` // indices of rows, the first 3
}

// SecondOpinion has another judge grade rows and says where the two differ, and
// by which reasons. It writes to no row. A judge that graded one of the rows
// itself is refused with [ErrSameJudge].
func SecondOpinion(ctx context.Context, rows []rollout.Row, judge Grader, opts ...Option) (*Opinion, error) {
	all := make([]int, len(rows))
	for i := range all {
		all[i] = i
	}
	second, err := lookAgain(ctx, rows, all, judge, opts)
	if err != nil {
		return nil, err
	}
	o := &Opinion{Disagreements: []int{}, ByReason: []ReasonOpinion{}, Findings: []stats.Finding{}}
	at := map[string]int{}
	for i := range rows {
		first, ok := rows[i].BinaryReward()
		other, judged := second[i].BinaryReward()
		if !ok || !judged {
			o.Unscored++
			continue
		}
		n, known := at[rows[i].Reason]
		if !known {
			n = len(o.ByReason)
			at[rows[i].Reason] = n
			o.ByReason = append(o.ByReason, ReasonOpinion{Reason: rows[i].Reason, Examples: []int{}})
		}
		r := &o.ByReason[n]
		r.Audited++
		if first == other {
			o.Agreed++
			continue
		}
		o.Disagreed++
		o.Disagreements = append(o.Disagreements, i)
		r.Disagreed++
		if len(r.Examples) < opinionExamples {
			r.Examples = append(r.Examples, i)
		}
	}
	o.conclude()
	return o, nil
}

// conclude orders the reasons, the most disputed first, and names those that are.
func (o *Opinion) conclude() {
	for i := range o.ByReason {
		r := &o.ByReason[i]
		r.Rate = float64(r.Disagreed) / float64(r.Audited)
	}
	slices.SortFunc(o.ByReason, func(a, b ReasonOpinion) int {
		return cmp.Or(cmp.Compare(b.Disagreed, a.Disagreed), cmp.Compare(b.Audited, a.Audited), strings.Compare(a.Reason, b.Reason))
	})
	for _, r := range o.ByReason {
		if r.Audited >= opinionMinRows && r.Rate >= opinionRate {
			o.Findings = append(o.Findings, stats.Finding{
				Code: CodeDisputedReason, Level: stats.Warning,
				Numbers: stats.Quantities{{Name: "audited", Value: stats.Of(float64(r.Audited))}, {Name: "disagree_rate", Value: stats.Of(r.Rate)}},
				Text:    fmt.Sprintf("the second judge does not follow %q on %d of %d rows", cut(r.Reason, maxWhy), r.Disagreed, r.Audited),
			})
		}
	}
}
