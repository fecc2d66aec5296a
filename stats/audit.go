package stats

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Limits of an audit (spec of statistics, section 2).
const (
	DefaultAuditSample = 40
	DefaultAuditWarn   = 0.10
	minAuditedFails    = 20
	auditExamples      = 5
	auditPass          = 0.5 // a judge's reward from which on it is a pass
)

// Codes of the findings of an [AuditReport].
const (
	CodeFalseNegatives Code = "false_negatives"
	CodeFewAudited     Code = "few_audited"
	CodeFalsePositives Code = "false_positives"
	CodeJudgeErrors    Code = "judge_errors"
	CodeSecondOpinion  Code = "second_opinion" // the judge is no ground truth
)

// AuditSample picks the rows to audit out of failed and passed ones: failed
// rows first, then passed ones, with one parity generator; all of them where
// there are no more than asked for. It returns indices in the order drawn.
func AuditSample(failed, passed, sample, passes int, seed int64) (fails, passing []int, err error) {
	if sample < 1 {
		return nil, nil, &ArgumentError{Name: "sample", Got: sample, Want: "1 or more"}
	}
	rng := NewMersenneTwister(seed)
	return rng.sampleOrAll(failed, sample), rng.sampleOrAll(passed, passes), nil
}

// sampleOrAll is Sample, or all in order when there are no more than k.
func (m *MersenneTwister) sampleOrAll(n, k int) []int {
	if n > k {
		return m.Sample(n, k)
	}
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// AuditRow is a row that a judge looked at without its verdict.
type AuditRow struct {
	Passed bool          // what the verifier said
	Judge  Null[float64] // the judge's reward; absent when it failed
	Reason string        // the verifier's reason
}

// AuditReport is a second look at a verifier's verdicts: how many of its failures
// a judge would pass. The judge is a second opinion, no ground truth.
type AuditReport struct {
	Fails       int            `json:"n_fails"`   // all failed rows
	Checked     int            `json:"n_checked"` // failed rows that were judged
	FN          int            `json:"false_negatives"`
	FNRate      Null[float64]  `json:"fn_rate"` // rounded to 4 digits
	FNCI95      Null[Interval] `json:"fn_ci95"` // Wilson
	WrongFails  Null[int]      `json:"estimated_wrong_fails"`
	PassChecked int            `json:"n_passes_checked"`
	FP          int            `json:"false_positives"`
	FPRate      Null[float64]  `json:"fp_rate"` // rounded to 4 digits
	FPCI95      Null[Interval] `json:"fp_ci95"`
	JudgeErrors int            `json:"judge_errors"`
	Reasons     []AuditReason  `json:"reasons"`
	Examples    []int          `json:"examples"` // indices of overturned failures, the first 5
	Warnings    []string       `json:"warnings"`
	Findings    []Finding      `json:"findings"`
}

// AuditReason counts the failures of one kind.
type AuditReason struct {
	Reason     string `json:"reason"`
	Count      int    `json:"count"`
	Overturned int    `json:"overturned"`
}

// Audit sums up a second look at a verifier. fails counts all failed rows, of
// which rows hold the sample; warn is the rate of false verdicts above which it
// warns, 0 for the default of 0.10.
func Audit(rows []AuditRow, fails int, warn float64) *AuditReport {
	if warn == 0 {
		warn = DefaultAuditWarn
	}
	r := &AuditReport{Fails: fails, Reasons: []AuditReason{}, Examples: []int{}, Findings: []Finding{}}
	for i, row := range rows {
		switch {
		case !row.Judge.Valid:
			r.JudgeErrors++
		case row.Passed:
			r.PassChecked++
			if row.Judge.V < auditPass {
				r.FP++
			}
		default:
			r.Checked++
			overturned := row.Judge.V >= auditPass
			r.count(reasonKind(row.Reason), overturned)
			if overturned {
				r.FN++
				if len(r.Examples) < auditExamples {
					r.Examples = append(r.Examples, i)
				}
			}
		}
	}
	slices.SortFunc(r.Reasons, func(a, b AuditReason) int {
		return cmp.Or(cmp.Compare(b.Overturned, a.Overturned), cmp.Compare(b.Count, a.Count), cmp.Compare(a.Reason, b.Reason))
	})
	fn, fp := share(r.FN, r.Checked), share(r.FP, r.PassChecked)
	r.FNRate, r.FPRate = rounded(fn, 4), rounded(fp, 4)
	r.FNCI95, r.FPCI95 = Wilson(r.FN, r.Checked, Z95), Wilson(r.FP, r.PassChecked, Z95)
	if fn.Valid {
		r.WrongFails = Of(roundInt(fn.V * float64(fails)))
	}
	r.judge(fn, fp, warn)
	r.Warnings = texts(r.Findings, Warning)
	return r
}

func (r *AuditReport) count(reason string, overturned bool) {
	i := slices.IndexFunc(r.Reasons, func(x AuditReason) bool { return x.Reason == reason })
	if i < 0 {
		i = len(r.Reasons)
		r.Reasons = append(r.Reasons, AuditReason{Reason: reason})
	}
	r.Reasons[i].Count++
	if overturned {
		r.Reasons[i].Overturned++
	}
}

func (r *AuditReport) judge(fn, fp Null[float64], warn float64) {
	add := func(code Code, level Level, numbers Quantities, text string) {
		r.Findings = append(r.Findings, Finding{Code: code, Level: level, Numbers: numbers, Text: text})
	}
	if fn.Valid && fn.V > warn {
		add(CodeFalseNegatives, Warning, quantities("fn_rate", fn, "checked", r.Checked),
			fmt.Sprintf("the judge passes %s of the failures: about %d of %d may be wrong", percent(fn.V, 0), r.WrongFails.V, r.Fails))
	}
	if r.Checked < minAuditedFails {
		add(CodeFewAudited, Warning, quantities("checked", r.Checked, "need", minAuditedFails),
			fmt.Sprintf("%d failures checked, want %d", r.Checked, minAuditedFails))
	}
	if fp.Valid && fp.V > DefaultAuditWarn {
		add(CodeFalsePositives, Warning, quantities("fp_rate", fp, "checked", r.PassChecked),
			fmt.Sprintf("the judge fails %s of the passes", percent(fp.V, 0)))
	}
	if r.JudgeErrors > 0 {
		add(CodeJudgeErrors, Warning, quantities("rows", r.JudgeErrors), fmt.Sprintf("the judge gave no verdict on %d rows", r.JudgeErrors))
	}
	add(CodeSecondOpinion, Note, nil, "the judge is a second opinion: read the overturned rows before changing the verifier")
}

var (
	verifierPrefix = regexp.MustCompile(`(?i)^\s*verifier\b[\s:]*`)
	digits         = regexp.MustCompile(`\d+(\.\d+)?`)
)

// reasonKind makes one kind of reasons that differ in their numbers and
// details.
func reasonKind(reason string) string {
	s := verifierPrefix.ReplaceAllString(reason, "")
	if i := strings.IndexAny(s, ":("); i >= 0 {
		s = s[:i]
	}
	return strings.ToLower(strings.TrimSpace(digits.ReplaceAllString(s, "#")))
}

// String prints the rates, the kinds of reasons, and the warnings.
func (r *AuditReport) String() string {
	rate := func(v Null[float64], iv Null[Interval]) string {
		if !v.Valid {
			return "n/a"
		}
		return fmt.Sprintf("%s (95%% %s..%s)", percent(v.V, 1), percent(iv.V.Low, 1), percent(iv.V.High, 1))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "false negatives %s, %d of %d checked of %d failures", rate(r.FNRate, r.FNCI95), r.FN, r.Checked, r.Fails)
	if r.WrongFails.Valid {
		fmt.Fprintf(&b, ", about %d wrong", r.WrongFails.V)
	}
	if r.PassChecked > 0 {
		fmt.Fprintf(&b, "\nfalse positives %s, %d of %d checked", rate(r.FPRate, r.FPCI95), r.FP, r.PassChecked)
	}
	for _, reason := range r.Reasons {
		fmt.Fprintf(&b, "\n  %-40s %d overturned of %d", reason.Reason, reason.Overturned, reason.Count)
	}
	for _, w := range r.Warnings {
		b.WriteString("\n! " + w)
	}
	for _, n := range texts(r.Findings, Note) {
		b.WriteString("\nnote: " + n)
	}
	return b.String()
}
