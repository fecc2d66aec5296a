package stats

import (
	"fmt"
	"math"
	"strings"
)

// sizes are the group sizes that decide k.
type sizes struct {
	smallest, largest int // over groups of one or more
	smallestOfTwo     int // over groups of two or more, 0 when there is none
	atLargest         int // groups of the largest size
}

func groupSizes(tasks []Task) sizes {
	var s sizes
	for _, t := range tasks {
		if t.N == 0 {
			continue
		}
		if s.smallest == 0 || t.N < s.smallest {
			s.smallest = t.N
		}
		if t.N >= 2 && (s.smallestOfTwo == 0 || t.N < s.smallestOfTwo) {
			s.smallestOfTwo = t.N
		}
		switch {
		case t.N > s.largest:
			s.largest, s.atLargest = t.N, 1
		case t.N == s.largest:
			s.atLargest++
		}
	}
	return s
}

func (s sizes) inferredK() int { return max(1, s.smallestOfTwo) }
func (s sizes) uneven() bool   { return s.smallest != s.largest }

func degenerateReward(g Graded) Finding {
	value := fmt.Sprintf("%.2f", g.Value)
	if g.Value == math.Trunc(g.Value) {
		value = fmt.Sprintf("%.0f", g.Value)
	}
	return Finding{
		Code: CodeDegenerateReward, Level: Warning,
		Numbers: quantities("rows", g.Rows, "value", g.Value),
		Text:    fmt.Sprintf("all %d graded rows have reward %s: a figure that cannot vary measures nothing", g.Rows, value),
	}
}

func nothingGraded(j Judging) Finding {
	if j.Rows > 0 && j.OK == 0 {
		return Finding{
			Code: CodeJudgeFailed, Level: Warning,
			Numbers: quantities("rows", j.Rows),
			Text:    fmt.Sprintf("judge failed on all %d rows (%s): %s", j.Rows, strings.Join(j.Statuses, "/"), clip(j.Reason, 120)),
		}
	}
	return Finding{
		Code: CodeNothingGraded, Level: Warning,
		Text: "no row has a reward of 0 or 1: grade the rows first",
	}
}

// partialRewards speaks when whole tasks drop out; single rows are in the
// coverage.
func partialRewards(rows, tasks int) Finding {
	return Finding{
		Code: CodePartialRewards, Level: Warning,
		Numbers: quantities("rows", rows, "tasks", tasks),
		Text:    fmt.Sprintf("%d rows have a partial reward and %d tasks have no other: they are in no pass rate, make the criteria hard, 0 or 1", rows, tasks),
	}
}

func belowMinK(k, minK int, s sizes, inferred bool) Finding {
	if inferred && s.uneven() {
		return Finding{
			Code: CodeUnevenBelowMinK, Level: Note,
			Numbers: quantities("k", k, "min_k", minK, "largest", s.largest, "groups_at_largest", s.atLargest),
			Text: fmt.Sprintf("groups are uneven and the smallest gives k=%d, below min_k=%d; %d groups reach %d rollouts, ask for that k",
				k, minK, s.atLargest, s.largest),
		}
	}
	return Finding{
		Code: CodeBelowMinK, Level: Note,
		Numbers: quantities("k", k, "min_k", minK),
		Text:    fmt.Sprintf("k=%d is below min_k=%d, so pass@k and pass^k are not told: run more rollouts a task", k, minK),
	}
}

func noGroupHasK(k int, s sizes) Finding {
	return Finding{
		Code: CodeNoGroupHasK, Level: Note,
		Numbers: quantities("k", k, "largest", s.largest),
		Text:    fmt.Sprintf("no group has %d scored rollouts, the largest has %d", k, s.largest),
	}
}

func unevenGroups(k int, s sizes) Finding {
	return Finding{
		Code: CodeUneven, Level: Note,
		Numbers: quantities("k", k, "largest", s.largest),
		Text:    fmt.Sprintf("groups are uneven, k is the smallest (up to %d rollouts)", s.largest),
	}
}

func noInterval(tasks int) Finding {
	return Finding{
		Code: CodeNoInterval, Level: Note,
		Numbers: quantities("tasks", tasks, "need", MinCITasks),
		Text:    fmt.Sprintf("no interval on %d tasks, it needs %d: add tasks, not rollouts", tasks, MinCITasks),
	}
}

func unscored(c Coverage) Finding {
	return Finding{
		Code: CodeUnscored, Level: Warning,
		Numbers: quantities("unscored", c.Unscored, "invalid", c.Invalid, "scored", c.Scored,
			"tasks_scored", c.TasksScored, "tasks", c.Tasks),
		Text: c.String(),
	}
}

// joinTexts joins the sentences of findings.
func joinTexts(findings []Finding) string {
	all := make([]string, len(findings))
	for i, f := range findings {
		all[i] = f.Text
	}
	return strings.Join(all, "; ")
}

// clip cuts a text to a number of code points.
func clip(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n])
	}
	return s
}
