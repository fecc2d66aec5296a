package hackscan

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/rollmill/rollmill/stats"
)

// matrix is what both passes made: the rewards, tasks and features of the
// graded rows.
type matrix struct {
	rows     int // graded and not
	rewards  *rewards
	groups   *groups
	features []*feature // in the order in which the reference creates them
	distinct int
	terms    []TermCount
	at       *positions
}

// analyse says what a grouped update would learn (spec of gates, section 4).
func analyse(ctx context.Context, m *matrix, o *Options) (*Report, error) {
	r := newReport(o)
	r.Rows, r.Terms = m.rows, m.terms
	if m.rewards.n == 0 {
		r.warn(CodeNoReward, "no row has a numeric reward")
		return r, nil
	}
	var spread float64
	r.Graded, r.Groups, r.GroupsMulti = m.rewards.n, len(m.groups.size), len(m.groups.multi)
	r.Support, r.EffectiveRollouts, spread = m.groups.support(m.rewards)
	r.RolloutsPerGroup = m.groups.typicalSize()
	r.ContinuousReward = m.rewards.bits == nil
	r.DistinctPerTask = m.distinct

	workers := make([]*scratch, o.Workers)
	for i := range workers {
		workers[i] = newScratch(len(m.groups.size))
	}
	c := newCentring(m.groups, m.rewards, spread)
	features := collapse(m.features, o.MinRows)
	fanOut(workers, len(features), func(s *scratch, i int) { c.measure(features[i], s) })
	features = slices.DeleteFunc(features, func(f *feature) bool { return f.sdPooled == 0 })
	if r.GroupsMulti == 0 || spread == 0 {
		r.listPooled(features, o)
		return r, nil
	}
	if !o.HandOnly && o.Seeds > 0 {
		features = append(features, conjunctions(features, o, c, workers)...)
	}
	f := &floorer{centring: c, o: o, workers: workers, plain: m.rewards.n <= ParityMaxRows}
	maxima, err := f.maxima(ctx, features)
	if err != nil {
		return nil, err
	}
	r.maxima = maxima
	ranked := r.rank(features, o.threshold(maxima), o)
	r.judge(ranked)
	r.show(ranked, m, o)
	return r, nil
}

// typicalSize is the upper median of the sizes of multi groups, 1 if there is
// none.
func (g *groups) typicalSize() int {
	if len(g.multi) == 0 {
		return 1
	}
	sizes := make([]uint32, len(g.multi))
	for i, k := range g.multi {
		sizes[i] = g.size[k]
	}
	slices.Sort(sizes)
	return int(sizes[len(sizes)/2])
}

// listPooled lists features where nothing varies within a task: by their pooled
// correlation, which says nothing about what would be learned.
func (r *Report) listPooled(features []*feature, o *Options) {
	r.FeatureCount = len(features)
	endorsed := endorsements(features, o.Endorsed)
	slices.SortStableFunc(features, func(a, b *feature) int { return cmp.Compare(math.Abs(b.pooled), math.Abs(a.pooled)) })
	for _, f := range features[:listed(len(features), o)] {
		f.rho = 0
		r.Features = append(r.Features, f.describe(0, endorsed[f.name]))
	}
	if r.GroupsMulti == 0 {
		r.warn(CodeSingles, "no task has two graded rollouts, so there is nothing to compare a rollout with")
		return
	}
	r.warn(CodeUnanimous, "the rollouts of each task all have the same reward, so there is nothing to learn from")
}

// listed is how many of n features a report lists.
func listed(n int, o *Options) int {
	if o.TopFeatures < 0 {
		return n
	}
	return min(n, o.TopFeatures)
}

// endorsements tells by name which features are endorsed.
func endorsements(features []*feature, patterns []string) map[string]bool {
	endorsed := map[string]bool{}
	for _, f := range features { // parents come before their conjunctions
		if f.endorsed(patterns, endorsed) {
			endorsed[f.name] = true
		}
	}
	return endorsed
}

// ranked is a feature in its place, with its correlation rounded as places are
// given by it.
type ranked struct {
	*feature
	shown    float64 // rho to six digits
	above    bool
	endorsed bool
}

// rank orders features by how much they are paid or punished and fills in what
// the report says of them.
func (r *Report) rank(features []*feature, tau float64, o *Options) []ranked {
	endorsed := endorsements(features, o.Endorsed)
	list := make([]ranked, len(features))
	for i, f := range features {
		list[i] = ranked{f, stats.Round(f.rho, 6), math.Abs(f.rho) > tau, endorsed[f.name]}
	}
	wanted := func(f ranked) int {
		if f.endorsed && f.rho > 0 {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(list, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(math.Abs(b.shown), math.Abs(a.shown)), cmp.Compare(wanted(a), wanted(b)), cmp.Compare(a.name, b.name))
	})
	r.Tau = stats.Of(stats.Round(tau, 4))
	r.FeatureCount = len(list)
	for _, f := range list {
		if f.above {
			r.AboveFloor++
		}
		if f.endorsed {
			r.EndorsedMatched++
		}
	}
	for _, f := range list[:listed(len(list), o)] {
		r.Features = append(r.Features, f.describe(tau, f.endorsed))
	}
	if len(list) > 0 {
		r.TopFeature = stats.Of(list[0].name)
		r.RhoMax = stats.Round(math.Abs(list[0].shown), 4)
	}
	return list
}

func (f *feature) describe(tau float64, endorsed bool) Feature {
	d := Feature{
		Name: f.name, Aliases: f.aliases, Rho: stats.Round(f.rho, 4), Pooled: stats.Round(f.pooled, 4), Obs: f.n,
		AboveFloor: f.rho != 0 && math.Abs(f.rho) > tau, Endorsed: endorsed,
	}
	if d.Aliases == nil {
		d.Aliases = []string{}
	}
	return d
}
