package stats

import "fmt"

// Codes of the findings of a [PairwiseReport].
const (
	CodePositionFlip    Code = "position_flip"    // the order of the two decides
	CodePrefersRejected Code = "prefers_rejected" // the judge contradicts the pairs
)

// Flags of a [PairwiseReport] (Zheng et al. 2023, arXiv:2306.05685).
const (
	DefaultPositionFlip    = 0.2
	DefaultPrefersRejected = 0.2
)

// PairAnswer is a judge's answer about a pair, read back to which of the two it
// prefers.
type PairAnswer string

const (
	PairFailed   PairAnswer = ""
	PairChosen   PairAnswer = "chosen"
	PairRejected PairAnswer = "rejected"
	PairTie      PairAnswer = "tie"
)

// PairVerdict is the answer to a pair.
type PairVerdict struct {
	Winner     PairAnswer
	Consistent Null[bool] // whether both orders agree; absent with fewer than two answers
	Swapped    bool       // the pair was asked in both orders
}

// ResolvePair joins the answers to a pair asked in both orders: when they agree
// that is the winner, when not it is a tie; where one failed the other counts.
func ResolvePair(first, second PairAnswer) PairVerdict {
	v := PairVerdict{Swapped: true}
	switch {
	case first == PairFailed:
		v.Winner = second
	case second == PairFailed:
		v.Winner = first
	case first == second:
		v.Winner, v.Consistent = first, Of(true)
	default:
		v.Winner, v.Consistent = PairTie, Of(false)
	}
	return v
}

// PairwiseOptions are the flags; zero values are the defaults.
type PairwiseOptions struct {
	PositionFlip    float64 // default 0.2
	PrefersRejected float64 // default 0.2
	Examples        int     // disagreements to list; default 10
}

// PairwiseReport is how a judge compares pairs: whether the order of a pair
// decides (position bias, Zheng et al. 2023, arXiv:2306.05685), and whether it
// agrees with the scores that made the pairs. Shares are rounded to 4 digits.
type PairwiseReport struct {
	N               int           `json:"n"`
	Judged          int           `json:"n_judged"`
	Failed          int           `json:"failed"`
	FlipRate        Null[float64] `json:"position_flip_rate"` // of pairs answered in both orders
	TieRate         Null[float64] `json:"tie_rate"`
	Agrees          Null[float64] `json:"agrees_with_scores"` // chosen wins of those judged
	PrefersRejected int           `json:"prefers_rejected"`
	Disagreements   []int         `json:"disagreements"` // indices of pairs whose rejected side won
	Warnings        []string      `json:"warnings"`
	Findings        []Finding     `json:"findings"`
}

// Pairwise sums up the verdicts on pairs.
func Pairwise(verdicts []PairVerdict, o PairwiseOptions) *PairwiseReport {
	if o.PositionFlip == 0 {
		o.PositionFlip = DefaultPositionFlip
	}
	if o.PrefersRejected == 0 {
		o.PrefersRejected = DefaultPrefersRejected
	}
	if o.Examples == 0 {
		o.Examples = 10
	}
	r := &PairwiseReport{N: len(verdicts), Disagreements: []int{}, Findings: []Finding{}}
	var flips, both, ties, chosen int
	for i, v := range verdicts {
		if v.Consistent.Valid {
			both++
			if !v.Consistent.V {
				flips++
			}
		}
		switch v.Winner {
		case PairFailed:
			r.Failed++
		case PairTie:
			ties++
		case PairChosen:
			chosen++
		case PairRejected:
			r.PrefersRejected++
			if len(r.Disagreements) < o.Examples {
				r.Disagreements = append(r.Disagreements, i)
			}
		}
	}
	r.Judged = r.N - r.Failed
	r.FlipRate, r.TieRate, r.Agrees = ratio(flips, both), ratio(ties, r.Judged), ratio(chosen, r.Judged)
	if rate := share(flips, both); rate.Valid && rate.V >= o.PositionFlip {
		r.Findings = append(r.Findings, Finding{
			Code: CodePositionFlip, Level: Warning, Numbers: quantities("flips", flips, "pairs", both),
			Text: fmt.Sprintf("the order of the pair decides %s of the verdicts", percent(rate.V, 0)),
		})
	}
	if rate := share(r.PrefersRejected, r.Judged); rate.Valid && rate.V >= o.PrefersRejected {
		r.Findings = append(r.Findings, Finding{
			Code: CodePrefersRejected, Level: Warning, Numbers: quantities("pairs", r.PrefersRejected, "judged", r.Judged),
			Text: fmt.Sprintf("the judge prefers the rejected reply in %s of the pairs", percent(rate.V, 0)),
		})
	}
	r.Warnings = texts(r.Findings, Warning)
	return r
}

// String prints the report in one line and its warnings.
func (r *PairwiseReport) String() string {
	s := fmt.Sprintf("pairs %d, judged %d, failed %d: agrees with scores %s, ties %s, flips with position %s, prefers rejected %d",
		r.N, r.Judged, r.Failed, fixed(r.Agrees, 4), fixed(r.TieRate, 4), fixed(r.FlipRate, 4), r.PrefersRejected)
	for _, w := range r.Warnings {
		s += "\n! " + w
	}
	return s
}
