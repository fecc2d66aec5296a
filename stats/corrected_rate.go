package stats

import (
	"fmt"
	"math"
)

// Codes of the findings of a [CorrectedRate].
const (
	CodeUninformative Code = "uninformative" // the judge is no better than a coin
	CodeOutOfRange    Code = "out_of_range"  // the correction left [0, 1] and was cut
)

// JudgedRate is a pass rate as a judge told it, and how the judge did on gold
// labels.
type JudgedRate struct {
	Passes int // rollouts that the judge passed
	N      int // rollouts that it judged
	// EffectiveN is the number of independent rollouts that N is worth, where
	// rollouts of one task are not independent: N over the design effect of a
	// [ClusterReport]. 0 is N.
	EffectiveN float64
	Gold       Confusion // the judge against gold labels, on other rows
}

// CorrectedRate is a pass rate freed from the judge's measured bias.
type CorrectedRate struct {
	Raw         Null[float64]  `json:"raw"`         // p, as the judge told it
	Sensitivity Null[float64]  `json:"sensitivity"` // q1, of gold passes
	Specificity Null[float64]  `json:"specificity"` // q0, of gold failures
	Rate        Null[float64]  `json:"rate"`        // corrected, cut to [0, 1]
	CI95        Null[Interval] `json:"ci95"`        // knows that q0 and q1 were measured on few labels
	GoldPasses  int            `json:"n_gold_pass"`
	GoldFails   int            `json:"n_gold_fail"`
	Findings    []Finding      `json:"findings"`
}

// CorrectPassRate corrects a pass rate for the judge's sensitivity q1 and
// specificity q0: theta = (p + q0 - 1)/(q0 + q1 - 1) (Rogan and Gladen 1978).
// The interval is that of Lang and Reiczigel 2014, as Lee et al. 2025
// (arXiv:2511.21140) recommend it for judges that are language models: p, q0
// and q1 each shrunk a little towards 1/2 and their variances carried through,
// so that few gold labels make it wide. Everything is absent when gold has only
// one class or nothing was judged; rate and interval also when q0 + q1 does not
// exceed 1, since a judge no better than a coin cannot be corrected. Level 0 is
// 0.95.
func CorrectPassRate(in JudgedRate, level float64) (*CorrectedRate, error) {
	if level == 0 {
		level = DefaultLevel
	}
	if err := openUnit("Level", level); err != nil {
		return nil, err
	}
	if in.EffectiveN < 0 {
		return nil, &ArgumentError{Name: "EffectiveN", Got: in.EffectiveN, Want: "a positive number, or 0 for N"}
	}
	g := in.Gold
	r := &CorrectedRate{
		Raw: share(in.Passes, in.N), Sensitivity: share(g.TP, g.TP+g.FN), Specificity: share(g.TN, g.TN+g.FP),
		GoldPasses: g.TP + g.FN, GoldFails: g.TN + g.FP, Findings: []Finding{},
	}
	if !r.Raw.Valid || !r.Sensitivity.Valid || !r.Specificity.Valid {
		return r, nil
	}
	p, q0, q1 := r.Raw.V, r.Specificity.V, r.Sensitivity.V
	if q0+q1 <= 1 {
		r.Findings = append(r.Findings, Finding{
			Code: CodeUninformative, Level: Blocking, Numbers: quantities("sensitivity", q1, "specificity", q0),
			Text: "the judge is no better than a coin on the gold labels: its pass rate cannot be corrected",
		})
		return r, nil
	}
	theta := (p + q0 - 1) / (q0 + q1 - 1)
	if theta < 0 || theta > 1 {
		r.Findings = append(r.Findings, Finding{
			Code: CodeOutOfRange, Level: Warning, Numbers: quantities("rate", theta),
			Text: "the corrected rate lies outside 0..1 and was cut: the gold labels do not fit the rollouts, or are few",
		})
	}
	r.Rate = Of(clip01(theta))
	n := in.EffectiveN
	if n == 0 {
		n = float64(in.N)
	}
	r.CI95 = Of(langReiczigel(p, n, q0, float64(r.GoldFails), q1, float64(r.GoldPasses), NormalQuantile((1+level)/2)))
	return r, nil
}

// langReiczigel is the interval of a corrected rate.
func langReiczigel(p, n, q0, m0, q1, m1, z float64) Interval {
	zz := z * z
	p = (n*p + zz/2) / (n + zz)
	q0 = (m0*q0 + 1) / (m0 + 2)
	q1 = (m1*q1 + 1) / (m1 + 2)
	n, m0, m1 = n+zz, m0+2, m1+2
	youden := q0 + q1 - 1
	if youden <= 0 {
		return Interval{Low: 0, High: 1}
	}
	theta := (p + q0 - 1) / youden
	v0, v1 := q0*(1-q0)/m0, q1*(1-q1)/m1
	shift := 2 * zz * (float64(theta*v1) - float64((1-theta)*v0))
	half := z / youden * math.Sqrt(p*(1-p)/n+float64(theta*theta*v1)+float64((1-theta)*(1-theta)*v0))
	centre := theta + shift
	return Interval{Low: centre - half, High: centre + half}.clamp()
}

// String prints the corrected rate beside the raw one.
func (r *CorrectedRate) String() string {
	s := "pass rate " + fixed(r.Rate, 3)
	if r.CI95.Valid {
		s += " [" + band(r.CI95, 3, fixed) + "]"
	}
	s += fmt.Sprintf(" corrected from %s (sensitivity %s on %d gold passes, specificity %s on %d gold failures)",
		fixed(r.Raw, 3), fixed(r.Sensitivity, 3), r.GoldPasses, fixed(r.Specificity, 3), r.GoldFails)
	for _, f := range r.Findings {
		s += "\n! " + f.Text
	}
	return s
}
