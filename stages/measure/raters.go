package measure

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rollmill/rollmill/stats"
)

// RatersReport is how raters agree on labels of any kind, categories that need
// not be pass and fail: those of gold with each other, and a judge with their
// majority (Cohen 1960; Krippendorff 2011). Intervals are percentile bootstraps
// over tasks, or over rows that name no task.
type RatersReport struct {
	Rows       int                           `json:"n_rows"`    // with a gold label
	Others     int                           `json:"n_others"`  // without
	Unmatched  int                           `json:"unmatched"` // of those, rows that found no twin
	Pairs      []RaterPair                   `json:"pairs"`
	Alpha      stats.Null[stats.AlphaReport] `json:"alpha"` // of the gold raters, two or more
	AlphaCI95  stats.Null[stats.Interval]    `json:"alpha_ci95"`
	NoMajority int                           `json:"no_majority"` // rows on which no label has more than half
	Judge      stats.Null[RaterPair]         `json:"judge"`       // with the majority; absent without a judge
	Categories []string                      `json:"categories"`  // of judge and majority, sorted
	Confusion  [][]int                       `json:"confusion"`   // by category of the majority, then of the judge
	Resampling stats.Resampling              `json:"resampling"`
}

// RaterPair is how two raters agree on the rows that both labelled.
type RaterPair struct {
	A string `json:"a"`
	B string `json:"b"`
	stats.RaterAgreement
	AgreementCI95 stats.Null[stats.Interval] `json:"agreement_ci95"`
	KappaCI95     stats.Null[stats.Interval] `json:"kappa_ci95"`
	Tasks         int                        `json:"n_tasks"`
}

// majorityName is what the majority of gold raters is called.
const majorityName = "majority"

// Raters compares the raters. Options of resampling are the draws, the seed and
// the level; it fails when there are more than [MaxParts] different labels,
// which are then no categories.
func (l *Labels) Raters(o stats.BootstrapOptions) (*RatersReport, error) {
	if o.Draws <= 0 {
		o.Draws = stats.DefaultDraws
	}
	if o.Level == 0 {
		o.Level = stats.DefaultLevel
	}
	rows := l.sorted()
	r := &RatersReport{
		Rows: len(rows), Others: l.others, Unmatched: l.unmatched,
		Resampling: stats.Resampling{Level: o.Level, Draws: o.Draws, Seed: o.Seed, Method: stats.Parity},
	}
	g := &l.gold
	if l.o.Twins != nil {
		g = &l.o.Twins.gold
	}
	for i := range g.fields {
		for j := range i {
			pair, err := l.pair(g.fields[j].name, g.fields[i].name, o, func(x *labelled) (string, string) {
				return x.gold[j].category, x.gold[i].category
			})
			if err != nil {
				return nil, err
			}
			r.Pairs = append(r.Pairs, *pair)
		}
	}
	name := g.fields[0].name
	if len(g.fields) > 1 {
		name = majorityName
		if err := r.alpha(rows, o); err != nil {
			return nil, err
		}
	}
	judged := false
	for i := range rows {
		if majority(rows[i].gold).category == "" {
			r.NoMajority++
		}
		judged = judged || rows[i].judge.category != ""
	}
	if !judged {
		return r, nil
	}
	pair, err := l.pair(l.o.Judge.name, name, o, judgeAndMajority)
	if err != nil {
		return nil, err
	}
	r.Judge = stats.Of(*pair)
	r.confuse(rows)
	return r, nil
}

func judgeAndMajority(x *labelled) (judge, gold string) {
	return x.judge.category, majority(x.gold).category
}

// confuse counts judge against majority.
func (r *RatersReport) confuse(rows []labelled) {
	at := map[string]int{}
	for i := range rows {
		if a, b := judgeAndMajority(&rows[i]); a != "" && b != "" {
			at[a], at[b] = 0, 0
		}
	}
	for name := range at {
		r.Categories = append(r.Categories, name)
	}
	slices.Sort(r.Categories)
	r.Confusion = make([][]int, len(at))
	for i, name := range r.Categories {
		at[name] = i
		r.Confusion[i] = make([]int, len(at))
	}
	for i := range rows {
		if a, b := judgeAndMajority(&rows[i]); a != "" && b != "" {
			r.Confusion[at[b]][at[a]]++
		}
	}
}

// alpha measures how far the gold raters agree, on categories without an order.
func (r *RatersReport) alpha(rows []labelled, o stats.BootstrapOptions) error {
	number := map[string]float64{}
	var units clusters[[]float64]
	for i := range rows {
		var unit []float64
		for _, g := range rows[i].gold {
			if g.category == "" {
				continue
			}
			if _, ok := number[g.category]; !ok {
				number[g.category] = float64(len(number))
			}
			unit = append(unit, number[g.category])
		}
		units.add(rows[i].trust.Task, unit)
	}
	whole, err := stats.KrippendorffAlpha(slices.Concat(units.all...), stats.NominalScale)
	if err != nil {
		return err
	}
	r.Alpha = stats.Of(whole)
	var alphas []float64
	for sample := range units.resample(o) {
		a, err := stats.KrippendorffAlpha(slices.Concat(sample...), stats.NominalScale)
		if err != nil {
			return err
		}
		if a.Alpha.Valid {
			alphas = append(alphas, a.Alpha.V)
		}
	}
	if len(alphas) > 0 {
		r.AlphaCI95 = stats.Of(stats.PercentileInterval(alphas, o.Level))
	}
	return nil
}

// pair compares two raters.
func (l *Labels) pair(a, b string, o stats.BootstrapOptions, of func(*labelled) (string, string)) (*RaterPair, error) {
	var left, right []string
	number := map[string]int{}
	numberOf := func(category string) int {
		n, ok := number[category]
		if !ok {
			n = len(number)
			number[category] = n
		}
		return n
	}
	var both clusters[[2]int]
	for i := range l.rows {
		x, y := of(&l.rows[i])
		if x == "" || y == "" {
			continue
		}
		left, right = append(left, x), append(right, y)
		both.add(l.rows[i].trust.Task, [2]int{numberOf(x), numberOf(y)})
	}
	if len(number) > MaxParts {
		return nil, fmt.Errorf("measure: %s and %s have %d different labels: more than %d are no categories", a, b, len(number), MaxParts)
	}
	agreement, err := stats.CohenKappa(left, right)
	if err != nil {
		return nil, err
	}
	p := &RaterPair{A: a, B: b, RaterAgreement: agreement, Tasks: len(both.all)}
	p.AgreementCI95, p.KappaCI95 = kappaIntervals(&both, len(number), o)
	return p, nil
}

// kappaIntervals resamples pairs of labels. Resamples in which both raters gave
// one and the same label have no kappa and are left out.
func kappaIntervals(both *clusters[[2]int], categories int, o stats.BootstrapOptions) (agreement, kappa stats.Null[stats.Interval]) {
	counts := make([][2]int, categories)
	var agreements, kappas []float64
	for sample := range both.resample(o) {
		clear(counts)
		n, same := 0, 0
		for _, cluster := range sample {
			for _, p := range cluster {
				counts[p[0]][0]++
				counts[p[1]][1]++
				n++
				if p[0] == p[1] {
					same++
				}
			}
		}
		expected := 0
		for _, c := range counts {
			expected += c[0] * c[1]
		}
		agreements = append(agreements, float64(same)/float64(n))
		if expected < n*n {
			chance := float64(expected) / float64(n*n)
			kappas = append(kappas, (float64(same)/float64(n)-chance)/(1-chance))
		}
	}
	if len(agreements) > 0 {
		agreement = stats.Of(stats.PercentileInterval(agreements, o.Level))
	}
	if len(kappas) > 0 {
		kappa = stats.Of(stats.PercentileInterval(kappas, o.Level))
	}
	return agreement, kappa
}

// String prints a line a pair.
func (r *RatersReport) String() string {
	var b strings.Builder
	for _, p := range r.Pairs {
		fmt.Fprintf(&b, "%s\n", p)
	}
	if r.Alpha.Valid {
		fmt.Fprintf(&b, "Krippendorff's alpha (nominal) %s (%d ratings of %d rows)\n",
			figure(r.Alpha.V.Alpha, r.AlphaCI95), r.Alpha.V.Ratings, r.Alpha.V.Units)
	}
	if r.Judge.Valid {
		fmt.Fprintf(&b, "%s\n", r.Judge.V)
	}
	fmt.Fprintf(&b, "%d rows with a gold label, %d without", r.Rows, r.Others)
	if r.Unmatched > 0 {
		fmt.Fprintf(&b, " (%d found no twin)", r.Unmatched)
	}
	if r.NoMajority > 0 {
		fmt.Fprintf(&b, ", %d without a majority", r.NoMajority)
	}
	return b.String()
}

// String prints the agreement in one line.
func (p RaterPair) String() string {
	return fmt.Sprintf("%s, %s: agreement %s, kappa %s (n=%d rows, %d tasks; by chance %s)",
		p.A, p.B, figure(p.Agreement, p.AgreementCI95), figure(p.Kappa, p.KappaCI95), p.N, p.Tasks, figure(p.Expected, stats.Null[stats.Interval]{}))
}

// figure prints a number with its interval.
func figure(x stats.Null[float64], iv stats.Null[stats.Interval]) string {
	if !x.Valid {
		return "n/a"
	}
	s := fmt.Sprintf("%.4f", x.V)
	if iv.Valid {
		s += fmt.Sprintf(" [%.4f..%.4f]", iv.V.Low, iv.V.High)
	}
	return s
}
