package stats

// Defaults of [Trust] (spec of statistics, section 2).
const (
	DefaultLengthGap = 0.15 // gap of pass rates between long and short replies
	DefaultFlipFlag  = 0.10 // flips and exploits a judge may show
	DefaultMaxSkip   = 0.10 // share of gold rows with a reward that is no verdict
	halvesGap        = 0.15
	halvesMinRows    = 10
)

// TrustRow is a row as far as trust in its judge reads it.
type TrustRow struct {
	Task      string
	Judge     Label         // verdict; numeric text such as "1" counts
	Gold      Label         // gold label; numeric text counts
	Strict    LabelPair     // both again, where only JSON numbers count
	Reward    Null[float64] // the reward, when it is a number but no verdict
	Length    int           // characters of the reply
	JudgeName string        // who judged the row; "" when it does not say
	Reason    string
	FinalText string
}

// TrustInput is what [Trust] reads.
type TrustInput struct {
	Rows         []TrustRow // at least those that carry a gold label
	Others       int        // the other rows
	Perturbation *Rejudging // when a judge was asked again
	Probes       []Probe    // when it was probed
	JudgeName    string     // name of the judge that was asked; "" when none was
}

// TrustOptions are the floors; zero values are the defaults.
type TrustOptions struct {
	MinAgreement   float64 // default 0.8; held against the lower end of the interval
	MinKappa       float64 // default 0.6
	AllowModelGold bool
	LengthGap      float64 // default 0.15
	FlipFlag       float64 // default 0.10
	MaxSkipped     float64 // default 0.10
}

func (o TrustOptions) withDefaults() TrustOptions {
	set := func(x *float64, def float64) {
		if *x == 0 {
			*x = def
		}
	}
	set(&o.MinAgreement, DefaultMinAgreement)
	set(&o.MinKappa, DefaultMinKappa)
	set(&o.LengthGap, DefaultLengthGap)
	set(&o.FlipFlag, DefaultFlipFlag)
	set(&o.MaxSkipped, DefaultMaxSkip)
	return o
}

// Floors are the limits a [TrustReport] was judged by.
type Floors struct {
	MinAgreement float64 `json:"min_agreement"`
	MinKappa     float64 `json:"min_kappa"`
	LengthGap    float64 `json:"length_gap_flag"`
	FlipFlag     float64 `json:"flip_flag"`
	MaxSkipped   float64 `json:"max_skipped_share"`
}

// TrustReport says whether a judge may be believed: agreement with gold labels
// by the lower end of its Wilson interval, Cohen's kappa, leaks, bias by
// length, and what re-judging and probing found (Zheng et al. 2023,
// arXiv:2306.05685; Landis and Koch 1977; Lambert 2025, arXiv:2504.12501,
// chapter on reward modelling; exploits after arXiv:2606.19544).
type TrustReport struct {
	OK             bool              `json:"ok"`
	Headline       string            `json:"headline"`
	Rows           int               `json:"n_rows"`
	Labeled        int               `json:"n_labeled"`
	GoldKind       Null[string]      `json:"gold_kind"`
	Trusted        bool              `json:"trusted"` // gold is of people or programs
	GoldDegenerate bool              `json:"gold_degenerate"`
	Floors         Floors            `json:"floors"`
	Skipped        SkippedRewards    `json:"skipped"`
	Agreement      TrustAgreement    `json:"agreement"`
	Halves         Halves            `json:"held_out_halves"`
	Length         LengthSensitivity `json:"length_sensitivity"`
	Perturbation   *Rejudging        `json:"perturbation"`
	Probes         []Probe           `json:"probes"`
	ExploitableBy  []string          `json:"exploitable_by"`
	LabelMore      Null[int]         `json:"label_more"` // labels that would settle the agreement
	Disagreements  []JudgeMiss       `json:"disagreements"`
	Warnings       []string          `json:"warnings"`
	Findings       []Finding         `json:"findings"`
}

// TrustAgreement is the agreement with its interval.
type TrustAgreement struct {
	*AgreementReport
	CI95 Null[Interval] // Wilson at 95 %
}

// MarshalJSON writes the members of the agreement and ci95.
func (a TrustAgreement) MarshalJSON() ([]byte, error) {
	return marshalWith(a.AgreementReport, struct {
		CI95 Null[Interval] `json:"ci95"`
	}{a.CI95})
}

// SkippedRewards counts gold rows whose reward is a number but no verdict.
type SkippedRewards struct {
	Gold       int           `json:"n_gold"`
	Used       int           `json:"n_used"`
	Fractional int           `json:"fractional"`
	Unscored   int           `json:"unscored"`
	Share      Null[float64] `json:"share"` // fractional of gold; rounded to 4 digits
	OverFloor  bool          `json:"over_floor"`
	Examples   []float64     `json:"examples"` // up to 5 values, sorted
}

// JudgeMiss is a row on which judge and gold differ.
type JudgeMiss struct {
	Task      string `json:"task"`
	Gold      Label  `json:"gold"`
	Judge     Label  `json:"judge"`
	Reason    string `json:"reason"`     // 200 characters
	FinalText string `json:"final_text"` // 200 characters
}

// Trust judges a judge by gold labels.
func Trust(in TrustInput, o TrustOptions) *TrustReport {
	o = o.withDefaults()
	r := &TrustReport{
		Rows: len(in.Rows) + in.Others, Probes: in.Probes,
		Floors: Floors{o.MinAgreement, o.MinKappa, o.LengthGap, o.FlipFlag, o.MaxSkipped},
	}
	if in.Perturbation != nil {
		again := *in.Perturbation
		r.Perturbation = &again
	}
	strict := make([]LabelPair, len(in.Rows))
	var labeled []TrustRow
	golds := map[Label]int{}
	for i, row := range in.Rows {
		strict[i] = row.Strict
		if row.Gold != NoLabel {
			golds[row.Gold]++
			if row.Judge != NoLabel {
				labeled = append(labeled, row)
			}
		}
	}
	r.Labeled = len(labeled)
	r.GoldDegenerate = len(golds) == 1
	agreement := Agree(strict, AgreementOptions{AllowModelGold: o.AllowModelGold, Others: in.Others})
	c := agreement.Confusion
	r.Agreement = TrustAgreement{agreement, Wilson(c.TP+c.TN, c.N(), Z95)}
	r.GoldKind = agreement.GoldKind
	r.Trusted = o.AllowModelGold || TrustedKind(r.GoldKind.V)
	r.Skipped = skippedRewards(in.Rows, len(labeled), o.MaxSkipped)
	r.Halves = heldOutHalves(labeled)
	r.Length = lengthSensitivity(labeled, o.LengthGap)
	r.Disagreements = []JudgeMiss{}
	for _, row := range labeled {
		if row.Judge != row.Gold {
			r.Disagreements = append(r.Disagreements,
				JudgeMiss{row.Task, row.Gold, row.Judge, clip(row.Reason, 200), clip(row.FinalText, 200)})
		}
	}
	r.findings(in, o)
	r.conclude()
	return r
}

// Blocked lists the findings that make the report not ok.
func (r *TrustReport) Blocked() []Finding {
	var out []Finding
	for _, f := range r.Findings {
		if f.Level == Blocking {
			out = append(out, f)
		}
	}
	return out
}

func (r *TrustReport) conclude() {
	blocked := len(r.Blocked()) > 0
	r.OK = r.Labeled > 0 && r.Trusted && !blocked
	kind := r.GoldKind.V
	unmeasured := r.Labeled == 0 || !r.Trusted && (kind == KindModel || kind == KindUnknown)
	switch {
	case r.Skipped.OverFloor:
		r.Headline = "INCONCLUSIVE: " + percent(r.Skipped.Share.V, 0) + " of the gold rows have a reward that is no verdict"
	case !r.OK && !blocked && unmeasured:
		r.Headline = "NOT MEASURED"
	case r.OK:
		r.Headline = "PASS"
	default:
		r.Headline = "FAIL"
	}
	r.Warnings = []string{}
	for _, f := range r.Findings {
		if f.Level != Note {
			r.Warnings = append(r.Warnings, f.Text)
		}
	}
}
