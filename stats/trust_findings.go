package stats

import (
	"fmt"
	"math"
	"strings"
)

// GuessingKappa is the kappa under which a judge reads as guessing (Landis and
// Koch 1977, "slight").
const GuessingKappa = 0.2

const labelSearchMax = 1000

// Codes of the findings of a [TrustReport], beside those of agreement.
const (
	CodeAgreementLow  Code = "agreement_low" // lower end of the interval under the floor
	CodeKappaLow      Code = "kappa_low"
	CodeSkippedShare  Code = "skipped_share"  // gold rows with fractional rewards
	CodeForeignScorer Code = "foreign_scorer" // rows judged by somebody else
	CodeLengthBias    Code = "length_bias"
	CodeInconsistent  Code = "inconsistent" // verdicts flip when asked again
	CodeFiller        Code = "filler"       // verdicts move with empty words
	CodeExploitable   Code = "exploitable"  // a probe raises the pass rate
	CodeGoldOneClass  Code = "gold_one_class"
	CodeHalvesDiffer  Code = "halves_differ"
	CodeUnmeasured    Code = "unmeasured" // nothing to judge the judge by
)

// findings collects what is wrong, blocking ones first.
func (r *TrustReport) findings(in TrustInput, o TrustOptions) {
	r.Findings = []Finding{}
	if r.Trusted && r.Agreement.N > 0 {
		r.checkAgreement(o)
	}
	for _, f := range r.Agreement.Findings {
		if f.Code == CodeLeak {
			f.Level = Blocking
			r.Findings = append(r.Findings, f)
		}
	}
	r.checkSkipped()
	r.checkForeign(in)
	if r.Length.Flagged && !r.GoldDegenerate {
		r.add(CodeLengthBias, Blocking, "", quantities("max_gap", r.Length.MaxGap),
			"length bias: pass rates of long and short replies differ by "+percent(r.Length.MaxGap.V, 0))
	}
	r.checkRejudging(o)
	r.checkProbes()
	r.checkContext()
}

func (r *TrustReport) add(code Code, level Level, subject string, numbers Quantities, text string) {
	r.Findings = append(r.Findings, Finding{Code: code, Level: level, Subject: subject, Numbers: numbers, Text: text})
}

func (r *TrustReport) checkAgreement(o TrustOptions) {
	a := r.Agreement
	if low := a.CI95.V.Low; low < o.MinAgreement {
		point := a.Confusion.Agreement().V
		r.LabelMore = labelsNeeded(point, a.N, o.MinAgreement)
		fix := "change the judge"
		if r.LabelMore.Valid {
			fix = fmt.Sprintf("label about %d rows", r.LabelMore.V)
		}
		r.add(CodeAgreementLow, Blocking, "",
			quantities("agreement", point, "low", low, "floor", o.MinAgreement, "n", a.N),
			fmt.Sprintf("agreement %s has lower bound %.2f under %.2f (n=%d): %s", percent(point, 0), low, o.MinAgreement, a.N, fix))
	}
	if k := a.Kappa; k.Valid && k.V < o.MinKappa && !r.GoldDegenerate {
		text := fmt.Sprintf("kappa %.2f is under %.2f", k.V, o.MinKappa)
		if k.V < GuessingKappa {
			text += ": the judge reads as guessing"
		}
		r.add(CodeKappaLow, Blocking, "", quantities("kappa", k, "floor", o.MinKappa), text)
	}
}

// labelsNeeded is the number of labels at which the same agreement would clear
// the floor; absent when it never does, or needs more than [MaxGoldAsk].
func labelsNeeded(point float64, n int, floor float64) Null[int] {
	if point <= floor {
		return Null[int]{}
	}
	for ; n <= labelSearchMax; n++ {
		if Wilson(roundInt(point*float64(n)), n, Z95).V.Low >= floor {
			break
		}
	}
	if n > MaxGoldAsk {
		return Null[int]{}
	}
	return Of(n)
}

func (r *TrustReport) checkSkipped() {
	s := r.Skipped
	if s.Fractional == 0 {
		return
	}
	level := Warning
	if s.OverFloor {
		level = Blocking
	}
	r.add(CodeSkippedShare, level, "", quantities("fractional", s.Fractional, "n_gold", s.Gold, "share", s.Share),
		fmt.Sprintf("%d of %d gold rows have a fractional reward and are not compared", s.Fractional, s.Gold))
}

func (r *TrustReport) checkForeign(in TrustInput) {
	if in.JudgeName == "" {
		return
	}
	foreign := 0
	for _, row := range in.Rows {
		if row.JudgeName != "" && row.JudgeName != in.JudgeName {
			foreign++
		}
	}
	if foreign > 0 {
		r.add(CodeForeignScorer, Blocking, in.JudgeName, quantities("rows", foreign),
			fmt.Sprintf("%d rows were judged by another judge than %s: this measures that one", foreign, in.JudgeName))
	}
}

func (r *TrustReport) checkRejudging(o TrustOptions) {
	p := r.Perturbation
	if p == nil {
		return
	}
	p.flag(o.FlipFlag)
	if p.FlaggedConsistency {
		r.add(CodeInconsistent, Blocking, "", quantities("flips", p.Flips, "n", p.N),
			fmt.Sprintf("%s of %d verdicts flip when the same row is judged again", percent(p.FlipRate.V, 0), p.N))
	}
	if p.FlaggedLength {
		r.add(CodeFiller, Blocking, "", quantities("up", p.FillerUp, "down", p.FillerDown, "n", p.FillerN, "p", p.SignP),
			fmt.Sprintf("a filler sentence moves verdicts: %d up, %d down of %d", p.FillerUp, p.FillerDown, p.FillerN))
	}
}

func (r *TrustReport) checkProbes() {
	r.ExploitableBy = []string{}
	for _, p := range r.Probes {
		if p.Flagged {
			r.ExploitableBy = append(r.ExploitableBy, p.Name)
			r.add(CodeExploitable, Blocking, p.Name, quantities("hits", p.Hits, "of", p.Of, "rate", p.Rate),
				fmt.Sprintf("exploitable by %s: %d of %d verdicts", p.Name, p.Hits, p.Of))
		}
	}
}

// checkContext adds what weakens the figures without blocking them. The
// agreement's own word for nothing to compare gives way to "unmeasured" where
// nothing else is wrong.
func (r *TrustReport) checkContext() {
	blocked := len(r.Blocked()) > 0
	for _, f := range r.Agreement.Findings {
		switch {
		case f.Code == CodeNothingToCompare && r.Labeled == 0 && !blocked:
			r.add(CodeUnmeasured, Warning, "", quantities("rows", r.Rows, "gold", r.Skipped.Gold),
				fmt.Sprintf("unmeasured: %d rows, %d with a gold label, none with a verdict as well", r.Rows, r.Skipped.Gold))
		case f.Code == CodeCoarse || f.Code == CodeUntrustedGold || f.Code == CodeNothingToCompare:
			r.Findings = append(r.Findings, f)
		}
	}
	if r.GoldDegenerate {
		r.add(CodeGoldOneClass, Warning, "", quantities("n", r.Skipped.Gold),
			"all gold labels are equal: kappa and length bias say nothing")
	}
	a, b := r.Halves.A, r.Halves.B
	if a.N >= halvesMinRows && b.N >= halvesMinRows {
		if gap := math.Abs(a.exact - b.exact); gap >= halvesGap {
			r.add(CodeHalvesDiffer, Warning, "", quantities("half_a", a.exact, "half_b", b.exact),
				fmt.Sprintf("agreement differs between halves of the tasks: %s and %s", percent(a.exact, 0), percent(b.exact, 0)))
		}
	}
}

// String prints the headline, the figures and the warnings.
func (r *TrustReport) String() string {
	var b strings.Builder
	b.WriteString(r.Headline + "\n")
	if a := r.Agreement; a.N > 0 {
		fmt.Fprintf(&b, "agreement %s (95%% %s..%s, n=%d), kappa %s\n", percent(a.Confusion.Agreement().V, 0),
			percent(a.CI95.V.Low, 0), percent(a.CI95.V.High, 0), a.N, fixed(a.Kappa, 2))
		c := a.Confusion
		fmt.Fprintf(&b, "confusion tp %d, fp %d, fn %d, tn %d; leak %s, miss %s\n", c.TP, c.FP, c.FN, c.TN, fixed(a.Leak, 2), fixed(a.Miss, 2))
	} else {
		b.WriteString("agreement n/a (n=0)\n")
	}
	for _, h := range []struct {
		name string
		half Half
	}{{"a", r.Halves.A}, {"b", r.Halves.B}} {
		if h.half.N > 0 {
			fmt.Fprintf(&b, "half %s: agreement %s (n=%d)\n", h.name, percent(h.half.exact, 0), h.half.N)
		}
	}
	if r.Length.MaxGap.Valid {
		fmt.Fprintf(&b, "length gap %s%s\n", percent(r.Length.MaxGap.V, 0), flagWord(r.Length.Flagged))
	}
	if p := r.Perturbation; p != nil {
		fmt.Fprintf(&b, "%s\n", p)
	}
	for _, p := range r.Probes {
		fmt.Fprintf(&b, "%s\n", p)
	}
	fmt.Fprintf(&b, "disagreements to review: %d", len(r.Disagreements))
	for _, w := range r.Warnings {
		b.WriteString("\n! " + w)
	}
	return b.String()
}

func flagWord(flagged bool) string {
	if flagged {
		return "  FLAG"
	}
	return ""
}
