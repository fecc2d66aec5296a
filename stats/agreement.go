package stats

import "fmt"

// Floors of a judge (spec of statistics, section 2).
const (
	MinGold             = 50  // labels under which agreement is coarse
	MaxGoldAsk          = 200 // most labels that are asked for
	LeakThreshold       = 0.1 // share of gold failures passed that is a leak
	DefaultMinAgreement = 0.8 // Zheng et al. 2023, arXiv:2306.05685
	DefaultMinKappa     = 0.6 // Landis and Koch 1977, "substantial"
)

// Codes of the findings of an [AgreementReport].
const (
	CodeNothingToCompare Code = "nothing_to_compare" // no row has both labels
	CodeCoarse           Code = "coarse"             // fewer than [MinGold] labels
	CodeLeak             Code = "leak"               // the judge passes gold failures
	CodeUntrustedGold    Code = "untrusted_gold"     // gold is not of people or programs
	CodeOneLabel         Code = "one_label"          // both gave one label, kappa is 0/0
)

// LabelPair is a judge's label of a row beside the gold one.
type LabelPair struct {
	Judge, Gold Label
	GoldKind    string // human, program (or verifier), model; "" is unknown
}

// AgreementOptions are the arguments of [Agree].
type AgreementOptions struct {
	AllowModelGold bool
	Unmatched      int // rows that have no twin among the gold rows
	Others         int // rows without a gold label that are not among the pairs
}

// AgreementReport holds a judge against gold labels: agreement, Cohen's kappa
// (Cohen 1960; floors after Landis and Koch 1977 and Zheng et al. 2023,
// arXiv:2306.05685) and both kinds of error. Shares and kappa are rounded to 4
// digits; the confusion counts give them exactly.
type AgreementReport struct {
	N            int           `json:"n"`           // rows with both labels
	Skipped      int           `json:"n_skipped"`   // rows missing one
	Unmatched    int           `json:"n_unmatched"` // rows without a twin
	Agreement    Null[float64] `json:"agreement"`
	Kappa        Null[float64] `json:"kappa"`
	Confusion    Confusion     `json:"confusion"`
	Leak         Null[float64] `json:"pass_when_gold_fail"`
	Miss         Null[float64] `json:"fail_when_gold_pass"`
	JudgePasses  Null[float64] `json:"judge_pass_rate"`
	GoldPasses   Null[float64] `json:"gold_pass_rate"`
	GoldKind     Null[string]  `json:"gold_kind"` // of the rows that were compared
	OK           bool          `json:"ok"`        // something was compared, to gold that can be trusted
	Warnings     []string      `json:"warnings"`
	Findings     []Finding     `json:"findings"`
	missingJudge int
	missingGold  int
}

// Agree compares a judge's labels with gold ones.
func Agree(pairs []LabelPair, o AgreementOptions) *AgreementReport {
	r := &AgreementReport{Unmatched: o.Unmatched, Findings: []Finding{}}
	r.Skipped, r.missingGold = o.Others, o.Others
	kinds := []string{}
	seen := map[string]bool{}
	for _, p := range pairs {
		if p.Judge == NoLabel {
			r.missingJudge++
		}
		if p.Gold == NoLabel {
			r.missingGold++
		}
		if p.Judge == NoLabel || p.Gold == NoLabel {
			r.Skipped++
			continue
		}
		r.Confusion.Add(p.Judge, p.Gold)
		if !seen[p.GoldKind] {
			seen[p.GoldKind] = true
			kinds = append(kinds, p.GoldKind)
		}
	}
	c := r.Confusion
	r.N, r.GoldKind = c.N(), GoldKind(kinds)
	r.Agreement, r.Kappa = rounded(c.Agreement(), 4), rounded(c.Kappa(), 4)
	r.Leak, r.Miss = rounded(c.Leak(), 4), rounded(c.Miss(), 4)
	r.JudgePasses, r.GoldPasses = rounded(c.JudgePassRate(), 4), rounded(c.GoldPassRate(), 4)
	trusted := o.AllowModelGold || TrustedKind(r.GoldKind.V)
	r.OK = r.N > 0 && trusted
	r.judge(len(pairs)+o.Others, trusted)
	r.Warnings = texts(r.Findings, Warning)
	return r
}

func (r *AgreementReport) judge(rows int, trusted bool) {
	add := func(code Code, level Level, numbers Quantities, text string) {
		r.Findings = append(r.Findings, Finding{Code: code, Level: level, Numbers: numbers, Text: text})
	}
	if r.N == 0 {
		add(CodeNothingToCompare, Warning,
			quantities("rows", rows, "missing_judge", r.missingJudge, "missing_gold", r.missingGold),
			nothingToCompare(rows, r.missingJudge, r.missingGold))
		return
	}
	if r.N < MinGold {
		add(CodeCoarse, Warning, quantities("n", r.N, "need", MinGold),
			fmt.Sprintf("coarse: %d labels, want %d", r.N, MinGold))
	}
	if r.Leak.Or(0) >= LeakThreshold && r.Confusion.FP > 0 {
		add(CodeLeak, Warning, quantities("leak", r.Leak, "fp", r.Confusion.FP),
			fmt.Sprintf("leak: the judge passed %s of %d gold failures", percent(r.Leak.V, 0), r.Confusion.FP+r.Confusion.TN))
	}
	if !trusted {
		add(CodeUntrustedGold, Warning, quantities("n", r.N),
			fmt.Sprintf("gold is %s: agreement with it is not evidence, label by people or a program", r.GoldKind.V))
	}
	if jp, gp := r.JudgePasses.V, r.GoldPasses.V; jp == gp && (jp == 0 || jp == 1) {
		add(CodeOneLabel, Note, quantities("n", r.N),
			"judge and gold gave one label throughout: kappa is 0/0, told as 1 by convention")
	}
}

func nothingToCompare(rows, missingJudge, missingGold int) string {
	switch {
	case rows == 0:
		return "nothing to compare: no rows"
	case missingGold == rows:
		return fmt.Sprintf("nothing to compare: none of %d rows has a gold label", rows)
	case missingJudge == rows:
		return fmt.Sprintf("nothing to compare: none of %d rows has a judge's label", rows)
	}
	return fmt.Sprintf("nothing to compare: of %d rows %d lack the judge's label and %d the gold one, none has both",
		rows, missingJudge, missingGold)
}

// String prints the agreement in one line and its warnings.
func (r *AgreementReport) String() string {
	s := fmt.Sprintf("agreement %s (n=%d), kappa %s, leak %s, miss %s, gold %s",
		fixed(r.Agreement, 4), r.N, fixed(r.Kappa, 4), fixed(r.Leak, 4), fixed(r.Miss, 4), r.GoldKind.Or("n/a"))
	for _, w := range r.Warnings {
		s += "\n! " + w
	}
	return s
}
