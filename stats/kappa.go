package stats

// Confusion counts a judge against gold labels.
type Confusion struct {
	TP int `json:"tp"` // judge passes, gold passes
	FP int `json:"fp"` // judge passes, gold fails
	FN int `json:"fn"` // judge fails, gold passes
	TN int `json:"tn"` // judge fails, gold fails
}

// Add counts one pair; a pair with a missing label is not counted.
func (c *Confusion) Add(judge, gold Label) {
	switch {
	case judge == NoLabel || gold == NoLabel:
	case judge == Pass && gold == Pass:
		c.TP++
	case judge == Pass:
		c.FP++
	case gold == Pass:
		c.FN++
	default:
		c.TN++
	}
}

// N is the number of pairs.
func (c Confusion) N() int { return c.TP + c.FP + c.FN + c.TN }

// Agreement is the share of pairs on which both agree.
func (c Confusion) Agreement() Null[float64] { return share(c.TP+c.TN, c.N()) }

// Leak is the share of gold failures that the judge passed.
func (c Confusion) Leak() Null[float64] { return share(c.FP, c.FP+c.TN) }

// Miss is the share of gold passes that the judge failed.
func (c Confusion) Miss() Null[float64] { return share(c.FN, c.FN+c.TP) }

// JudgePassRate is the share that the judge passed.
func (c Confusion) JudgePassRate() Null[float64] { return share(c.TP+c.FP, c.N()) }

// GoldPassRate is the share that gold passed.
func (c Confusion) GoldPassRate() Null[float64] { return share(c.TP+c.FN, c.N()) }

// Kappa is Cohen's kappa of two raters (Cohen 1960), not rounded. When both
// gave one and the same label throughout, chance explains everything: the
// reference then says 1 for full agreement and 0 otherwise, and so does this;
// [CohenKappa] calls it undefined. Absent without pairs.
func (c Confusion) Kappa() Null[float64] {
	if c.N() == 0 {
		return Null[float64]{}
	}
	po, jp, gp := c.Agreement().V, c.JudgePassRate().V, c.GoldPassRate().V
	pe := float64(jp*gp) + float64((1-jp)*(1-gp))
	if pe == 1 {
		if po == 1 {
			return Of(1.0)
		}
		return Of(0.0)
	}
	return Of((po - pe) / (1 - pe))
}

// RaterAgreement is how two raters agree on labels of any kind.
type RaterAgreement struct {
	N         int           `json:"n"`
	Agreement Null[float64] `json:"agreement"` // observed
	Expected  Null[float64] `json:"expected"`  // by chance, from each rater's own shares
	Kappa     Null[float64] `json:"kappa"`     // absent when Expected is 1: 0/0
	OneLabel  bool          `json:"one_label"` // both gave one label throughout
}

// CohenKappa measures how two raters agree on any number of categories beyond
// what chance would give (Cohen 1960). Kappa is absent, neither 0 nor 1, when
// both gave one and the same label throughout. The lists must be equally long.
func CohenKappa[T comparable](a, b []T) (RaterAgreement, error) {
	if len(a) != len(b) {
		return RaterAgreement{}, &ArgumentError{Name: "b", Got: len(b), Want: "as many labels as a"}
	}
	r := RaterAgreement{N: len(a)}
	if r.N == 0 {
		return r, nil
	}
	type both struct{ a, b int }
	counts := map[T]both{}
	var order []T // categories as first seen, so that the sum below has one order
	tally := func(label T, a, b int) {
		c, seen := counts[label]
		if !seen {
			order = append(order, label)
		}
		counts[label] = both{c.a + a, c.b + b}
	}
	same := 0
	for i := range a {
		tally(a[i], 1, 0)
		tally(b[i], 0, 1)
		if a[i] == b[i] {
			same++
		}
	}
	expected := 0 // in pairs of n*n, so that it is exact
	for _, label := range order {
		expected += counts[label].a * counts[label].b
	}
	r.OneLabel = expected == r.N*r.N
	r.Agreement = share(same, r.N)
	r.Expected = share(expected, r.N*r.N)
	if !r.OneLabel {
		r.Kappa = Of((r.Agreement.V - r.Expected.V) / (1 - r.Expected.V))
	}
	return r, nil
}
